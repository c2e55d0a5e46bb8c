/** The slow round: this worker says that it lives, gives back the jobs of dead ones and wakes what is due (sql/functions/68_tend_webhooks.sql). */
import type { Context } from '../context.ts';
import { tellTrouble } from './tell-trouble.ts';

const EVERY_MS = 3_000;
/** A worker that has said nothing for so long is taken for dead; its jobs are unlocked. */
const SILENCE = '12 seconds';

export function startTending(context: Context, poolId: () => string): { close(): Promise<void> } {
  const trouble = tellTrouble(
    context.log,
    'webhook-tending',
    'the round over the webhook deliveries failed and comes again',
  );
  let running = Promise.resolve();
  let closed = false;
  const round = () => {
    running = running.then(async () => {
      if (closed) {
        return;
      }
      try {
        await context.sql`select tend_webhooks(${poolId()}, ${SILENCE}::interval)`;
        trouble.over();
      } catch (error) {
        trouble.failed(error);
      }
    });
  };
  const timer = setInterval(round, EVERY_MS);
  round();
  return {
    close: async () => {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
