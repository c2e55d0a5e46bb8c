/** Maintains the partitions of quotes and of the journal, and removes embed sessions that ended long ago, a limited number per run. */
import type { Context } from '../context.ts';
import { forgetEndedSessions } from '../embed/sessions.ts';
import { maintainPartitions } from '../operations/partitions.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const PARTITIONS_EVERY_MS = 600_000;
const LOCK_NOT_AVAILABLE = '55P03';

export function startPartitions({ reports, log }: Context): PeriodicJob {
  return startPeriodicJob({
    everyMs: PARTITIONS_EVERY_MS,
    run: (keepGoing) => maintainPartitions(reports, log, keepGoing),
    failed(error) {
      if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) {
        log.info('the tables of quotes or of the journal are locked by a long task such as a backup; will retry');
      } else {
        log.warn({ err: error }, 'could not maintain partitions; will retry');
      }
    },
  });
}

const SESSIONS_EVERY_MS = 600_000;

export function startEmbedRetention({ reports, log }: Context): PeriodicJob {
  return startPeriodicJob({
    everyMs: SESSIONS_EVERY_MS,
    run: () => forgetEndedSessions(reports),
    failed: (error) => log.warn({ err: error }, 'could not remove ended embed sessions; will retry'),
  });
}
