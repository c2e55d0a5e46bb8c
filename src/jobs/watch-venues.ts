/**
 * Decides whether orders may be sent to a venue now: the clocks of the database, the venue and this process agree, and our
 * account there was compared with the current books. It checks the database once a second, and watches each venue with an
 * account.
 */
import type { Logger } from '../core/log.ts';
import { type Clock, type ClockOffset, measureOffset, offsetNow, type Ticks } from '../core/time.ts';
import type { Beat, Witness } from '../db/books-witness.ts';
import type { Sql } from '../db/client.ts';
import { logFailures } from '../db/failure-log.ts';
import { type ComparePorts, compareAccount } from '../trading/account/compare-account.ts';
import { makeDueSoon } from '../trading/account/our-side.ts';
import { recordPause } from '../trading/account/venue-facts.ts';
import { listStops, type TradingStop } from '../trading/account/venue-findings.ts';
import type { SendGate } from '../trading/execution/send-gate.ts';
import { MOST_SKEW_MS } from '../venues/adapter.ts';
import { type Venue, type VenueAccount, VenueUnknown } from '../venues/port.ts';
import { startPeriodicJob } from './periodic-job.ts';

const INTERVAL_MS = 1_000;
/** How long pushes are gathered. Most are of an order whose response is being recorded, which then needs no look-up. */
const GATHER_MS = 100;

const isVenueSilent = (error: unknown): boolean => error instanceof VenueUnknown;

interface VenueWatchPorts extends WatchedVenuePorts, BooksBeatPorts {}

export interface VenueWatch extends Omit<SendGate, 'spend' | 'hold'> {
  /**
   * Why no order can be sent to the venue now, apart from a stop of trading.
   * @returns null if orders can be sent, or if the venue is only read
   */
  hindrance(venue: string): string | null;
  close(): Promise<void>;
}

/** @param onOpen called when sending to a venue becomes possible */
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
  /**
   * Reads the clock of the database, the books and the stops.
   * @throws if the database does not respond
   */
  beat(): Promise<void>;
  /** Reads only the stops. */
  readStops(): Promise<void>;
  /** The server, timeline and epoch of the books at the last beat; undefined before the first. */
  books(): string | undefined;
  /** Whether the clock of the database is known to agree with ours. */
  clockAgrees(): boolean;
  stopOf(venue: string): TradingStop | undefined;
}

/**
 * Keeps the facts about the books that a worker needs: their server and epoch, the offset of the database's clock, and the
 * venues at which trading has stopped. The watches of the venues read it.
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
        'the database lost commits that it had acknowledged; the database epoch rises',
      );
    } else if (books !== undefined && heartbeat?.books !== books) {
      log.warn(
        { books: heartbeat?.books },
        'the database moved to another server; orders wait until the venue accounts have been compared',
      );
    }
    books = heartbeat?.books;
    await readStops();
  }

  return {
    // One after another, because the witness keeps its state in one file.
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
  /** Why no order may be sent to the venue now; null if orders may be sent. */
  shut(): string | null;
  /** The same, apart from a stop of trading. */
  hindrance(): string | null;
  /** Whether the venue demanded a wait. */
  paused(): boolean;
  /** Records that the venue demanded a wait of this many milliseconds. */
  pause(ms: number): void;
  /** Whether its clock is known to agree with ours. */
  clockAgrees(): boolean;
  /** The books with which its account was last compared. */
  comparedWith(): string | undefined;
  close(): Promise<void>;
}

/**
 * Watches one venue with an account: reads its clock, and compares the account with the books at the start, when the books
 * have moved to another server or lost commits, and every few seconds.
 * @param onOpen called when sending to the venue becomes possible
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
  /** Whether the venue reports that it takes no orders now. */
  let tradingPaused = false;
  /** Time of the stop for which trading was halted at the venue. */
  let haltedFor: number | undefined;
  let open = false;

  const paused = (): boolean => pausedUntil > ticks();
  const clockAgrees = (): boolean => agrees(offset, VENUE_GOOD_MS, ports);

  function hindrance(): string | null {
    if (paused()) {
      return 'the venue demanded a wait';
    }
    if (!beat.clockAgrees()) {
      return 'the clocks of database and worker do not agree';
    }
    if (!clockAgrees()) {
      return 'the clocks of venue and worker do not agree';
    }
    if (compared?.books !== beat.books()) {
      return 'our account at the venue has not been compared yet';
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
    return stop === undefined ? null : `trading at the venue was stopped: ${stop.because}`;
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
      log.warn({ venue: name, why }, 'orders to the venue wait');
    }
  }

  async function readTime(): Promise<ClockOffset> {
    const read = await measureOffset(ports, () => account.serverTime());
    await readPause();
    offset = read;
    return read;
  }

  /** A venue under maintenance takes no orders, but it is still compared and its orders are looked up. */
  async function readPause(): Promise<void> {
    const before = tradingPaused;
    tradingPaused = (await account.tradingPaused?.()) ?? false;
    if (before || tradingPaused) {
      await recordPause(sql, name, tradingPaused);
    }
  }

  /** Reads the clock beside the comparison, which may take longer than a reading is valid. Look-ups need a valid one. */
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

  /** A stop of trading also turns the switch at the venue, if there is one. The support person who resumes trading turns it back. */
  async function turnSwitch(): Promise<void> {
    const stoppedAt = beat.stopOf(name)?.stoppedAt.getTime();
    if (stoppedAt !== undefined && stoppedAt !== haltedFor && account.halt !== undefined) {
      await account.halt();
      log.warn({ venue: name }, 'switched off our orders at the venue, because trading there was stopped');
    }
    haltedFor = stoppedAt;
  }

  const trouble = logFailures(log, 'venue-watch', `the account at ${name} cannot be read`, isVenueSilent);
  const clockTrouble = logFailures(log, 'venue-watch', `the clock of ${name} cannot be read`, isVenueSilent);
  const pushTrouble = logFailures(log, 'venue-watch', `orders that ${name} pushed cannot be looked up early`);

  const news = new Set<string>();
  let gathering: NodeJS.Timeout | undefined;

  /** A push without ids reports only that something changed. A comparison then finds the order. */
  function pushed(ids: readonly string[]): void {
    if (ids.length === 0) {
      compared = compared && { ...compared, tick: ticks() - COMPARE_MS };
      return;
    }
    for (const id of ids) {
      news.add(id);
    }
    gathering ??= setTimeout(lookUpNews, GATHER_MS);
  }

  function lookUpNews(): void {
    const ids = [...news];
    news.clear();
    gathering = undefined;
    makeDueSoon(sql, name, ids).then(pushTrouble.over, pushTrouble.failed);
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
      clearTimeout(gathering);
      await Promise.all(jobs.map((job) => job.close()));
    },
  };
}

/** How long a reading of a clock is valid. */
const DATABASE_GOOD_MS = 10_000;
const VENUE_GOOD_MS = 30_000;

interface Clocks {
  readonly clock: Clock;
  readonly ticks: Ticks;
}

/**
 * Whether the clock of the database or of a venue is known to agree with the clock of this process.
 * @param offset the last measurement; undefined before the first
 * @param goodMs how long a measurement is valid, in milliseconds
 */
function agrees(offset: ClockOffset | undefined, goodMs: number, clocks: Clocks): boolean {
  return (
    offset !== undefined &&
    clocks.ticks() - offset.tick < goodMs &&
    offset.errorMs < MOST_SKEW_MS &&
    Math.abs(offsetNow(offset, clocks)) - offset.errorMs <= MOST_SKEW_MS
  );
}
