/** Resolved positions that a venue pays once a person redeems them: what waits, since when, and who redeemed what. Moves no money. */
import type { Sql } from '../../db/client.ts';
import type { Redeemable } from '../../venues/port.ts';

export interface WaitingRedemption extends Redeemable {
  readonly contractId: string | null;
  /** When its result came to our books; null until then. */
  readonly resolvedAt: Date | null;
}

export interface Redemption {
  readonly listingId: string;
  /** Of the transaction by which it was redeemed. */
  readonly reference: string;
  readonly recordedBy: string;
  readonly recordedAt: Date;
}

/** @param redeemable what the venue says that it pays. @returns the same with its contract, in the same order */
export async function listWaitingRedemptions(
  sql: Sql,
  venue: string,
  redeemable: readonly Redeemable[],
): Promise<WaitingRedemption[]> {
  const rows = await sql<{ listingId: string; contractId: string; resolvedAt: Date | null }[]>`
    select l.listing_id, l.contract_id, c.resolved_at from listings l join contracts c using (contract_id)
    where l.venue = ${venue} and l.listing_id = any (${redeemable.map(({ listingId }) => listingId)}::text[])`;
  return redeemable.map((one) => {
    const row = rows.find(({ listingId }) => listingId === one.listingId);
    return { ...one, contractId: row?.contractId ?? null, resolvedAt: row?.resolvedAt ?? null };
  });
}

/**
 * Records who redeemed a position; the same reference again records nothing.
 * @returns the record that is kept; undefined if the venue has no such listing
 */
export async function recordRedemption(
  sql: Sql,
  venue: string,
  { listingId, reference, recordedBy }: Omit<Redemption, 'recordedAt'>,
): Promise<Redemption | undefined> {
  await sql`
    insert into venue_redemptions (venue, listing_id, reference, recorded_by)
    select l.venue, l.listing_id, ${reference}, ${recordedBy} from listings l
    where l.venue = ${venue} and l.listing_id = ${listingId}
    on conflict (venue, listing_id, reference) do nothing`;
  const [row] = await sql<Redemption[]>`
    select listing_id, reference, recorded_by, recorded_at from venue_redemptions
    where venue = ${venue} and listing_id = ${listingId} and reference = ${reference}`;
  return row;
}

/** The newest first, at most 1,000. */
export function listRedemptions(sql: Sql, venue: string): Promise<Redemption[]> {
  return sql<Redemption[]>`
    select listing_id, reference, recorded_by, recorded_at from venue_redemptions
    where venue = ${venue} order by recorded_at desc limit 1000`;
}
