/** Recovers webhook deliveries every few seconds. */
import type { Context } from '../context.ts';
import { recoverDeliveries } from '../webhooks/delivery/maintenance.ts';
import { logFailures } from './failure-log.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 3_000;

export function startWebhookMaintenance({ sql, log }: Context, poolId: () => string): PeriodicJob {
  return startPeriodicJob({
    everyMs: EVERY_MS,
    run: () => recoverDeliveries(sql, poolId()),
    ...logFailures(log, 'webhook-maintenance', 'the recovery of webhook deliveries failed; will retry'),
  });
}
