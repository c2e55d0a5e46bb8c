/**
 * Follows one venue: reads the whole catalogue after each connection and at intervals, and takes books and changes as
 * they arrive. It passes them to the writer and keeps no prices itself. The adapter detects lost messages: it reports
 * the connection down, and up again with new books; the whole catalogue is then read again.
 */
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import type { VenueBook, VenueChange, VenueEvent } from '../../venues/listing.ts';
import type { Venue, Watch } from '../../venues/port.ts';
import { eventIdOf } from '../identity.ts';
import type { BoardWrites } from './board-writes.ts';
import { logSilence } from './silence-log.ts';
import { syncCatalogue } from './sync-catalogue.ts';
import { type BookRow, bookRow, contractRow, earlier, eventRow } from './venue-rows.ts';

export interface FollowOptions {
  readonly venue: Venue;
  /** Index of the venue in the deployment's list of venues. */
  readonly rank: number;
  readonly writes: BoardWrites;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often the whole catalogue is read if nothing requires it earlier. */
  readonly resyncMs?: number;
}

export interface Following {
  close(): Promise<void>;
}

const RESYNC_MS = 60_000;
const UNFOLLOWED_MS = 3_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;

/** Resolves once the venue's connection was requested; everything else happens in the background. */
export async function followVenue(options: FollowOptions): Promise<Following> {
  const { venue, rank, writes, clock, log } = options;
  const silence = logSilence(log, venue.name);
  const events = new Map<string, VenueEvent>();
  const listings = new Map<string, string>();
  /** Books of listings that the catalogue does not contain yet; they are dropped after two further reads. */
  const early = new Map<string, VenueBook>();
  let older = new Set<string>();
  const sequences = new Map<string, bigint>();
  /**
   * Identifies the connection that delivers books; null before the first one. Books of the previous one age from its
   * end.
   */
  let session: number | null = null;
  let lastSession = 0;
  let connected = false;
  let wasDown = false;
  let confirmedAt: Date | null = null;
  let lastSyncAt: Date | null = null;
  let closed = false;
  let syncing: Promise<void> | undefined;
  let syncAgain = false;
  /** Changes received while a catalogue was being read; null if none is being read. */
  let meanwhile: VenueChange[] | null = null;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  function sayFeed(): void {
    writes.feed({ venue: venue.name, connected, session, confirmed_at: confirmedAt, last_sync_at: lastSyncAt });
  }

  function sync(): void {
    if (closed) {
      return;
    }
    clearTimeout(timer);
    if (syncing !== undefined) {
      syncAgain = true;
      return;
    }
    syncing = syncOnce().finally(() => {
      syncing = undefined;
      if (closed) {
        return;
      }
      if (syncAgain) {
        syncAgain = false;
        sync();
      }
    });
  }

  async function syncOnce(): Promise<void> {
    try {
      meanwhile = [];
      const { withdrawn, invalid } = await syncCatalogue(venue, rank, writes, (catalogue) => {
        events.clear();
        listings.clear();
        for (const event of catalogue.events) {
          learn(event);
        }
        // What was received while the catalogue was being read is newer than the catalogue.
        const newer = meanwhile ?? [];
        meanwhile = null;
        takeChanges(newer);
        forgetUnlisted();
        return newer.flatMap(listingsNamed);
      });
      silence.answered();
      lastSyncAt = clock.now();
      sayFeed();
      if (withdrawn + invalid > 0) {
        log.warn({ venue: venue.name, withdrawn, invalid }, 'some entries of the catalogue were invalid or withdrawn');
      }
      retryMs = FIRST_RETRY_MS;
      if (!closed) {
        timer = setTimeout(sync, options.resyncMs ?? RESYNC_MS);
      }
    } catch (error) {
      if (closed) {
        return;
      }
      silence.failed(error);
      timer = setTimeout(sync, retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Memory is bounded by the size of the catalogue, however many listings are added and removed. */
  function forgetUnlisted(): void {
    for (const listingId of sequences.keys()) {
      if (!listings.has(listingId)) {
        sequences.delete(listingId);
      }
    }
    for (const listingId of older) {
      early.delete(listingId);
    }
    older = new Set(early.keys());
    const held = { events: events.size, listings: listings.size, sequences: sequences.size, early: early.size };
    log.debug({ venue: venue.name, ...held, remembered: writes.remembered }, 'read the catalogue');
  }

  function learn(event: VenueEvent): void {
    events.set(event.eventId, event);
    for (const { listingId } of event.markets) {
      listings.set(listingId, event.eventId);
    }
  }

  function takeEvent(event: VenueEvent): void {
    learn(event);
    const place = { eventId: eventIdOf(venue.name, event.eventId, event.groupKey), category: event.category };
    writes.events([eventRow(venue.name, rank, event)]);
    writes.contracts(event.markets.map((market, position) => contractRow(venue, rank, place, position, market)));
  }

  function takeChanges(changes: readonly VenueChange[]): void {
    for (const change of changes) {
      takeChange(change);
    }
    if (early.size > 0) {
      flushEarly();
    }
  }

  function takeChange(change: VenueChange): void {
    if (change.type === 'event') {
      takeEvent(change.event);
      return;
    }
    const event = events.get(change.type === 'match' ? change.eventId : change.market.eventId);
    if (event === undefined) {
      sync();
    } else if (change.type === 'match') {
      takeEvent({ ...event, liveMatch: change.liveMatch });
    } else {
      const { market } = change;
      const known = event.markets.some(({ listingId }) => listingId === market.listingId);
      takeEvent({
        ...event,
        markets: known
          ? event.markets.map((other) => (other.listingId === market.listingId ? market : other))
          : [...event.markets, market],
      });
    }
  }

  function flushEarly(): void {
    const ready = [...early.values()].filter(({ listingId }) => listings.has(listingId));
    for (const { listingId } of ready) {
      early.delete(listingId);
    }
    takeBooks(ready);
  }

  function takeBooks(books: readonly VenueBook[]): void {
    if (books.length === 0) {
      return;
    }
    const now = clock.now();
    if (session === null) {
      lastSession = Math.max(lastSession + 1, now.getTime());
      session = lastSession;
      sequences.clear();
    }
    const rows: BookRow[] = [];
    for (const book of books) {
      if (!listings.has(book.listingId)) {
        early.set(book.listingId, book);
        continue;
      }
      const last = sequences.get(book.listingId);
      if (last !== undefined && book.sequence < last) {
        continue;
      }
      sequences.set(book.listingId, book.sequence);
      rows.push(bookRow(venue.name, session, now, book));
    }
    if (rows.length > 0) {
      writes.books(rows);
    }
  }

  const watch: Watch = await venue.watch({
    up() {
      if (wasDown) {
        log.info({ venue: venue.name }, 'the connection to the venue is up again');
      }
      wasDown = false;
      connected = true;
      sayFeed();
      sync();
    },
    down(reason) {
      connected = false;
      session = null;
      sayFeed();
      wasDown = true;
      if (!closed) {
        log.warn({ venue: venue.name, reason }, 'the connection to the venue is down');
      }
    },
    confirmed(at) {
      if (!connected) {
        return;
      }
      // The earlier of the venue's clock and ours: a venue whose clock is ahead must not confirm anything in the
      // future.
      confirmedAt = earlier(at, clock.now());
      sayFeed();
    },
    books: takeBooks,
    changes(changes) {
      meanwhile?.push(...changes);
      takeChanges(changes);
    },
    invalid: (evidence) =>
      log.warn({ venue: venue.name, about: evidence.about, reason: evidence.reason }, 'unfit data'),
  });
  // A venue whose feed cannot be followed is still read if it answers.
  if (lastSyncAt === null && syncing === undefined) {
    timer = setTimeout(sync, UNFOLLOWED_MS);
  }

  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await watch.close();
      await syncing;
    },
  };
}

function listingsNamed(change: VenueChange): string[] {
  if (change.type === 'match') {
    return [];
  }
  const markets = change.type === 'event' ? change.event.markets : [change.market];
  return markets.map(({ listingId }) => listingId);
}
