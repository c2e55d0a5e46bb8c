/** Keeps the log of attempts to its days and gives up deliveries whose three days passed while their endpoint was off. */
import type { Context } from '../context.ts';

const EVERY_MS = 3_600_000;

export function startWebhookRetention(context: Context): { close(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const round = () => {
    const keep = `${context.environment.webhookAttemptDays} days`;
    running = context.sql`select maintain_webhooks(${keep}::interval)`.catch((error: unknown) => {
      context.log.warn({ err: error }, 'tidying the webhook log failed and comes again');
    });
  };
  const timer = setInterval(round, EVERY_MS);
  round();
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
