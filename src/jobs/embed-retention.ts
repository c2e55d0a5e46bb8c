/** Removes embed sessions that ended long ago, a limited number per run. */
import type { Context } from '../context.ts';
import { forgetEndedSessions } from '../embed/embed-sessions.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 600_000;

export function startEmbedRetention({ reports, log }: Context): PeriodicJob {
  return startPeriodicJob({
    everyMs: EVERY_MS,
    run: () => forgetEndedSessions(reports),
    failed: (error) => log.warn({ err: error }, 'could not remove ended embed sessions; will retry'),
  });
}
