/**
 * A worker: starts everything that runs beside the API, and the simulated exchanges as separate processes. It keeps no
 * state, so any number of workers may run on one database.
 */
import { type AuditingContext, type Context, openContext } from '../context.ts';
import type { Environment } from '../core/environment.ts';
import type { Logger } from '../core/log.ts';
import { openTracing } from '../core/open-tracing.ts';
import { type KeptProcess, keepRunning, scriptBeside } from '../core/processes.ts';
import { forgetEndedSessions } from '../embed/sessions.ts';
import { maintainPartitions, refuseAbandoned } from '../operations/upkeep.ts';
import { startAuditing, startFeedSealing, startNightlyReports } from './books.ts';
import { startWebhookJobs } from './deliver.ts';
import { startIngestion } from './ingest.ts';
import { startMetrics } from './metrics.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';
import { startSettlement } from './settle.ts';
import { startTransmission } from './transmit.ts';

interface Job {
  close(): Promise<void>;
}

const JOBS: readonly ((context: AuditingContext) => Job | Promise<Job>)[] = [
  startMetrics,
  startPartitions,
  startIngestion,
  startSettlement,
  (context) => startTransmission(context),
  startWebhookJobs,
  startEmbedRetention,
  startFeedSealing,
  startAuditing,
  (context) => startNightlyReports(context),
];

/**
 * @param databaseUrl address of a migrated database for the service role
 * @throws EnvironmentError if orders are still open at a venue that is no longer configured
 */
export async function startWorker(environment: Environment, databaseUrl: string): Promise<Job> {
  const tracing = await openTracing(environment, 'inlay-worker');
  try {
    const worker = await startIn(openContext(environment, databaseUrl, 'worker'), databaseUrl);
    return {
      close: async () => {
        await worker.close();
        await tracing.close();
      },
    };
  } catch (error) {
    await tracing.close();
    throw error;
  }
}

/** Starts everything in a context, which is closed with the worker, or if the start fails. */
async function startIn(context: AuditingContext, databaseUrl: string): Promise<Job> {
  const { environment, log } = context;
  const venues: KeptProcess[] = [];
  const jobs: Job[] = [];
  const close = async () => {
    await Promise.all(jobs.map((job) => job.close()));
    await Promise.all(venues.map((venue) => venue.stop()));
    await context.close();
  };
  try {
    await refuseAbandoned(context.sql, environment.venues);
    for (const venue of environment.venues.filter((name) => name.startsWith('paper'))) {
      venues.push(keepPaperVenue(venue, environment, databaseUrl, log));
    }
    for (const start of JOBS) {
      jobs.push(await start(context));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

/** The settings that Node and the driver of the database read themselves. Keys of real venues are in other variables. */
const OF_THE_PLATFORM = /^(?:PATH|HOME|TZ|TMPDIR|NODE_\w+|SSL_CERT_\w+|PG[A-Z]+)$/;

/** Runs a simulated exchange: a separate process, which is reached over HTTP like any other venue. */
export function keepPaperVenue(venue: string, environment: Environment, databaseUrl: string, log: Logger): KeptProcess {
  return keepRunning({
    name: venue,
    script: scriptBeside(import.meta.url, '../paper/main'),
    args: [venue],
    inherits: OF_THE_PLATFORM,
    // The configuration of this worker may differ from the environment of its process.
    environment: {
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: environment.databaseDirectUrl,
      INLAY_DATA_DIR: environment.dataDir,
      LOG_LEVEL: environment.logLevel,
      INLAY_SECRET: environment.secret,
      INLAY_SECRET_PREVIOUS: environment.previousSecrets.join(','),
    },
    log,
  });
}

const PARTITIONS_EVERY_MS = 600_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Maintains the partitions of quotes and of the journal. */
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

/** Removes embed sessions that ended long ago, a limited number per run. */
function startEmbedRetention({ reports, log }: Context): PeriodicJob {
  return startPeriodicJob({
    everyMs: SESSIONS_EVERY_MS,
    run: () => forgetEndedSessions(reports),
    failed: (error) => log.warn({ err: error }, 'could not remove ended embed sessions; will retry'),
  });
}
