/** Updates our catalogue to what one venue lists now: writes what differs, withdraws what is no longer listed. */
import type { VenueCatalogue } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import type { BoardWrites } from './board-writes.ts';
import { contractRow, eventRow, placeOf } from './venue-rows.ts';

export interface SyncedCatalogue {
  readonly events: number;
  readonly contracts: number;
  /** Contracts paused because the venue no longer lists them. */
  readonly withdrawn: number;
  /** Entries that the venue sent and that are invalid. */
  readonly invalid: number;
}

/**
 * Resolves once everything is committed.
 * @param rank index of the venue in the deployment's list of venues
 * @param onRead is called when the catalogue has been passed to the writer, and returns listings that appeared since
 * the request, which the catalogue cannot contain yet
 * @throws VenueUnknown if the venue does not answer
 */
export async function syncCatalogue(
  venue: Venue,
  rank: number,
  writes: BoardWrites,
  onRead: (catalogue: VenueCatalogue) => readonly string[] = () => [],
): Promise<SyncedCatalogue> {
  const catalogue = await venue.catalogue(await writes.heldListings(venue.name));
  const events: string[] = [];
  const listed: string[] = [];
  for (const event of catalogue.events) {
    const place = placeOf(venue.name, event);
    events.push(place.eventId);
    writes.events([eventRow(venue.name, rank, event)]);
    writes.contracts(event.markets.map((market, position) => contractRow(venue, rank, place, position, market)));
    listed.push(...event.markets.map(({ listingId }) => listingId));
  }
  const named = onRead(catalogue);
  await writes.settled();
  writes.forgetUnlisted(venue.name, { events, listings: [...listed, ...named] });
  // An empty catalogue means that the venue has a problem, not that all its markets ended.
  const withdrawn = listed.length === 0 ? 0 : await writes.withdrawUnlisted(venue.name, rank, [...listed, ...named]);
  return {
    events: catalogue.events.length,
    contracts: listed.length,
    withdrawn,
    invalid: catalogue.invalid.length,
  };
}
