/**
 * Watches one venue with an account: asks it for its time, compares the account with the books, and knows why nothing may be sent
 * there now. It compares at the start, when the books changed their server or lost commits, and every few seconds.
 */
import { type ClockOffset, measureOffset } from '../../core/time.ts';
import { type ComparePorts, compareAccount } from '../../trading/account/compare-account.ts';
import { makeDueSoon } from '../../trading/account/compared-orders.ts';
import { recordPause } from '../../trading/account/venue-pause.ts';
import type { VenueAccount } from '../../venues/account.ts';
import type { Venue } from '../../venues/port.ts';
import { logFailures } from '../failure-log.ts';
import { startPeriodicJob } from '../periodic-job.ts';
import type { BooksBeat } from './books-beat.ts';
import { agrees, type Clocks, VENUE_GOOD_MS } from './clock-agreement.ts';

const INTERVAL_MS = 1_000;
const COMPARE_MS = 10_000;
const TIME_MS = 5_000;

export interface WatchedVenuePorts extends ComparePorts, Clocks {}

export interface WatchedVenue {
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

/** @param onOpen sending to the venue became possible. */
export function watchVenue(
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
