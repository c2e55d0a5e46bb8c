/**
 * Service level objectives of this process as counters at `/metrics`: how many events counted, and how many were good. Requests count when
 * they have their response. Feeds, deliveries and prices count at fixed intervals.
 */
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { ApiContext } from '../../context.ts';
import { within } from '../../core/deadline.ts';
import { measureWebhooks } from '../../webhooks/deliveries.ts';

const OBJECTIVES = {
  orders: { target: 0.999, withinSeconds: 6, help: 'POST /orders answered without a fault within 6 s (a venue has 5)' },
  quotes: { target: 0.999, withinSeconds: 0.5, help: 'POST /quotes answered without a fault within 0.5 s' },
  feeds: { target: 0.99, withinSeconds: 15, help: 'venues connected, their last message at most 15 s old' },
  deliveries: { target: 0.99, withinSeconds: 60, help: 'no webhook has waited longer than 60 s' },
  prices: { target: 0.99, withinSeconds: 30, help: 'open contracts with a book confirmed in the last 30 s' },
} as const;
type Objective = keyof typeof OBJECTIVES;

/** A look waits no longer for the database, so that it does not hold up the next one. */
const LOOK_MS = 5_000;
const NOT_DELIVERED = { oldestAgeSeconds: Number.POSITIVE_INFINITY };
/** Refusals because of the caller are good responses. Faults and overload are not. */
const FIRST_FAULT = 500;
const COUNTED_ROUTES: Readonly<Record<string, Objective>> = {
  'POST /api/v1/orders': 'orders',
  'POST /api/embed/orders': 'orders',
  'POST /api/v1/quotes': 'quotes',
  'POST /api/embed/quotes': 'quotes',
};

interface Objectives {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Counts the feeds, the prices and the deliveries of this moment. */
  look(): Promise<void>;
}

/** Registers the counters, the targets and the lag of each feed. */
export function registerObjectives(registry: Registry, { board, clock, reports }: ApiContext): Objectives {
  const labels = { labelNames: ['objective'] as const, registers: [registry] };
  const good = new Counter({
    name: 'inlay_slo_good_total',
    help: 'Events that met the objective.',
    ...labels,
  });
  const target = new Gauge({ name: 'inlay_slo_target', help: 'Share of events that should be good.', ...labels });
  const count = (objective: Objective, all: number, met: number) => {
    events.inc({ objective }, all);
    good.inc({ objective }, met);
  };
  const events = new Counter({
    name: 'inlay_slo_events_total',
    help: `Events that count: ${Object.entries(OBJECTIVES)
      .map(([name, { help }]) => `${name}: ${help}`)
      .join('; ')}.`,
    ...labels,
  });
  new Gauge({
    name: 'inlay_venue_feed_lag_seconds',
    help: 'Seconds since the venue confirmed its books.',
    labelNames: ['venue'],
    registers: [registry],
    collect() {
      for (const { venue, confirmedAt } of board.feeds.values()) {
        this.set({ venue }, lag(confirmedAt, clock.now()));
      }
    },
  });
  for (const [objective, { target: share }] of Object.entries(OBJECTIVES)) {
    target.set({ objective }, share);
    events.inc({ objective }, 0);
    good.inc({ objective }, 0);
  }

  async function look(): Promise<void> {
    const now = clock.now();
    const feeds = [...board.feeds.values()];
    const fresh = feeds.filter(
      ({ connected, confirmedAt }) => connected && lag(confirmedAt, now) <= OBJECTIVES.feeds.withinSeconds,
    );
    count('feeds', feeds.length, fresh.length);
    const open = [...board.contracts.values()].filter(({ status, books }) => status === 'open' && books.length > 0);
    const priced = open.filter((contract) =>
      contract.books.some(({ venue }) => board.ageSeconds(contract, venue, now) <= OBJECTIVES.prices.withinSeconds),
    );
    count('prices', open.length, priced.length);
    try {
      const { oldestAgeSeconds } = await within(LOOK_MS, measureWebhooks(reports), () => NOT_DELIVERED);
      count('deliveries', 1, oldestAgeSeconds <= OBJECTIVES.deliveries.withinSeconds ? 1 : 0);
    } catch {
      // Without the database there are no deliveries.
      count('deliveries', 1, 0);
    }
  }

  function lag(confirmedAt: Date | null, now: Date): number {
    return confirmedAt === null
      ? Number.POSITIVE_INFINITY
      : Math.max(0, (board.databaseTime(now).getTime() - confirmedAt.getTime()) / 1000);
  }

  return {
    look,
    observeRequest(method, route, status, seconds) {
      const objective = COUNTED_ROUTES[`${method} ${route}`];
      if (objective !== undefined) {
        count(objective, 1, status < FIRST_FAULT && seconds <= OBJECTIVES[objective].withinSeconds ? 1 : 0);
      }
    },
  };
}

const EVERY_MS = 10_000;

/**
 * Counts feeds, prices and deliveries at fixed intervals, so that neither the number of scrapes nor `inlay top` shifts an
 * objective. While one count runs, no other begins.
 * @param look counts once; if it fails, nothing is counted
 * @param everyMs interval in milliseconds
 * @returns a function that ends the counting
 */
export function startObjectiveLooks(look: () => Promise<void>, everyMs = EVERY_MS): () => void {
  let isLooking = false;
  const timer = setInterval(() => {
    if (!isLooking) {
      isLooking = true;
      look()
        .catch(() => {})
        .finally(() => {
          isLooking = false;
        });
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
