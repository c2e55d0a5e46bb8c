/** What a person paid into our account at a venue, or took out, so that its cash can be compared with the books. Moves no money. */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

/**
 * Records a transfer; the same reference and amount again records nothing.
 * @param amountMinor cents, below 0 for what was taken out. @throws idempotency_conflict
 */
export async function recordTransfer(sql: Sql, venue: string, reference: string, amountMinor: bigint): Promise<Date> {
  await sql`
    insert into venue_transfers (venue, reference, amount_minor) values (${venue}, ${reference}, ${amountMinor})
    on conflict (venue, reference) do nothing`;
  const [row] = await sql<{ amount: bigint; recordedAt: Date }[]>`
    select amount_minor as amount, recorded_at from venue_transfers where venue = ${venue} and reference = ${reference}`;
  if (row?.amount !== amountMinor) {
    throw refuse('idempotency_conflict', 'This reference was used for another amount.');
  }
  return row.recordedAt;
}
