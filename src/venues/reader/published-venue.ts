/** A venue that this process reads for all cells: whatever it reads for itself is published as well. Orders are not touched. */
import type { Ticks } from '../../core/clock.ts';
import type { VenueCatalogue, VenueChange } from '../listing.ts';
import type { Venue, WatchHandlers } from '../port.ts';
import { createHeldListings } from './held-listings.ts';
import { createPublication, type Publication } from './publication.ts';

export interface PublishedVenue {
  /** For the process's own ingestion. */
  readonly venue: Venue;
  readonly publication: Publication;
  /**
   * Remembers what a cell holds, and reads the catalogue if what was read last may not contain it.
   * @returns the number of the read that contains it
   * @throws VenueUnknown if the venue does not answer
   */
  hold(cell: string, listings: readonly string[]): Promise<number>;
}

export function publishVenue(venue: Venue, ticks: Ticks): PublishedVenue {
  const publication = createPublication(venue.name, ticks);
  const others = createHeldListings(ticks);
  let ownHeld: readonly string[] = [];
  /** Listings that the last read was asked for or has found. */
  let covered = new Set<string>();
  let handlers: WatchHandlers | undefined;
  let reading: Promise<void> | undefined;
  /** Of each read in progress, the changes received since it began: they are newer than what it returns. */
  const newer = new Set<VenueChange[]>();

  async function read(): Promise<VenueCatalogue> {
    const asked = [...new Set([...ownHeld, ...others.all()])];
    const meanwhile: VenueChange[] = [];
    newer.add(meanwhile);
    const catalogue = await venue.catalogue(asked).finally(() => newer.delete(meanwhile));
    covered = new Set(asked);
    for (const { markets } of catalogue.events) {
      for (const { listingId } of markets) {
        covered.add(listingId);
      }
    }
    publication.takeCatalogue(catalogue);
    publication.takeChanges(meanwhile);
    return catalogue;
  }

  /** The changes that it finds also reach this process's own catalogue. */
  async function readForOthers(): Promise<void> {
    const { events } = await read();
    handlers?.changes(events.map((event) => ({ type: 'event', event })));
  }

  return {
    publication,
    venue: {
      ...venue,
      catalogue(held = []) {
        ownHeld = held;
        return read();
      },
      async watch(own) {
        handlers = own;
        publication.begin();
        const watch = await venue.watch({
          books(books) {
            publication.takeBooks(books);
            own.books(books);
          },
          changes(changes) {
            for (const meanwhile of newer) {
              meanwhile.push(...changes);
            }
            publication.takeChanges(changes);
            own.changes(changes);
          },
          confirmed(at) {
            publication.confirm();
            own.confirmed(at);
          },
          up() {
            publication.rise();
            own.up();
          },
          down(reason) {
            publication.fall(reason);
            own.down(reason);
          },
          invalid: own.invalid,
        });
        return {
          get connected() {
            return watch.connected;
          },
          async close() {
            handlers = undefined;
            publication.end();
            await watch.close();
          },
        };
      },
    },
    async hold(cell, listings) {
      others.put(cell, listings);
      while (publication.reads === 0 || listings.some((listingId) => !covered.has(listingId))) {
        reading ??= readForOthers().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return publication.reads;
    },
  };
}
