/**
 * Sends orders that wait to be sent, and looks up those that are not final. The API wakes it, and so does a slow poll. Each
 * venue has separate pools for sends and for look-ups, so that a venue that hangs delays neither another venue nor its own
 * look-ups.
 */
import { randomUUID } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Logger } from '../core/log.ts';
import { createRequestBudget, type RequestBudget } from '../core/request-budget.ts';
import { createRest } from '../core/rest.ts';
import { systemTicks, type Ticks } from '../core/time.ts';
import { isTracing, orderTrace, traced } from '../core/tracing.ts';
import { createWitness } from '../db/books-witness.ts';
import type { Sql } from '../db/client.ts';
import { type FailureLog, logFailures } from '../db/failure-log.ts';
import { openBoard } from '../markets/board/board.ts';
import { listWorkers } from '../operations/due-work.ts';
import { recordRequestsLeft, recordUnknownWords } from '../trading/account/venue-facts.ts';
import { claimDue, listWaiting, type WaitingOrder } from '../trading/execution/attempts.ts';
import { lookUpAttempt } from '../trading/execution/look-up.ts';
import { createRecordPorts } from '../trading/execution/record-execution.ts';
import type { SendGate } from '../trading/execution/send-gate.ts';
import { bookAt, transmitOrder } from '../trading/execution/transmit-order.ts';
import type { Venue } from '../venues/port.ts';
import { openDeployedVenues, type Venues } from '../venues/registry.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';
import { openVenuePool } from './venue-pool.ts';
import { watchVenues } from './watch-venues.ts';

const POLL_MS = 250;
const TAKE = 256;
/** At one time per venue. Sends and look-ups together use the connections that an adapter keeps (venues/http.ts). */
const SENDS = 128;
const LOOK_UPS = 32;
/** Name of the pool for work that needs no venue: withdrawals, and simulated orders that are filled here. */
const HOUSE = '';
/** An order that cannot be moved on now is left out this long, so that many of them do not block the rest. */
const ASIDE_MS = 2_000;
/** How often the workers that share a venue's budget of requests are counted. */
const SHARE_MS = 10_000;
/** How often the worker checks whether sends are held back. */
const HELD_MS = 1_000;

/** @param venues set only by tests */
export async function startTransmission(
  context: Context,
  venues: Venues = openDeployedVenues(context),
): Promise<{ close(): Promise<void> }> {
  const { sql, log, clock } = context;
  const board = await openBoard(context);
  const recording = { ...createRecordPorts(sql), log };
  const witness = createWitness(sql, context.environment.dataDir);
  /** Budgets prefer look-ups to cancellations, and these to sends. Work that needs no venue has none. */
  const limits = openVenueLimits(venues.list, log);
  const { budgets } = limits;
  const watch = await watchVenues({ ...recording, clock, ticks: systemTicks, witness }, venues.list, () => {
    waiting.wake();
    due.wake();
  });
  const gate: SendGate = {
    ...watch,
    spend: (venue, kind, part) => budgets.get(venue)?.spend(kind, part) ?? true,
    hold: (venue, kind, ms, part) => budgets.get(venue)?.hold(kind, ms, part),
  };
  const ports = { ...recording, board, clock, gate, ticks: systemTicks, venues };
  const sends = openVenuePool(SENDS, () => waiting.wake());
  const lookUps = openVenuePool(LOOK_UPS, () => due.wake());
  const worker = randomUUID();
  const heldBack = new Map(venues.list.map(({ name }) => [name, createHeldBack(systemTicks)]));
  let recordedHolds = '';
  const sharing = startPeriodicJob({
    everyMs: SHARE_MS,
    run: async () => {
      const workers = await listWorkers(sql);
      for (const budget of budgets.values()) {
        budget.share(workers.length);
      }
      await recordLimits();
    },
    failed: () => {},
  });
  const holding = startPeriodicJob({
    everyMs: HELD_MS,
    run: async () => {
      if (holds() !== recordedHolds) {
        await recordLimits();
      }
    },
    failed: () => {},
  });
  const words = startUnknownWords(sql, log, venues.list);
  /** Time in milliseconds until which each order is left out. */
  const aside = new Map<string, number>();
  const waitingTrouble = logFailures(log, 'transmission', 'could not read the orders to be sent; will retry');
  const dueTrouble = logFailures(log, 'transmission', 'could not read the orders to be looked up; will retry');

  function hindrance(venue: string): string | null {
    return (budgets.get(venue)?.held('send') ? 'the venue demanded fewer requests' : null) ?? watch.hindrance(venue);
  }

  function holds(): string {
    return JSON.stringify([...heldBack].map(([venue, one]) => one.look(hindrance(venue))));
  }

  async function recordLimits(): Promise<void> {
    const now = holds();
    await recordRequestsLeft(
      sql,
      worker,
      [...budgets].map(([venue, budget]) => ({
        venue,
        left: budget.left('send'),
        heldBecause: heldBack.get(venue)?.look(hindrance(venue)) ?? null,
      })),
    );
    recordedHolds = now;
  }

  async function send(order: WaitingOrder, venue: string): Promise<void> {
    const part = bookAt(board, order)?.part ?? undefined;
    if (!gate.spend(venue, 'send', part)) {
      aside.set(order.orderId, Date.now() + POLL_MS);
      return;
    }
    try {
      if (await transmitOrder(ports, order)) {
        return;
      }
    } catch (error) {
      log.error({ err: error, orderId: order.orderId }, 'could not process an order; will retry');
    }
    aside.set(order.orderId, Date.now() + ASIDE_MS);
  }

  /** @returns whether more orders may be ready to begin */
  async function takeWaiting(): Promise<boolean> {
    for (const [orderId, until] of aside) {
      if (until <= Date.now()) {
        aside.delete(orderId);
      }
    }
    const full = [...sends.full(), ...venues.list.map(({ name }) => name).filter((name) => gate.shut(name) !== null)];
    // Orders that run are left out, because the pool ignores them. Those that wait for a slot may have to be withdrawn by now.
    const waiting = await listWaiting(sql, TAKE, [...aside.keys(), ...sends.running()], full);
    for (const order of waiting) {
      const venue = order.withdraw !== null || order.simulated ? HOUSE : order.venue;
      sends.take(venue, order.orderId, () => inOrderTrace('send', order.orderId, () => send(order, venue)));
    }
    // The oldest orders may all be for one venue that has just become full. Then those for other venues come after them.
    return waiting.length >= TAKE && sends.full().some((venue) => !full.includes(venue));
  }

  function roomFor(venue: string): number {
    return gate.paused(venue) ? 0 : Math.min(lookUps.room(venue), budgets.get(venue)?.left('look_up') ?? 0);
  }

  /** @returns false, because the next are claimed when there is room or they are due */
  async function takeDue(): Promise<boolean> {
    const room = new Map(venues.list.map(({ name }) => [name, roomFor(name)]));
    for (const attempt of await claimDue(sql, room, sends.taken())) {
      gate.spend(attempt.venue, 'look_up');
      lookUps.take(attempt.venue, attempt.orderId, () =>
        inOrderTrace('look up', attempt.orderId, () => lookUpAttempt(ports, attempt)).catch((error: unknown) =>
          log.error({ err: error, orderId: attempt.orderId }, 'could not record the result of a look-up; will retry'),
        ),
      );
    }
    return false;
  }

  const waiting = startLoop(takeWaiting, waitingTrouble);
  const due = startLoop(takeDue, dueTrouble);

  const unlisten = context.listener.listen('transmit', { onNotification: waiting.wake, onConnected: waiting.wake });
  return {
    close: async () => {
      unlisten();
      await Promise.all([waiting.close(), due.close()]);
      await Promise.all([watch.close(), sharing.close(), holding.close(), limits.close(), words.close()]);
      await Promise.all([sends.close(), lookUps.close()]);
      await venues.close();
      await board.close();
    },
  };
}

interface Loop {
  /** Runs at once or, if it runs now, again after that. */
  wake(): void;
  /** Waits for a run to end. */
  close(): Promise<void>;
}

/**
 * Repeats work whenever it is woken, and at each poll.
 * @param run returns whether it should run again at once
 */
function startLoop(run: () => Promise<boolean>, trouble: FailureLog): Loop {
  const { rest, wake } = createRest();
  let closed = false;

  const loop = (async () => {
    while (!closed) {
      try {
        const more = await run();
        trouble.over();
        if (more) {
          wake();
        }
      } catch (error) {
        trouble.failed(error);
      }
      await rest(POLL_MS);
    }
  })();

  return {
    wake,
    async close() {
      closed = true;
      wake();
      await loop;
    },
  };
}

/** The tier of an account seldom changes. */
const LIMITS_EVERY_MS = 600_000;

interface VenueLimits {
  readonly budgets: ReadonlyMap<string, RequestBudget>;
  close(): Promise<void>;
}

/**
 * Keeps the budget of requests of each venue. It begins with the limits in the venue's documents, and follows those that
 * the venue reports for our account.
 */
export function openVenueLimits(venues: readonly Venue[], log: Logger): VenueLimits {
  const budgets = new Map(venues.map(({ name, limits }) => [name, createRequestBudget(limits, systemTicks)]));
  for (const venue of venues) {
    venue.onRequestsLeft?.(({ kind, left, waitMs }) => budgets.get(venue.name)?.heed(kind, left, waitMs));
  }
  const reading = startPeriodicJob({
    everyMs: LIMITS_EVERY_MS,
    run: async () => {
      for (const venue of venues) {
        await adopt(venue);
      }
    },
    failed: () => {},
  });

  /** If a venue does not respond, its known limits stay. */
  async function adopt(venue: Venue): Promise<void> {
    try {
      const limits = await venue.readLimits?.();
      if (limits !== undefined) {
        budgets.get(venue.name)?.adopt(limits);
      }
    } catch (error) {
      log.debug({ venue: venue.name, reason: (error as Error).message }, 'the limits of the account could not be read');
    }
  }

  return { budgets, close: () => reading.close() };
}

const HELD_AFTER_MS = 15_000;

interface HeldBack {
  /**
   * @param hindrance why no order can be sent now; null if orders can be sent
   * @returns why sends are held back; null while they flow, or have not been held back for long
   */
  look(hindrance: string | null): string | null;
}

/**
 * Decides whether sends to a venue are held back. They are if no order could be sent for more than 15 seconds, until sends have flowed for
 * 15 seconds (contract 19.5).
 */
export function createHeldBack(ticks: Ticks): HeldBack {
  let because: string | null = null;
  /** When `hindered` last changed. */
  let since = ticks();
  let hindered = false;
  return {
    look(hindrance) {
      if ((hindrance !== null) !== hindered) {
        hindered = hindrance !== null;
        since = ticks();
      }
      if (ticks() - since >= HELD_AFTER_MS) {
        because = hindrance;
      }
      return because;
    },
  };
}

const UNKNOWN_WORDS_EVERY_MS = 5_000;

/** Records values from venues that this release does not know: logs each once, and counts how often it was seen. */
export function startUnknownWords(sql: Sql, log: Logger, venues: readonly Venue[]): PeriodicJob {
  const trouble = logFailures(log, 'unknown-words', 'could not record unknown words of venues; will retry');
  return startPeriodicJob({
    everyMs: UNKNOWN_WORDS_EVERY_MS,
    run: async () => {
      for (const venue of venues) {
        const words = venue.unknowns?.() ?? [];
        for (const { about, word } of words.length === 0 ? [] : await recordUnknownWords(sql, venue.name, words)) {
          log.warn({ venue: venue.name, about, word }, 'the venue sent a word that this release does not know');
        }
      }
    },
    failed: trouble.failed,
    over: trouble.over,
  });
}

function inOrderTrace<T>(name: string, orderId: string, work: () => Promise<T>): Promise<T> {
  return isTracing()
    ? traced(name, { parent: orderTrace(orderId), facts: { 'inlay.order_id': orderId } }, work)
    : work();
}
