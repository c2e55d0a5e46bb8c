/**
 * Updates our catalogue to that of one venue: by reading all that the venue lists, and by each change that it sends
 * afterwards. It passes the rows to the writer.
 */
import { type VenueCatalogue, type VenueChange, type VenueEvent, withoutControls } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import type { BoardWrites } from './board-writes.ts';
import { contractRow, eventRow, placeOf } from './ingest-rows.ts';

export interface SyncedCatalogue {
  readonly events: number;
  readonly contracts: number;
  /** How many contracts were paused because the venue no longer lists them. */
  readonly withdrawn: number;
  /** How many entries of the venue were invalid. */
  readonly invalid: number;
}

/**
 * Reads the current listings of one venue, writes the differences, and withdraws listings that are gone. Resolves once everything is
 * committed.
 * @param rank index of the venue in the deployment's list of venues
 * @param onRead is called when the catalogue has been passed to the writer. It returns ids of listings that appeared since the request,
 * which the catalogue cannot contain yet
 * @throws VenueUnknown if the venue does not respond
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
  for (const event of catalogue.events.map(withoutControls)) {
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

interface KnownCatalogue {
  /** Replaces everything by the catalogue that was read, which `syncCatalogue` writes. */
  replace(events: readonly VenueEvent[]): void;
  /**
   * Passes a change to the writer.
   *
   * @returns false if the event of the change is unknown, so that the catalogue must be read
   */
  take(change: VenueChange): boolean;
  lists(listingId: string): boolean;
  readonly sizes: { readonly events: number; readonly listings: number };
}

/** The catalogue of one venue as it was last read, with the changes that the venue sent since. */
export function createKnownCatalogue(venue: Venue, rank: number, writes: BoardWrites): KnownCatalogue {
  const events = new Map<string, VenueEvent>();
  const listings = new Set<string>();

  function learn(event: VenueEvent): void {
    events.set(event.eventId, event);
    for (const { listingId } of event.markets) {
      listings.add(listingId);
    }
  }

  function takeEvent(changed: VenueEvent): void {
    const event = withoutControls(changed);
    learn(event);
    const parent = placeOf(venue.name, event);
    writes.events([eventRow(venue.name, rank, event)]);
    writes.contracts(event.markets.map((market, position) => contractRow(venue, rank, parent, position, market)));
  }

  return {
    replace(newest) {
      events.clear();
      listings.clear();
      for (const event of newest) {
        learn(event);
      }
    },
    take(change) {
      if (change.type === 'event') {
        takeEvent(change.event);
        return true;
      }
      const event = events.get(change.type === 'market' ? change.market.eventId : change.eventId);
      if (event === undefined) {
        return false;
      }
      if (change.type === 'coin') {
        const { eventId } = placeOf(venue.name, event);
        writes.coin({ eventId, at: change.at, coinPrice: change.price });
        return true;
      }
      if (change.type === 'match') {
        takeEvent({ ...event, liveMatch: change.liveMatch });
        return true;
      }
      const { market } = change;
      const known = event.markets.some(({ listingId }) => listingId === market.listingId);
      takeEvent({
        ...event,
        markets: known
          ? event.markets.map((other) => (other.listingId === market.listingId ? market : other))
          : [...event.markets, market],
      });
      return true;
    },
    lists: (listingId) => listings.has(listingId),
    get sizes() {
      return { events: events.size, listings: listings.size };
    },
  };
}
