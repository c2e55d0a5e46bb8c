/** What a venue reported while it was watched: books, changes of its catalogue, and how its connection did. */
import { expect } from 'vitest';
import type { VenueBook, VenueChange } from '../../src/venues/listing.ts';
import type { Venue, Watch } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';

/** For polls of what a stream brings, on a busy machine. */
export const SLOWEST_MS = 25_000;

export class WatchedVenue {
  readonly books = new Map<string, VenueBook>();
  readonly changes: VenueChange[] = [];
  /** `up`, `down: reason` and `invalid: reason`, in their order. */
  readonly events: string[] = [];
  confirmed = 0;
  watch: Watch | undefined;

  /** Waits until the connection is up. */
  async follow(venue: Venue, onBook: (book: VenueBook) => void = () => {}): Promise<void> {
    await this.begin(venue, onBook);
    await until(() => expect(this.events).toEqual(['up']), SLOWEST_MS);
  }

  async begin(venue: Venue, onBook: (book: VenueBook) => void = () => {}): Promise<void> {
    this.watch = await venue.watch({
      books: (some) => {
        for (const book of some) {
          this.books.set(book.listingId, book);
          onBook(book);
        }
      },
      changes: (some) => this.changes.push(...some),
      confirmed: () => {
        this.confirmed += 1;
      },
      up: () => this.events.push('up'),
      down: (reason) => this.events.push(`down: ${reason}`),
      invalid: ({ reason }) => this.events.push(`invalid: ${reason}`),
    });
  }

  /** The results of the markets in the changes so far. */
  results(): unknown[] {
    return this.#markets().map(({ resolution }) => resolution?.outcome);
  }

  ticks(): unknown[] {
    return this.#markets().map(({ tickMicros }) => tickMicros);
  }

  #markets() {
    return this.changes.flatMap((change) => (change.type === 'event' ? change.event.markets : []));
  }
}
