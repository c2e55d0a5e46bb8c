/** The catalogue of one venue as it was last read, with the changes that the venue sent since; passes each change to the writer. */
import type { VenueChange, VenueEvent } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import type { BoardWrites } from './board-writes.ts';
import { contractRow, eventRow, placeOf } from './ingest-rows.ts';

export interface KnownCatalogue {
  /** Replaces everything by what was read, which is written elsewhere. */
  replace(events: readonly VenueEvent[]): void;
  /** @returns false if the event of the change is unknown, so that the catalogue must be read */
  take(change: VenueChange): boolean;
  lists(listingId: string): boolean;
  readonly sizes: { readonly events: number; readonly listings: number };
}

export function createKnownCatalogue(venue: Venue, rank: number, writes: BoardWrites): KnownCatalogue {
  const events = new Map<string, VenueEvent>();
  const listings = new Set<string>();

  function learn(event: VenueEvent): void {
    events.set(event.eventId, event);
    for (const { listingId } of event.markets) {
      listings.add(listingId);
    }
  }

  function takeEvent(event: VenueEvent): void {
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
