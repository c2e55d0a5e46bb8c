/**
 * Finds the listings of a contract at the paper venues, and waits until a book or a result of theirs has reached our
 * database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../core/errors.ts';
import type { Resolution } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';

export interface PaperListing {
  readonly venue: string;
  readonly listingId: string;
  readonly contractId: string;
}

const POLL_MS = 25;
const PAPER = 'paper%';

/**
 * @param venue undefined selects the first one
 * @throws market_not_found if no paper venue lists it
 */
export async function paperListing(sql: Sql, contractId: string, venue: string | undefined): Promise<PaperListing> {
  const [row] = await sql<PaperListing[]>`
    select venue, listing_id as "listingId", contract_id as "contractId" from listings
    where contract_id = ${contractId} and venue like ${PAPER} and (${venue ?? null}::text is null or venue = ${venue ?? null})
    order by venue limit 1`;
  if (row === undefined) {
    throw refuse('market_not_found', 'No paper venue lists this contract.');
  }
  return row;
}

/** @returns the ids of contracts by the ids of their listings at the venue */
export async function paperContracts(
  sql: Sql,
  venue: string,
  listingIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<PaperListing[]>`
    select listing_id as "listingId", contract_id as "contractId" from listings
    where venue = ${venue} and listing_id = any (${[...listingIds]}::text[])`;
  return new Map(rows.map((row) => [row.listingId, row.contractId]));
}

/**
 * Waits until our row of the listing has this book or a newer one.
 *
 * @param sequence that of the book at the venue
 * @param withinMs the timeout
 * @returns false after a timeout
 */
export function bookReached(sql: Sql, listing: PaperListing, sequence: number, withinMs: number): Promise<boolean> {
  return reached(
    () => sql<{ reached: boolean }[]>`
      select coalesce(venue_sequence, 0) >= ${String(sequence)}::bigint as reached from listings
      where venue = ${listing.venue} and listing_id = ${listing.listingId}`,
    withinMs,
  );
}

/**
 * Waits until our contract has this result from the venue. It does not wait for a venue that does not describe the
 * contract, because such a venue has no influence on it.
 *
 * @param resolution null means that the venue has no result
 * @param withinMs the timeout
 * @returns false after a timeout
 */
export function resolutionReached(
  sql: Sql,
  listing: PaperListing,
  resolution: Resolution | null,
  withinMs: number,
): Promise<boolean> {
  return reached(
    () => sql<{ reached: boolean }[]>`
      select c.rank <> l.rank or c.venue_resolution is not distinct from ${resolution} as reached
      from listings l join contracts c using (contract_id)
      where l.venue = ${listing.venue} and l.listing_id = ${listing.listingId}`,
    withinMs,
  );
}

async function reached(look: () => PromiseLike<{ reached: boolean }[]>, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (;;) {
    const [row] = await look();
    if (row?.reached === true) {
      return true;
    }
    if (performance.now() > until) {
      return false;
    }
    await sleep(POLL_MS);
  }
}
