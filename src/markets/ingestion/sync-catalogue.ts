/** Brings our catalogue to what one venue lists now: writes what differs, withdraws what is listed no more. */
import type { VenueCatalogue } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import { eventIdOf } from '../identity.ts';
import type { BoardWrites } from './board-writes.ts';
import { contractRow, eventRow } from './venue-rows.ts';

export interface SyncedCatalogue {
  readonly events: number;
  readonly contracts: number;
  /** Contracts paused because the venue lists them no more. */
  readonly withdrawn: number;
  /** What the venue sent and did not fit. */
  readonly invalid: number;
}

/**
 * Resolves once everything is committed.
 * @param rank of the venue in the deployment's list of venues.
 * @param onRead is called when the catalogue has been handed to the writer, and answers with listings that were named
 * since it was asked for, which it cannot hold yet.
 * @throws VenueUnknown where the venue does not answer.
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
    const place = { eventId: eventIdOf(venue.name, event.eventId, event.groupKey), category: event.category };
    events.push(place.eventId);
    writes.events([eventRow(venue.name, rank, event)]);
    writes.contracts(event.markets.map((market, position) => contractRow(venue, rank, place, position, market)));
    listed.push(...event.markets.map(({ listingId }) => listingId));
  }
  const named = onRead(catalogue);
  await writes.settled();
  writes.forgetUnlisted(venue.name, { events, listings: [...listed, ...named] });
  // An empty catalogue is a venue in trouble, not the end of all its markets.
  const withdrawn = listed.length === 0 ? 0 : await writes.withdrawUnlisted(venue.name, rank, [...listed, ...named]);
  return {
    events: catalogue.events.length,
    contracts: listed.length,
    withdrawn,
    invalid: catalogue.invalid.length,
  };
}
