/**
 * Follows one venue: reads the whole catalogue after each connection and at intervals, passes books and changes to the
 * writer as they arrive, and keeps no prices. The adapter detects lost messages. It then reports the connection down,
 * and up again with new books, and the whole catalogue is read again.
 */
import type { Logger } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { VenueBook, VenueChange } from '../../venues/listing.ts';
import { type Venue, VenueUnknown, type Watch } from '../../venues/port.ts';
import type { BoardWrites } from './board-writes.ts';
import { type BookRow, bookRow, earlier } from './ingest-rows.ts';
import { createKnownCatalogue, syncCatalogue } from './sync-catalogue.ts';

interface FollowOptions {
  readonly venue: Venue;
  /** Index of the venue in the deployment's list of venues. */
  readonly rank: number;
  readonly writes: BoardWrites;
  readonly clock: Clock;
  readonly log: Logger;
  /** The whole catalogue is read this often, if no change requires it earlier. */
  readonly resyncMs?: number;
}

export interface Following {
  close(): Promise<void>;
}

const RESYNC_MS = 60_000;
/** A venue whose feed cannot be followed is read after this time. */
const UNFOLLOWED_MS = 3_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;

/** Resolves once the connection to the venue was requested. Everything else happens in the background. */
export async function followVenue(options: FollowOptions): Promise<Following> {
  const { venue, rank, writes, clock, log } = options;
  const silence = logSilence(log, venue.name);
  const known = createKnownCatalogue(venue, rank, writes);
  const reported = createReportedBooks(venue.name, clock, known.lists);
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

  function reportFeed(): void {
    writes.feed({
      venue: venue.name,
      connected,
      session: reported.session,
      confirmedAt,
      lastSyncAt,
    });
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
        known.replace(catalogue.events);
        // Changes that were received while the catalogue was being read are newer than it.
        const newer = meanwhile ?? [];
        meanwhile = null;
        takeChanges(newer);
        reported.forgetUnlisted();
        const sizes = { ...known.sizes, ...reported.sizes, remembered: writes.remembered };
        log.debug({ venue: venue.name, ...sizes }, 'read the catalogue');
        return newer.flatMap(listingsNamed);
      });
      silence.answered();
      lastSyncAt = clock.now();
      reportFeed();
      if (withdrawn + invalid > 0) {
        log.warn(
          { venue: venue.name, withdrawn, invalid },
          'ignored invalid entries of the catalogue, and paused contracts that it no longer lists',
        );
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

  function takeChanges(changes: readonly VenueChange[]): void {
    for (const change of changes) {
      if (!known.take(change)) {
        sync();
      }
    }
    writeBooks(reported.takeEarly());
  }

  function writeBooks(rows: readonly BookRow[]): void {
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
      reportFeed();
      sync();
    },
    down(reason) {
      connected = false;
      reported.endSession();
      reportFeed();
      wasDown = true;
      if (!closed) {
        log.warn({ venue: venue.name, reason }, 'the connection to the venue is down');
      }
    },
    confirmed(at) {
      if (!connected) {
        return;
      }
      // If the clock of the venue is ahead, it must not confirm books in the future.
      confirmedAt = earlier(at, clock.now());
      reportFeed();
    },
    books: (books) => writeBooks(reported.take(books)),
    changes(changes) {
      meanwhile?.push(...changes);
      takeChanges(changes);
    },
    invalid: (evidence) =>
      log.warn(
        { venue: venue.name, about: evidence.about, reason: evidence.reason },
        'ignored invalid data from the venue',
      ),
  });
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
  if (change.type === 'match' || change.type === 'coin') {
    return [];
  }
  const markets = change.type === 'event' ? change.event.markets : [change.market];
  return markets.map(({ listingId }) => listingId);
}

/** Within this time a venue that runs beside the service has registered its address, even on a busy machine. */
const STARTING_MS = 30_000;
const WARN_EVERY_MS = 60_000;

interface SilenceLog {
  /** The venue could not be read. */
  failed(error: unknown): void;
  /** The venue was read. */
  answered(): void;
}

/**
 * Reports a venue that does not respond in the log: once at level info while it may still be starting, then with one warning per minute.
 * @param startingMs how long a venue that has never responded may take to start
 */
export function logSilence(log: Logger, venue: string, startingMs = STARTING_MS): SilenceLog {
  const begunAt = performance.now();
  let everAnswered = false;
  let toldCalmly = false;
  let silentSince: number | undefined;
  let warnedAt: number | undefined;

  return {
    failed(error) {
      const now = performance.now();
      silentSince ??= now;
      if (!(error instanceof VenueUnknown)) {
        log.warn({ err: error, venue }, 'could not read the catalogue; will retry');
        return;
      }
      const why = error.message;
      if (!everAnswered && error.evidence === null && now - begunAt < startingMs) {
        log[toldCalmly ? 'debug' : 'info']({ venue, why }, 'the venue does not answer yet; will retry');
        toldCalmly = true;
      } else if (warnedAt === undefined || now - warnedAt >= WARN_EVERY_MS) {
        warnedAt = now;
        const silentSeconds = Math.round((now - silentSince) / 1_000);
        log.warn({ venue, why, silentSeconds }, 'the catalogue cannot be read; its prices are ageing');
      }
    },
    answered() {
      if (warnedAt !== undefined) {
        log.info({ venue }, 'the catalogue can be read again');
      }
      everAnswered = true;
      silentSince = undefined;
      warnedAt = undefined;
    },
  };
}

interface ReportedBooks {
  /**
   * Identifies the connection that delivers books; null before its first book. Books of the previous connection age
   * from the end of that connection.
   */
  readonly session: number | null;
  /** @returns the rows to be written */
  take(books: readonly VenueBook[]): BookRow[];
  /** @returns the rows of books that were received before their listings, for listings that are known now */
  takeEarly(): BookRow[];
  /** The connection ended. */
  endSession(): void;
  /** Forgets listings that the catalogue no longer contains, so that memory is bounded by the size of the catalogue. */
  forgetUnlisted(): void;
  readonly sizes: { readonly sequences: number; readonly early: number };
}

/**
 * Decides which books of a venue are written: those of listings that the catalogue contains, if they are newer than the
 * last one of the same connection. Books of listings that the catalogue does not contain yet are kept for a while.
 *
 * @param isListed whether the catalogue contains this listing, by the venue's id
 */
function createReportedBooks(venue: string, clock: Clock, isListed: (listingId: string) => boolean): ReportedBooks {
  const sequences = new Map<string, bigint>();
  /**
   * Books of listings that the catalogue does not contain yet. They are dropped if two further reads do not add the
   * listing.
   */
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
