/**
 * The newest state of one venue as this process reads it, for the followers in other cells: events, books, and whether the
 * connection is up. It keeps one value of each subject, so its memory is bounded by the size of the catalogue. No I/O.
 */
import { createHash } from 'node:crypto';
import type { VenueBook, VenueCatalogue, VenueChange, VenueEvent } from '../listing.ts';
import { writeJson } from './listing-json.ts';

/** Receives what changed; it reads the newest values from the publication when it can send them. */
export interface Subscriber {
  events(changed: readonly string[], gone: readonly string[]): void;
  books(listingIds: readonly string[]): void;
  read(number: number): void;
  up(): void;
  down(reason: string): void;
  confirmed(): void;
}

export interface Publication {
  readonly venue: string;
  readonly events: ReadonlyMap<string, VenueEvent>;
  /** Of the connection that is up; empty while there is none. */
  readonly books: ReadonlyMap<string, VenueBook>;
  readonly connected: boolean;
  /** How often the whole catalogue was read. */
  readonly reads: number;
  /** When the venue last sent something or confirmed its books, in milliseconds of `ticks`. */
  readonly aliveAt: number;
  /** False before this process began to read the venue, and after it ended. */
  readonly reading: boolean;
  subscribe(subscriber: Subscriber): () => void;
}

/** The side of the process that reads the venue. */
export interface PublicationWriter extends Publication {
  begin(): void;
  end(): void;
  takeCatalogue(catalogue: VenueCatalogue): void;
  takeChanges(changes: readonly VenueChange[]): void;
  takeBooks(books: readonly VenueBook[]): void;
  confirm(): void;
  rise(): void;
  fall(reason: string): void;
}

export function createPublication(venue: string, ticks: () => number): PublicationWriter {
  const events = new Map<string, VenueEvent>();
  const digests = new Map<string, string>();
  const books = new Map<string, VenueBook>();
  const subscribers = new Set<Subscriber>();
  const state = { connected: false, reading: false, reads: 0, aliveAt: 0 };

  function each(tell: (subscriber: Subscriber) => void): void {
    for (const subscriber of subscribers) {
      tell(subscriber);
    }
  }

  /** @returns whether it differs from what was known */
  function keep(event: VenueEvent): boolean {
    if (events.get(event.eventId) === event) {
      return false;
    }
    const digest = createHash('sha256').update(writeJson(event)).digest('base64url');
    const changed = digests.get(event.eventId) !== digest;
    events.set(event.eventId, event);
    digests.set(event.eventId, digest);
    return changed;
  }

  function withChange(change: VenueChange): VenueEvent | undefined {
    if (change.type === 'event') {
      return change.event;
    }
    const known = events.get(change.type === 'match' ? change.eventId : change.market.eventId);
    if (known === undefined || change.type === 'match') {
      // an unknown event makes the catalogue be read, which brings it
      return known && change.type === 'match' ? { ...known, liveMatch: change.liveMatch } : undefined;
    }
    const { market } = change;
    const others = known.markets.filter(({ listingId }) => listingId !== market.listingId);
    return others.length === known.markets.length
      ? { ...known, markets: [...known.markets, market] }
      : { ...known, markets: known.markets.map((one) => (one.listingId === market.listingId ? market : one)) };
  }

  return {
    venue,
    events,
    books,
    get connected() {
      return state.connected;
    },
    get reads() {
      return state.reads;
    },
    get aliveAt() {
      return state.aliveAt;
    },
    get reading() {
      return state.reading;
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    begin() {
      state.reading = true;
    },
    end() {
      state.reading = false;
      this.fall('the reader reads the venue no longer');
    },
    takeCatalogue(catalogue) {
      const listed = new Set(catalogue.events.map(({ eventId }) => eventId));
      const gone = [...events.keys()].filter((eventId) => !listed.has(eventId));
      for (const eventId of gone) {
        events.delete(eventId);
        digests.delete(eventId);
      }
      const changed = catalogue.events.filter(keep).map(({ eventId }) => eventId);
      const listings = new Set(catalogue.events.flatMap(({ markets }) => markets.map(({ listingId }) => listingId)));
      for (const listingId of books.keys()) {
        if (!listings.has(listingId)) {
          books.delete(listingId);
        }
      }
      state.reads += 1;
      each((one) => one.events(changed, gone));
      each((one) => one.read(state.reads));
    },
    takeChanges(changes) {
      const changed = changes
        .map(withChange)
        .filter((event) => event !== undefined)
        .filter(keep);
      each((one) =>
        one.events(
          changed.map(({ eventId }) => eventId),
          [],
        ),
      );
    },
    takeBooks(newest) {
      // a cell of the release before refuses what it does not know
      for (const { traded: _, ...book } of newest) {
        const known = books.get(book.listingId);
        if (known === undefined || book.sequence >= known.sequence) {
          books.set(book.listingId, book);
        }
      }
      state.aliveAt = ticks();
      each((one) => one.books(newest.map(({ listingId }) => listingId)));
    },
    confirm() {
      state.aliveAt = ticks();
      each((one) => one.confirmed());
    },
    rise() {
      state.connected = true;
      each((one) => one.up());
    },
    fall(reason) {
      state.connected = false;
      books.clear();
      each((one) => one.down(reason));
    },
  };
}
