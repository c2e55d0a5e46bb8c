/**
 * Knows whether orders may be sent to a venue now: the clocks of database, venue and this process agree, and our account there
 * was compared with these very books. It beats in the database once a second, and watches each venue that has an account.
 */
import type { SendGate } from '../../trading/execution/send-gate.ts';
import type { Venue } from '../../venues/port.ts';
import { logFailures } from '../failure-log.ts';
import { startPeriodicJob } from '../periodic-job.ts';
import { type BooksBeatPorts, createBooksBeat } from './books-beat.ts';
import { type WatchedVenue, type WatchedVenuePorts, watchVenue } from './watched-venue.ts';

const INTERVAL_MS = 1_000;

export interface VenueWatchPorts extends WatchedVenuePorts, BooksBeatPorts {}

export interface VenueWatch extends Omit<SendGate, 'spend' | 'hold'> {
  /** Why nothing can be sent to the venue now, but for a stop of trading; null if it can, or if the venue is only read. */
  hindrance(venue: string): string | null;
  close(): Promise<void>;
}

/** @param onOpen sending to a venue became possible. */
export async function watchVenues(
  ports: VenueWatchPorts,
  venues: readonly Venue[],
  onOpen: () => void,
): Promise<VenueWatch> {
  const books = createBooksBeat(ports);
  const trouble = logFailures(ports.log, 'venue-watch', 'the database cannot be checked for lost commits');
  await books.beat().then(trouble.over, trouble.failed);
  const beating = startPeriodicJob({
    everyMs: INTERVAL_MS,
    firstMs: INTERVAL_MS,
    run: books.beat,
    failed: trouble.failed,
    over: trouble.over,
  });
  const watched = new Map<string, WatchedVenue>();
  for (const venue of venues) {
    if (venue.account !== null) {
      watched.set(venue.name, watchVenue(ports, books, venue, venue.account, onOpen));
    }
  }

  async function booksAreCompared(name: string): Promise<boolean> {
    try {
      await books.beat();
    } catch {
      return false;
    }
    const now = books.books();
    return now !== undefined && watched.get(name)?.comparedWith() === now;
  }

  return {
    shut: (name) => {
      const venue = watched.get(name);
      return venue === undefined ? 'the venue is only read' : venue.shut();
    },
    hindrance: (name) => watched.get(name)?.hindrance() ?? null,
    paused: (name) => watched.get(name)?.paused() ?? false,
    pause: (name, ms) => watched.get(name)?.pause(ms),
    clocksAgree: (name) => books.clockAgrees() && watched.get(name)?.clockAgrees() === true,
    booksAreCompared,
    close: async () => {
      await Promise.all([beating.close(), ...[...watched.values()].map((venue) => venue.close())]);
    },
  };
}
