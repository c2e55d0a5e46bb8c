/**
 * Money that was paid into our account at a venue or taken out of it, apart from trading: payments in the venue's own lists, booked under
 * its ids, and payments that no list contains, recorded by a support person. The comparison of the cash counts both. Nothing here moves
 * money.
 */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import type { VenueAccount, VenueTransfer } from '../../venues/port.ts';

/** A venue may complete a transfer, or list it, this long after it began. */
const LISTED_DAYS = 30;

/**
 * The payments in or out that the venue lists since the opening balance, of the last 30 days.
 * @returns an empty list if the venue has no such list, or the opening balance is not known: it includes all earlier payments
 * @throws VenueUnknown
 */
export async function listTransfers(sql: Sql, venue: string, account: VenueAccount): Promise<readonly VenueTransfer[]> {
  if (account.transfersSince === undefined) {
    return [];
  }
  const [row] = await sql<{ since: Date }[]>`
    select greatest(opening_at, clock_timestamp() - make_interval(days => ${LISTED_DAYS})) as since
    from venue_accounts where venue = ${venue} and opening_at is not null`;
  if (row === undefined) {
    return [];
  }
  const listed = await account.transfersSince(row.since);
  return listed.filter(({ pending, at }) => pending || at >= row.since);
}

/** Books the transfers that are complete, each once under the venue's id. */
export async function bookTransfers(sql: Sql, venue: string, transfers: readonly VenueTransfer[]): Promise<void> {
  const complete = transfers.filter(({ pending, amountMicros }) => !pending && amountMicros !== 0n);
  if (complete.length === 0) {
    return;
  }
  const rows = JSON.stringify(
    complete.map(({ kind, id, amountMicros, at }) => ({
      kind,
      id,
      amount: String(amountMicros),
      at: at.toISOString(),
    })),
  );
  await sql`
    insert into venue_transfers (venue, kind, reference, amount_micros, moved_at)
    select ${venue}, kind, id, amount, "at"
    from json_to_recordset(${rows}::text::json) as given(kind text, id text, amount bigint, "at" timestamptz)
    order by "at", kind, id
    on conflict (venue, kind, reference) do nothing`;
}

/**
 * Records a payment that a support person made and no list of the venue contains. A repeated reference with the same amount records
 * nothing.
 * @param amountMicros millionths of a dollar, below 0 if they were taken out
 * @returns when the transfer was recorded
 * @throws idempotency_conflict
 */
export async function recordTransfer(sql: Sql, venue: string, reference: string, amountMicros: bigint): Promise<Date> {
  await sql`
    insert into venue_transfers (venue, kind, reference, amount_micros) values (${venue}, 'by_hand', ${reference}, ${amountMicros})
    on conflict (venue, kind, reference) do nothing`;
  const [row] = await sql<{ amount: bigint; recordedAt: Date }[]>`
    select amount_micros as amount, recorded_at from venue_transfers
    where venue = ${venue} and kind = 'by_hand' and reference = ${reference}`;
  if (row?.amount !== amountMicros) {
    throw refuse('idempotency_conflict', 'This reference was used for another amount.');
  }
  return row.recordedAt;
}

export interface RecordedTransfer {
  readonly kind: VenueTransfer['kind'] | 'by_hand';
  readonly reference: string;
  readonly amountMicros: bigint;
  readonly movedAt: Date;
  readonly recordedBy: string;
}

/** Newest first. @param limit at most so many */
export function listRecordedTransfers(sql: Sql, venue: string, limit: number): Promise<RecordedTransfer[]> {
  return sql<RecordedTransfer[]>`
    select kind, reference, amount_micros, moved_at, recorded_by from venue_transfers
    where venue = ${venue} order by moved_at desc, kind, reference limit ${limit}`;
}
