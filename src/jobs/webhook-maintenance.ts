/** Recovers webhook deliveries every few seconds. */
import type { Context } from '../context.ts';
import { recoverDeliveries } from '../webhooks/delivery/maintenance.ts';
import { tellTrouble } from './failure-log.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 3_000;

export function startTending({ sql, log }: Context, poolId: () => string): Rounds {
  return startRounds({
    everyMs: EVERY_MS,
    round: () => recoverDeliveries(sql, poolId()),
    ...tellTrouble(log, 'webhook-tending', 'the recovery of webhook deliveries failed; will retry'),
  });
}
