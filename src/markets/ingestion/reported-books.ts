/**
 * Which books that a venue sent are passed on: those of listings that the catalogue contains, each only if it is newer
 * than the last one of its connection. Keeps no prices, except of listings that the catalogue does not contain yet.
 */
import type { Clock } from '../../core/time.ts';
import type { VenueBook } from '../../venues/listing.ts';
import type { BookRow } from './ingest-rows.ts';
import { bookRow } from './venue-rows.ts';

export interface ReportedBooks {
  /**
   * Identifies the connection that delivers books; null before its first one. Books of the previous connection age from
   * its end.
   */
  readonly session: number | null;
  /** @returns the rows to be written */
  take(books: readonly VenueBook[]): BookRow[];
  /** @returns the rows of books that were received before their listings, for listings that are known now */
  takeEarly(): BookRow[];
  /** The connection ended. */
  endSession(): void;
  /** Memory is bounded by the size of the catalogue, however many listings are added and removed. */
  forgetUnlisted(): void;
  readonly sizes: { readonly sequences: number; readonly early: number };
}

/** @param isListed whether the catalogue contains this listing, by the venue's id */
export function createReportedBooks(
  venue: string,
  clock: Clock,
  isListed: (listingId: string) => boolean,
): ReportedBooks {
  const sequences = new Map<string, bigint>();
  /** Books of listings that the catalogue does not contain yet; they are dropped after two further reads. */
  const early = new Map<string, VenueBook>();
  let older = new Set<string>();
  let session: number | null = null;
  let lastSession = 0;

  function take(books: readonly VenueBook[]): BookRow[] {
    if (books.length === 0) {
      return [];
    }
    const now = clock.now();
    if (session === null) {
      lastSession = Math.max(lastSession + 1, now.getTime());
      session = lastSession;
      sequences.clear();
    }
    const rows: BookRow[] = [];
    for (const book of books) {
      if (!isListed(book.listingId)) {
        early.set(book.listingId, book);
        continue;
      }
      const last = sequences.get(book.listingId);
      if (last !== undefined && book.sequence < last) {
        continue;
      }
      sequences.set(book.listingId, book.sequence);
      rows.push(bookRow(venue, session, now, book));
    }
    return rows;
  }

  return {
    get session() {
      return session;
    },
    take,
    takeEarly() {
      const ready = [...early.values()].filter(({ listingId }) => isListed(listingId));
      for (const { listingId } of ready) {
        early.delete(listingId);
      }
      return take(ready);
    },
    endSession() {
      session = null;
    },
    forgetUnlisted() {
      for (const listingId of sequences.keys()) {
        if (!isListed(listingId)) {
          sequences.delete(listingId);
        }
      }
      for (const listingId of older) {
        early.delete(listingId);
      }
      older = new Set(early.keys());
    },
    get sizes() {
      return { sequences: sequences.size, early: early.size };
    },
  };
}
