/**
 * Knows whether orders may be sent to a venue now: the clocks of database, venue and this process agree, and our account there
 * was compared with these very books. It beats in the database once a second, asks each venue for its time, and compares the
 * account at the start, when the books changed their server or lost commits, and every few seconds.
 */

import type { Clock, Ticks } from '../core/clock.ts';
import { type ClockOffset, measureOffset, offsetNow } from '../core/clock-offset.ts';
import type { Beat, Witness } from '../db/books-witness.ts';
import { type ComparePorts, compareAccount } from '../trading/account/compare-account.ts';
import { makeDueSoon } from '../trading/account/compared-orders.ts';
import { listStops, type TradingStop } from '../trading/account/trading-stop.ts';
import { recordPause } from '../trading/account/venue-pause.ts';
import type { SendGate } from '../trading/execution/send-gate.ts';
import type { VenueAccount } from '../venues/account.ts';
import type { Venue } from '../venues/port.ts';
import { logFailures } from './failure-log.ts';
import { startPeriodicJob } from './periodic-job.ts';

const INTERVAL_MS = 1_000;
const COMPARE_MS = 10_000;
const TIME_MS = 5_000;
/** A reading of a clock that is older says nothing any more. */
const DATABASE_GOOD_MS = 10_000;
const VENUE_GOOD_MS = 30_000;
const MOST_SKEW_MS = 2_000;

export interface VenueWatchPorts extends ComparePorts {
  readonly clock: Clock;
  readonly ticks: Ticks;
  readonly witness: Witness;
}

export interface VenueWatch extends Omit<SendGate, 'spend' | 'hold'> {
  close(): Promise<void>;
}

interface WatchedVenue {
  offset: ClockOffset | undefined;
  /** The books that its account was compared with, and when. */
  compared: { readonly books: string; readonly tick: number } | undefined;
  pausedUntil: number;
  /** Whether the venue takes no orders now, as it says. */
  tradingPaused: boolean;
  /** Time of the stop for which the switch at the venue was turned. */
  haltedFor: number | undefined;
  open: boolean;
}

/** @param onOpen sending to a venue became possible. */
export async function watchVenues(
  ports: VenueWatchPorts,
  venues: readonly Venue[],
  onOpen: () => void,
): Promise<VenueWatch> {
  const { clock, ticks, log, witness } = ports;
  const watched = new Map<string, WatchedVenue>();
  const beatTrouble = logFailures(log, 'venue-watch', 'the books cannot be witnessed');
  let database: ClockOffset | undefined;
  let books: string | undefined;
  let beats: Promise<void> = Promise.resolve();
  let stops = new Map<string, TradingStop>();

  async function readStops(): Promise<void> {
    stops = new Map((await listStops(ports.sql)).map((stop) => [stop.venue, stop]));
  }

  /** One after the other: what the witness has seen is one file. */
  function beat(): Promise<void> {
    const next = beats.then(beatOnce);
    beats = next.catch(() => undefined);
    return next;
  }

  async function beatOnce(): Promise<void> {
    let heartbeat: Beat | undefined;
    database = await measureOffset({ clock, ticks }, async () => {
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
    beatTrouble.over();
  }

  function agree(offset: ClockOffset | undefined, goodMs: number): boolean {
    return (
      offset !== undefined &&
      ticks() - offset.tick < goodMs &&
      offset.errorMs < MOST_SKEW_MS &&
      Math.abs(offsetNow(offset, ports)) - offset.errorMs <= MOST_SKEW_MS
    );
  }

  const paused = (name: string): boolean => (watched.get(name)?.pausedUntil ?? 0) > ticks();

  function shut(name: string): string | null {
    const state = watched.get(name);
    if (state === undefined) {
      return 'the venue is only read';
    }
    if (paused(name)) {
      return 'the venue asked to be left alone';
    }
    if (!agree(database, DATABASE_GOOD_MS)) {
      return 'the clocks of database and worker do not agree';
    }
    if (!agree(state.offset, VENUE_GOOD_MS)) {
      return 'the clocks of venue and worker do not agree';
    }
    if (state.compared?.books !== books) {
      return 'the account there was not compared yet';
    }
    if (state.tradingPaused) {
      return 'the venue has paused trading';
    }
    const stop = stops.get(name);
    if (stop !== undefined) {
      return `trading there has stopped because of ${stop.because}`;
    }
    return null;
  }

  async function compare(venue: Venue, state: WatchedVenue): Promise<void> {
    const { account } = venue;
    if (account === null || paused(venue.name)) {
      return;
    }
    const { offsetMs } = state.offset ?? (await readTime(venue.name, account, state));
    const { compared } = state;
    if (books !== undefined && (compared?.books !== books || ticks() - compared.tick >= COMPARE_MS)) {
      const with_ = books;
      await compareAccount(ports, venue, offsetMs);
      await readStops();
      state.compared = { books: with_, tick: ticks() };
    }
    notice(venue.name, state);
    await turnSwitch(venue.name, account, state);
  }

  /** A comparison may take longer than a reading of the clock is good for, so it is read beside it: look-ups depend on it. */
  async function keepTime(venue: Venue, state: WatchedVenue): Promise<void> {
    const { account } = venue;
    const due = state.offset === undefined || ticks() - state.offset.tick >= TIME_MS;
    if (account !== null && due && !paused(venue.name)) {
      await readTime(venue.name, account, state);
      notice(venue.name, state);
    }
  }

  async function readTime(name: string, account: VenueAccount, state: WatchedVenue): Promise<ClockOffset> {
    const offset = await measureOffset({ clock, ticks }, () => account.serverTime());
    await readPause(name, account, state);
    state.offset = offset;
    return offset;
  }

  /** During its maintenance a venue is still compared and asked about orders. */
  async function readPause(name: string, account: VenueAccount, state: WatchedVenue): Promise<void> {
    const before = state.tradingPaused;
    state.tradingPaused = (await account.tradingPaused?.()) ?? false;
    if (before || state.tradingPaused) {
      await recordPause(ports.sql, name, state.tradingPaused);
    }
  }

  /** A stop of trading also turns the switch at the venue, if it has one; the person who resumes trading turns it back. */
  async function turnSwitch(name: string, account: VenueAccount, state: WatchedVenue): Promise<void> {
    const stoppedAt = stops.get(name)?.stoppedAt.getTime();
    if (stoppedAt !== undefined && stoppedAt !== state.haltedFor && account.halt !== undefined) {
      await account.halt();
      log.warn({ venue: name }, 'the venue takes no more orders of ours');
    }
    state.haltedFor = stoppedAt;
  }

  function notice(name: string, state: WatchedVenue): void {
    const why = shut(name);
    if ((why === null) === state.open) {
      return;
    }
    state.open = why === null;
    if (state.open) {
      onOpen();
    } else {
      log.warn({ venue: name, why }, 'nothing is sent to the venue now');
    }
  }

  await beat().catch(beatTrouble.failed);
  const jobs = [
    startPeriodicJob({ everyMs: INTERVAL_MS, firstMs: INTERVAL_MS, run: beat, failed: beatTrouble.failed }),
  ];
  const pushed: { close(): void }[] = [];
  for (const venue of venues.filter(({ account }) => account !== null)) {
    const state: WatchedVenue = {
      offset: undefined,
      compared: undefined,
      pausedUntil: 0,
      tradingPaused: false,
      haltedFor: undefined,
      open: false,
    };
    watched.set(venue.name, state);
    const following = venue.account?.follow?.((ids) => {
      if (ids.length === 0) {
        // which order it was is found by comparing
        state.compared = state.compared && { ...state.compared, tick: ticks() - COMPARE_MS };
        return;
      }
      makeDueSoon(ports.sql, venue.name, ids).catch(beatTrouble.failed);
    });
    if (following !== undefined) {
      pushed.push(following);
    }
    const trouble = logFailures(log, 'venue-watch', `the account at ${venue.name} cannot be read`);
    const clockTrouble = logFailures(log, 'venue-watch', `the clock of ${venue.name} cannot be read`);
    jobs.push(
      startPeriodicJob({
        everyMs: INTERVAL_MS,
        firstMs: INTERVAL_MS,
        run: () => keepTime(venue, state),
        failed: (error) => {
          notice(venue.name, state);
          clockTrouble.failed(error);
        },
        over: clockTrouble.over,
      }),
      startPeriodicJob({
        everyMs: INTERVAL_MS,
        run: () => compare(venue, state),
        failed: (error) => {
          notice(venue.name, state);
          trouble.failed(error);
        },
        over: trouble.over,
      }),
    );
  }
  return {
    shut,
    paused,
    clocksAgree: (name) => agree(database, DATABASE_GOOD_MS) && agree(watched.get(name)?.offset, VENUE_GOOD_MS),
    booksAreCompared: (name) =>
      beat().then(
        () => books !== undefined && watched.get(name)?.compared?.books === books,
        () => false,
      ),
    pause: (name, ms) => {
      const state = watched.get(name);
      if (state !== undefined) {
        state.pausedUntil = Math.max(state.pausedUntil, ticks() + ms);
      }
    },
    close: async () => {
      for (const one of pushed) {
        one.close();
      }
      await Promise.all(jobs.map((one) => one.close()));
    },
  };
}
