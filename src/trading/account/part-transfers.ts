/** What is known of the transfers of cash between the parts of a venue. A transfer is never sent from here; no state is guessed. */
import type { Sql } from '../../db/client.ts';
import { MICROS_PER_CENT } from '../../money/units.ts';
import type { PartTransfer, PartTransfers, ReportedTransfer } from '../../venues/account.ts';

/** `asked`: not answered yet; `under_way`: the money may be between the parts. */
export type TransferState = 'asked' | 'under_way' | 'arrived' | 'refused';

export interface RecordedTransfer extends PartTransfer {
  readonly venue: string;
  readonly reference: string;
  readonly state: TransferState;
  readonly transferId: string | null;
  /** Why nothing was moved. */
  readonly detail: string | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
}

/** The venue's clock may be behind ours, and it names whole seconds. */
const EARLIER_MS = 30_000;

/** @returns true if this call recorded it, so that its caller alone may send it */
export async function recordAsked(
  sql: Sql,
  transfer: PartTransfer & { readonly venue: string; readonly reference: string; readonly requestedBy: string },
): Promise<boolean> {
  const { venue, reference, from, to, amountMinor, requestedBy } = transfer;
  const rows = await sql`
    insert into venue_part_transfers (venue, reference, from_part, to_part, amount_minor, requested_by)
    values (${venue}, ${reference}, ${from}, ${to}, ${amountMinor}, ${requestedBy})
    on conflict do nothing returning reference`;
  return rows.length > 0;
}

export async function findTransfer(sql: Sql, venue: string, reference: string): Promise<RecordedTransfer | undefined> {
  const [row] = await sql<RecordedTransfer[]>`
    select venue, reference, from_part::int as "from", to_part::int as "to", amount_minor, state, transfer_id, detail, requested_by, requested_at
    from venue_part_transfers where venue = ${venue} and reference = ${reference}`;
  return row;
}

/** Transfers of all venues of which it is not known that they ended, oldest first. */
export function listOpenTransfers(sql: Sql): Promise<RecordedTransfer[]> {
  return sql<RecordedTransfer[]>`
    select venue, reference, from_part::int as "from", to_part::int as "to", amount_minor, state, transfer_id, detail, requested_by, requested_at
    from venue_part_transfers where state in ('asked', 'under_way') order by requested_at`;
}

/** The venue took it. */
export async function recordTaken(sql: Sql, venue: string, reference: string, transferId: string): Promise<void> {
  await sql`
    update venue_part_transfers set state = 'under_way', transfer_id = ${transferId}, changed_at = clock_timestamp()
    where venue = ${venue} and reference = ${reference} and state = 'asked'`;
}

/** Nothing was moved. @returns false if it was not open any more */
export async function recordRefused(sql: Sql, venue: string, reference: string, detail: string): Promise<boolean> {
  const rows = await sql`
    update venue_part_transfers set state = 'refused', detail = ${detail}, changed_at = clock_timestamp()
    where venue = ${venue} and reference = ${reference} and state = 'asked' returning reference`;
  return rows.length > 0;
}

/** Asks the venue what became of its open transfers, and records what it says. @throws VenueUnknown */
export async function followTransfers(sql: Sql, venue: string, transfers: PartTransfers): Promise<void> {
  const open = (await listOpenTransfers(sql)).filter((one) => one.venue === venue);
  const [oldest] = open;
  if (oldest === undefined) {
    return;
  }
  const reported = await transfers.since(new Date(oldest.requestedAt.getTime() - EARLIER_MS));
  const known = await knownIds(sql, venue, reported);
  for (const one of open) {
    const candidates = reported.filter((other) => !known.has(other.transferId) && isSame(one, other));
    const [only] = candidates;
    if (one.transferId === null && only !== undefined && candidates.length === 1) {
      await recordTaken(sql, venue, one.reference, only.transferId);
    }
  }
  const arrived = reported.filter((one) => one.arrived).map(({ transferId }) => transferId);
  await sql`
    update venue_part_transfers set state = 'arrived', changed_at = clock_timestamp()
    where venue = ${venue} and state = 'under_way' and transfer_id = any (${arrived}::text[])`;
}

async function knownIds(sql: Sql, venue: string, reported: readonly ReportedTransfer[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ transferId: string }[]>`
    select transfer_id from venue_part_transfers
    where venue = ${venue} and transfer_id = any (${reported.map(({ transferId }) => transferId)}::text[])`;
  return new Set(rows.map(({ transferId }) => transferId));
}

function isSame(ours: RecordedTransfer, theirs: ReportedTransfer): boolean {
  return (
    ours.from === theirs.from &&
    ours.to === theirs.to &&
    ours.amountMinor * MICROS_PER_CENT === theirs.amountMicros &&
    theirs.at.getTime() >= ours.requestedAt.getTime() - EARLIER_MS
  );
}
