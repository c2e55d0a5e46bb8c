/** Forgets embed sessions that ended long ago, a bounded number a round. */
import type { Context } from '../context.ts';
import { forgetEndedSessions } from '../embed/embed-sessions.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 600_000;

export function startEmbedRetention({ reports, log }: Context): Rounds {
  return startRounds({
    everyMs: EVERY_MS,
    round: () => forgetEndedSessions(reports),
    failed: (error) => log.warn({ err: error }, 'forgetting ended embed sessions failed and comes again'),
  });
}
