/**
 * Follows Polymarket over its market channel, with several connections where one may not follow all books, and the events of
 * markets whose terms or state changed. While a connection is down for longer than a moment, the books are polled over REST.
 */
import { openChangesReader } from '../../followed.ts';
import type { Invalid, VenueBook, VenueEvent } from '../../listing.ts';
import { openPollingFallback } from '../../polling-fallback.ts';
import type { PolledVenue } from '../../polling-watch.ts';
import type { Watch, WatchHandlers } from '../../port.ts';
import type { Note } from '../../unknowns.ts';
import type { BookReader } from './book-readings.ts';
import { type BookStream, openBookStream } from './book-stream.ts';
import type { StreamedBook } from './kept-books.ts';
import { createTradedSums } from './traded.ts';

/** Of 500, above which the exchange sends a connection nothing more (seen by its clients, not documented). */
const MOST_TOKENS = 400;
/** How often it is looked whether the catalogue lists other markets, and after a failure. */
const LISTINGS_MS = 1_000;
const RETRY_MS = 5_000;

export interface StreamedVenue {
  /** Origin of the stream. */
  readonly url: string;
  readonly polled: PolledVenue;
  /** @param invalid takes books that do not fit */
  read(tokens: readonly string[], invalid: (evidence: Invalid) => void): ReturnType<BookReader>;
  /** The events of these markets as they are now. */
  events(tokens: readonly string[]): Promise<readonly VenueEvent[]>;
  book(book: StreamedBook, asOf: Date | undefined): VenueBook;
  readonly note: Note;
}

interface Part {
  readonly stream: BookStream;
  ready: boolean;
  aliveAt: Date;
}

export function watchPolymarket(venue: StreamedVenue, handlers: WatchHandlers): Watch {
  const fallback = openPollingFallback(venue.polled, handlers);
  const parts: Part[] = [];
  const changed = openChangesReader(venue.events, handlers);
  const traded = createTradedSums();
  let closed = false;

  function openPart(tokens: readonly string[]): void {
    const part: { -readonly [Key in keyof Part]: Part[Key] } = {
      ready: false,
      aliveAt: new Date(),
      stream: openBookStream({ url: venue.url, read: (some) => venue.read(some, handlers.invalid) }, tokens, {
        book: (book, doubtedSince) =>
          handlers.books([{ ...venue.book(book, doubtedSince), traded: traded.of(book.asset_id) }]),
        traded: (trade) => traded.take(trade),
        ready() {
          part.ready = true;
          rise();
        },
        alive(at) {
          part.aliveAt = at;
          if (fallback.streams) {
            handlers.confirmed(new Date(Math.min(...parts.map(({ aliveAt }) => aliveAt.getTime()))));
          }
        },
        ended(reason) {
          part.ready = false;
          fallback.streamDown(reason);
        },
        changed: changed.add,
        invalid: handlers.invalid,
        note: venue.note,
      }),
    };
    parts.push(part);
  }

  function rise(): void {
    if (parts.every(({ ready }) => ready)) {
      fallback.streamUp().catch((error: Error) => fallback.streamDown(error.message));
    }
  }

  /** Follows what the newest catalogue lists. */
  async function relist(): Promise<void> {
    const listed = new Set(await venue.polled.listings());
    if (closed) {
      return;
    }
    traded.keep(listed);
    for (const { stream } of parts) {
      const gone = [...stream.tokens].filter((token) => !listed.has(token));
      if (gone.length > 0) {
        stream.remove(gone);
      }
      for (const token of stream.tokens) {
        listed.delete(token);
      }
    }
    const more = [...listed];
    for (const { stream } of parts) {
      const some = more.splice(0, Math.max(0, MOST_TOKENS - stream.tokens.size));
      if (some.length > 0) {
        stream.add(some);
      }
    }
    while (more.length > 0) {
      openPart(more.splice(0, MOST_TOKENS));
    }
  }

  let listing: NodeJS.Timeout | undefined;
  function list(): void {
    relist().then(
      () => again(LISTINGS_MS),
      () => again(RETRY_MS),
    );
  }
  function again(ms: number): void {
    if (!closed) {
      listing = setTimeout(list, ms);
    }
  }
  list();

  return {
    get connected() {
      return fallback.connected;
    },
    async close() {
      closed = true;
      clearTimeout(listing);
      changed.close();
      for (const { stream } of parts) {
        stream.close();
      }
      await fallback.close();
    },
  };
}
