/**
 * Follows one venue: reads the whole catalogue after each connection and at intervals, and takes books and changes as
 * they arrive. It passes them to the writer and keeps no prices itself. The adapter detects lost messages: it reports
 * the connection down, and up again with new books; the whole catalogue is then read again.
 */

import type { Logger } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { VenueChange } from '../../venues/listing.ts';
import type { Venue, Watch } from '../../venues/port.ts';
import type { BoardWrites } from './board-writes.ts';
import type { BookRow } from './ingest-rows.ts';
import { createKnownCatalogue } from './known-catalogue.ts';
import { createReportedBooks } from './reported-books.ts';
import { logSilence } from './silence-log.ts';
import { syncCatalogue } from './sync-catalogue.ts';
import { earlier } from './venue-rows.ts';

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
        // What was received while the catalogue was being read is newer than the catalogue.
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
      // The earlier of the venue's clock and ours: a venue whose clock is ahead must not confirm anything in the
      // future.
      confirmedAt = earlier(at, clock.now());
      reportFeed();
    },
    books: (books) => writeBooks(reported.take(books)),
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
  if (change.type === 'match' || change.type === 'coin') {
    return [];
  }
  const markets = change.type === 'event' ? change.event.markets : [change.market];
  return markets.map(({ listingId }) => listingId);
}
