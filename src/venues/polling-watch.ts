/**
 * Follows a read-only venue: polls its books and reports those that changed. A failed poll is reported as down and
 * retried with backoff; the next successful poll as up. It follows the listings of the newest catalogue, and reads the
 * catalogue itself the first time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VenueBook } from './listing.ts';
import type { Watch, WatchHandlers } from './port.ts';

export interface PolledVenue {
  /** Listings to follow, from the catalogue that was read last; reads it if none was. */
  listings(): Promise<readonly string[]>;
  /** Books of at most `batch` listings in one request. Invalid ones are passed to `handlers.invalid`. */
  books(listingIds: readonly string[], handlers: WatchHandlers): Promise<readonly VenueBook[]>;
  readonly batch: number;
  readonly everyMs: number;
  /** Pause between two batches, where there are many. */
  readonly betweenMs?: number;
}

const LONGEST_WAIT_MS = 60_000;

export function watchByPolling(venue: PolledVenue, handlers: WatchHandlers): Watch {
  const last = new Map<string, string>();
  let up = false;
  let wait = venue.everyMs;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function round(): Promise<void> {
    const listings = await venue.listings();
    const listed = new Set(listings);
    for (const listingId of last.keys()) {
      if (!listed.has(listingId)) {
        last.delete(listingId);
      }
    }
    for (let from = 0; from < listings.length && !closed; from += venue.batch) {
      if (from > 0 && venue.betweenMs !== undefined) {
        await sleep(venue.betweenMs);
      }
      const books = await venue.books(listings.slice(from, from + venue.batch), handlers);
      const changed = books.filter((book) => {
        const text = textOf(book);
        const differs = last.get(book.listingId) !== text;
        last.set(book.listingId, text);
        return differs;
      });
      if (changed.length > 0 && !closed) {
        handlers.books(changed);
      }
    }
  }

  async function turn(): Promise<void> {
    try {
      await round();
      if (closed) {
        return;
      }
      wait = venue.everyMs;
      if (!up) {
        up = true;
        handlers.up();
      }
      handlers.confirmed(new Date());
    } catch (error) {
      if (closed) {
        return;
      }
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      // The next poll reports all books again.
      last.clear();
      if (up) {
        up = false;
        handlers.down((error as Error).message);
      }
    }
  }

  let running = Promise.resolve();
  const start = () => {
    running = turn().finally(() => {
      if (!closed) {
        timer = setTimeout(start, wait);
      }
    });
  };
  start();
  return {
    get connected() {
      return up;
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function textOf(book: VenueBook): string {
  const side = (levels: VenueBook['bids']) =>
    levels.map((level) => `${level.priceMicros}:${level.quantityMicros}`).join();
  return `${side(book.bids)}|${side(book.asks)}`;
}
