/** The slow round: this worker says that it lives, gives back the jobs of dead ones and wakes what is due (sql/functions/webhooks/tend_webhooks.sql). */
import type { Context } from '../context.ts';
import { tellTrouble } from './failure-log.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 3_000;
/** A worker that has said nothing for so long is taken for dead; its jobs are unlocked. */
const SILENCE = '12 seconds';

export function startTending({ sql, log }: Context, poolId: () => string): Rounds {
  return startRounds({
    everyMs: EVERY_MS,
    round: () => sql`select tend_webhooks(${poolId()}, ${SILENCE}::interval)`,
    ...tellTrouble(log, 'webhook-tending', 'the round over the webhook deliveries failed and comes again'),
  });
}
