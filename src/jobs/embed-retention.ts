/** Forgets embed sessions that ended long ago, a bounded number a round. */
import type { Context } from '../context.ts';
import { forgetEndedSessions } from '../embed/embed-sessions.ts';

const EVERY_MS = 600_000;

export function startEmbedRetention({ sql, log }: Context): { close(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const round = () => {
    running = forgetEndedSessions(sql).catch((error: unknown) => {
      log.warn({ err: error }, 'forgetting ended embed sessions failed and comes again');
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
