/**
 * Knows whether orders may be sent to a venue now: the clocks of database, venue and this process agree, and our account there
 * was compared with these very books. It beats in the database once a second, and watches each venue that has an account.
 */
import type { Logger } from '../core/log.ts';
import { type Clock, type ClockOffset, measureOffset, offsetNow, type Ticks } from '../core/time.ts';
import type { Beat, Witness } from '../db/books-witness.ts';
import type { Sql } from '../db/client.ts';
import { type ComparePorts, compareAccount } from '../trading/account/compare-account.ts';
import { makeDueSoon } from '../trading/account/our-side.ts';
import { recordPause } from '../trading/account/venue-facts.ts';
import { listStops, type TradingStop } from '../trading/account/venue-findings.ts';
import type { SendGate } from '../trading/execution/send-gate.ts';
import type { Venue, VenueAccount } from '../venues/port.ts';
import { logFailures, startPeriodicJob } from './periodic-job.ts';

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

interface BooksBeatPorts extends Clocks {
  readonly sql: Sql;
  readonly log: Logger;
  readonly witness: Witness;
}

interface BooksBeat {
  /** Reads the clock of the database, the books and the stops. @throws if the database does not answer */
  beat(): Promise<void>;
  /** Reads the stops alone. */
  readStops(): Promise<void>;
  /** The server, timeline and epoch of the books at the last beat; undefined before the first. */
  books(): string | undefined;
  /** Whether the clock of the database is known to agree with ours. */
  clockAgrees(): boolean;
  stopOf(venue: string): TradingStop | undefined;
}

/**
 * What a worker knows of the books: which they are, how far the clock of the database is away, and at which venues trading has
 * stopped. It beats in the database, and the watches of venues read it. Decides nothing.
 */
function createBooksBeat(ports: BooksBeatPorts): BooksBeat {
  const { sql, log, witness } = ports;
  let database: ClockOffset | undefined;
  let books: string | undefined;
  let stops = new Map<string, TradingStop>();
  let beats: Promise<void> = Promise.resolve();

  async function readStops(): Promise<void> {
    stops = new Map((await listStops(sql)).map((stop) => [stop.venue, stop]));
  }

  async function beatOnce(): Promise<void> {
    let heartbeat: Beat | undefined;
    database = await measureOffset(ports, async () => {
      heartbeat = await witness.beat();
      return heartbeat.at;
    });
    if (heartbeat?.lost) {
      log.fatal(
        { epoch: heartbeat.epoch },
        'the database lost commits that it had acknowledged; a new epoch of the books begins',
      );
    } else if (books !== undefined && heartbeat?.books !== books) {
      log.warn(
        { books: heartbeat?.books },
        'the books are on another server; venues are compared before anything is sent',
      );
    }
    books = heartbeat?.books;
    await readStops();
  }

  return {
    // one after the other: what the witness has seen is one file
    beat: () => {
      const next = beats.then(beatOnce);
      beats = next.catch(() => undefined);
      return next;
    },
    readStops,
    books: () => books,
    clockAgrees: () => agrees(database, DATABASE_GOOD_MS, ports),
    stopOf: (venue) => stops.get(venue),
  };
}

const COMPARE_MS = 10_000;
const TIME_MS = 5_000;

interface WatchedVenuePorts extends ComparePorts, Clocks {}

interface WatchedVenue {
  /** Why nothing may be sent there now; null if orders may be sent. */
  shut(): string | null;
  /** The same, but for a stop of trading. */
  hindrance(): string | null;
  /** Whether the venue asked us to wait. */
  paused(): boolean;
  /** Records that the venue asked us to wait for this many milliseconds. */
  pause(ms: number): void;
  /** Whether its clock is known to agree with ours. */
  clockAgrees(): boolean;
  /** The books that its account was compared with last. */
  comparedWith(): string | undefined;
  close(): Promise<void>;
}

/**
 * Watches one venue with an account: asks it for its time, compares the account with the books, and knows why nothing may be sent
 * there now. It compares at the start, when the books changed their server or lost commits, and every few seconds.
 *
 * @param onOpen sending to the venue became possible.
 */
function watchVenue(
  ports: WatchedVenuePorts,
  beat: BooksBeat,
  venue: Venue,
  account: VenueAccount,
  onOpen: () => void,
): WatchedVenue {
  const { ticks, log, sql } = ports;
  const { name } = venue;
  let offset: ClockOffset | undefined;
  let compared: { readonly books: string; readonly tick: number } | undefined;
  let pausedUntil = 0;
  /** Whether the venue takes no orders now, as it says. */
  let tradingPaused = false;
  /** Time of the stop for which the switch at the venue was turned. */
  let haltedFor: number | undefined;
  let open = false;

  const paused = (): boolean => pausedUntil > ticks();
  const clockAgrees = (): boolean => agrees(offset, VENUE_GOOD_MS, ports);

  function hindrance(): string | null {
    if (paused()) {
      return 'the venue asked to be left alone';
    }
    if (!beat.clockAgrees()) {
      return 'the clocks of database and worker do not agree';
    }
    if (!clockAgrees()) {
      return 'the clocks of venue and worker do not agree';
    }
    if (compared?.books !== beat.books()) {
      return 'the account there was not compared yet';
    }
    if (tradingPaused) {
      return 'the venue has paused trading';
    }
    return null;
  }

  function shut(): string | null {
    const hindered = hindrance();
    if (hindered !== null) {
      return hindered;
    }
    const stop = beat.stopOf(name);
    return stop === undefined ? null : `trading there has stopped because of ${stop.because}`;
  }

  function notice(): void {
    const why = shut();
    if ((why === null) === open) {
      return;
    }
    open = why === null;
    if (open) {
      onOpen();
    } else {
      log.warn({ venue: name, why }, 'nothing is sent to the venue now');
    }
  }

  async function readTime(): Promise<ClockOffset> {
    const read = await measureOffset(ports, () => account.serverTime());
    await readPause();
    offset = read;
    return read;
  }

  /** During its maintenance a venue is still compared and asked about orders. */
  async function readPause(): Promise<void> {
    const before = tradingPaused;
    tradingPaused = (await account.tradingPaused?.()) ?? false;
    if (before || tradingPaused) {
      await recordPause(sql, name, tradingPaused);
    }
  }

  /** A comparison may take longer than a reading of the clock is good for, so it is read beside it: look-ups depend on it. */
  async function keepTime(): Promise<void> {
    if (!paused() && (offset === undefined || ticks() - offset.tick >= TIME_MS)) {
      await readTime();
      notice();
    }
  }

  async function compare(): Promise<void> {
    if (paused()) {
      return;
    }
    const { offsetMs } = offset ?? (await readTime());
    const books = beat.books();
    if (books !== undefined && (compared?.books !== books || ticks() - compared.tick >= COMPARE_MS)) {
      await compareAccount(ports, venue, offsetMs);
      await beat.readStops();
      compared = { books, tick: ticks() };
    }
    notice();
    await turnSwitch();
  }

  /** A stop of trading also turns the switch at the venue, if it has one; the person who resumes trading turns it back. */
  async function turnSwitch(): Promise<void> {
    const stoppedAt = beat.stopOf(name)?.stoppedAt.getTime();
    if (stoppedAt !== undefined && stoppedAt !== haltedFor && account.halt !== undefined) {
      await account.halt();
      log.warn({ venue: name }, 'the venue takes no more orders of ours');
    }
    haltedFor = stoppedAt;
  }

  const trouble = logFailures(log, 'venue-watch', `the account at ${name} cannot be read`);
  const clockTrouble = logFailures(log, 'venue-watch', `the clock of ${name} cannot be read`);
  const pushTrouble = logFailures(log, 'venue-watch', `what ${name} pushed cannot be looked up soon`);

  /** A push without ids says only that something changed: which order it was is found by comparing. */
  function pushed(ids: readonly string[]): void {
    if (ids.length === 0) {
      compared = compared && { ...compared, tick: ticks() - COMPARE_MS };
    } else {
      makeDueSoon(sql, name, ids).then(pushTrouble.over, pushTrouble.failed);
    }
  }

  const following = account.follow?.(pushed);
  const failing = (log: { failed(error: unknown): void }) => (error: unknown) => {
    notice();
    log.failed(error);
  };
  const jobs = [
    startPeriodicJob({
      everyMs: INTERVAL_MS,
      firstMs: INTERVAL_MS,
      run: keepTime,
      failed: failing(clockTrouble),
      over: clockTrouble.over,
    }),
    startPeriodicJob({ everyMs: INTERVAL_MS, run: compare, failed: failing(trouble), over: trouble.over }),
  ];

  return {
    shut,
    hindrance,
    paused,
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, ticks() + ms);
    },
    clockAgrees,
    comparedWith: () => compared?.books,
    close: async () => {
      following?.close();
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

// Whether another clock, of the database or of a venue, is known to agree with the clock of this process.

/** A reading of a clock that is older says nothing any more. */
const DATABASE_GOOD_MS = 10_000;
const VENUE_GOOD_MS = 30_000;
const MOST_SKEW_MS = 2_000;

interface Clocks {
  readonly clock: Clock;
  readonly ticks: Ticks;
}

/**
 * @param offset what was measured last; undefined if it never was.
 * @param goodMs how long that is good for, in milliseconds.
 */
function agrees(offset: ClockOffset | undefined, goodMs: number, clocks: Clocks): boolean {
  return (
    offset !== undefined &&
    clocks.ticks() - offset.tick < goodMs &&
    offset.errorMs < MOST_SKEW_MS &&
    Math.abs(offsetNow(offset, clocks)) - offset.errorMs <= MOST_SKEW_MS
  );
}
