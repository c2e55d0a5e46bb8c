/** The requests that each venue allows: known from its documents at first, then as the venue itself says for our account. */
import { systemTicks } from '../core/clock.ts';
import type { Logger } from '../core/log.ts';
import { createRequestBudget, type RequestBucket, type RequestBudget } from '../core/net/request-budget.ts';
import type { Venue } from '../venues/port.ts';
import { startPeriodicJob } from './periodic-job.ts';

/** Tiers change seldom. */
const READ_EVERY_MS = 600_000;

export interface VenueLimits {
  readonly budgets: ReadonlyMap<string, RequestBudget>;
  close(): Promise<void>;
}

/** @param share percent of the limits that this cell may use (`INLAY_VENUE_REQUEST_SHARE`) */
export function openVenueLimits(venues: readonly Venue[], log: Logger, share: number): VenueLimits {
  const budgets = new Map(
    venues.map(({ name, limits }) => [name, createRequestBudget(partOf(limits, share), systemTicks)]),
  );
  const reading = startPeriodicJob({
    everyMs: READ_EVERY_MS,
    run: async () => {
      for (const venue of venues) {
        await adopt(venue);
      }
    },
    failed: () => {},
  });

  /** A venue that does not answer keeps the limits that were known. */
  async function adopt(venue: Venue): Promise<void> {
    try {
      const limits = await venue.readLimits?.();
      if (limits !== undefined) {
        budgets.get(venue.name)?.adopt(partOf(limits, share));
      }
    } catch (error) {
      log.debug({ venue: venue.name, reason: (error as Error).message }, 'the limits of the account could not be read');
    }
  }

  return { budgets, close: () => reading.close() };
}

function partOf(limits: readonly RequestBucket[], share: number): RequestBucket[] {
  return limits.map((limit) => ({
    ...limit,
    perSecond: (limit.perSecond * share) / 100,
    burst: (limit.burst * share) / 100,
  }));
}
