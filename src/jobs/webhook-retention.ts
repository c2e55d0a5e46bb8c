/** The hourly round: the log of attempts keeps to its days, what its three days have passed by is given up, and secrets move to the INLAY_SECRET of now. */
import type { Context } from '../context.ts';
import type { SecretBox } from '../webhooks/endpoints/endpoint-secret.ts';
import { resealSecrets } from '../webhooks/endpoints/reseal-secrets.ts';

const EVERY_MS = 3_600_000;

export function startWebhookRetention(context: Context, box: SecretBox): { close(): Promise<void> } {
  const { sql, log, environment } = context;
  const keep = `${environment.webhookAttemptDays} days`;
  const maintain = async () => {
    try {
      await sql`select maintain_webhooks(${keep}::interval)`;
    } catch (error) {
      log.warn({ err: error }, 'tidying the webhook log failed and comes again');
    }
  };
  const reseal = () =>
    resealSecrets(sql, box).catch((error: unknown) => {
      log.warn({ err: error }, 'webhook secrets stay under the previous INLAY_SECRET for another hour');
    });
  let running: Promise<unknown> = maintain();
  const timer = setInterval(() => {
    // Not at the start: while a rotation is rolled out, workers that know the old secret only still have to read them.
    running = maintain().then(reseal);
  }, EVERY_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
