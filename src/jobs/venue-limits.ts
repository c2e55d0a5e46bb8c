/** The requests that each venue allows: known from its documents at first, then as the venue itself says for our account. */

import type { Logger } from '../core/log.ts';
import { createRequestBudget, type RequestBudget } from '../core/request-budget.ts';
import { systemTicks } from '../core/time.ts';
import type { Venue } from '../venues/port.ts';
import { startPeriodicJob } from './periodic-job.ts';

/** Tiers change seldom. */
const READ_EVERY_MS = 600_000;

export interface VenueLimits {
  readonly budgets: ReadonlyMap<string, RequestBudget>;
  close(): Promise<void>;
}

export function openVenueLimits(venues: readonly Venue[], log: Logger): VenueLimits {
  const budgets = new Map(venues.map(({ name, limits }) => [name, createRequestBudget(limits, systemTicks)]));
  for (const venue of venues) {
    venue.onRequestsLeft?.(({ kind, left, waitMs }) => budgets.get(venue.name)?.heed(kind, left, waitMs));
  }
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
        budgets.get(venue.name)?.adopt(limits);
      }
    } catch (error) {
      log.debug({ venue: venue.name, reason: (error as Error).message }, 'the limits of the account could not be read');
    }
  }

  return { budgets, close: () => reading.close() };
}
