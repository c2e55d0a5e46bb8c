/**
 * Every few seconds: recovers deliveries of dead workers. Every hour: expires old deliveries and attempts, and encrypts secrets again under the current
 * INLAY_SECRET.
 */
import type { Context } from '../context.ts';
import { expireDeliveries, recoverDeliveries } from '../webhooks/deliveries.ts';
import type { SecretBox } from '../webhooks/endpoint-secret.ts';
import { resealSecrets } from '../webhooks/reseal-secrets.ts';
import { logFailures } from './failure-log.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EXPIRY_EVERY_MS = 3_600_000;

export function startWebhookRetention(context: Context, box: SecretBox): { close(): Promise<void> } {
  const { sql, log, environment } = context;
  const maintain = async () => {
    try {
      await expireDeliveries(sql, environment.webhookAttemptDays);
    } catch (error) {
      log.warn({ err: error }, 'could not expire old webhook deliveries; will retry');
    }
  };
  const reseal = () =>
    resealSecrets(sql, box).catch((error: unknown) => {
      log.warn(
        { err: error },
        'could not encrypt webhook secrets under the current INLAY_SECRET; will retry in an hour',
      );
    });
  let running: Promise<unknown> = maintain();
  const timer = setInterval(() => {
    // Not at the start: during a rotation, workers that have only the old secret must still be able to read them.
    running = maintain().then(reseal);
  }, EXPIRY_EVERY_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

const RECOVERY_EVERY_MS = 3_000;

export function startWebhookMaintenance({ sql, log }: Context, poolId: () => string): PeriodicJob {
  return startPeriodicJob({
    everyMs: RECOVERY_EVERY_MS,
    run: () => recoverDeliveries(sql, poolId()),
    ...logFailures(log, 'webhook-maintenance', 'the recovery of webhook deliveries failed; will retry'),
  });
}
