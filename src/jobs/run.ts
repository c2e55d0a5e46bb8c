/**
 * A worker: the table of contents of everything that runs beside the API. Stateless; any number may run on one
 * database.
 */
import { type Context, openContext } from '../context.ts';
import type { Environment } from '../core/environment.ts';
import { openTracing } from '../core/open-tracing.ts';
import { keepRunning, scriptBeside } from '../core/processes.ts';
import { refuseAbandoned } from '../operations/abandoned-venues.ts';
import { startAuditing } from './audit.ts';
import { startIngestion } from './ingest.ts';
import { startNightlyReports } from './nightly-report.ts';
import { startEmbedRetention, startPartitions } from './retention.ts';
import { startFeedSealing } from './seals.ts';
import { startSettlement } from './settle.ts';
import { startTransmission } from './transmit.ts';
import { startWebhookJobs } from './webhooks.ts';

interface Job {
  close(): Promise<void>;
}

const JOBS: readonly ((context: Context) => Job | Promise<Job>)[] = [
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

/** @param databaseUrl of the service role, on a migrated database */
export async function startWorker(environment: Environment, databaseUrl: string): Promise<Job> {
  const tracing = await openTracing(environment.otlpUrl, 'inlay-worker');
  const context = openContext(environment, databaseUrl, 'worker');
  try {
    await refuseAbandoned(context.sql, environment.venues);
  } catch (error) {
    await context.close();
    await tracing.close();
    throw error;
  }
  const venues = environment.venues
    .filter((venue) => venue.startsWith('paper'))
    .map((venue) =>
      // The simulated exchange is a separate process, reached over HTTP like any other venue.
      keepRunning({
        name: venue,
        script: scriptBeside(import.meta.url, '../paper/main'),
        args: [venue],
        // the environment of this worker, which may differ from the one of its process
        environment: {
          DATABASE_URL: databaseUrl,
          INLAY_DATA_DIR: environment.dataDir,
          LOG_LEVEL: environment.logLevel,
          INLAY_SECRET: environment.secret,
          INLAY_SECRET_PREVIOUS: environment.previousSecrets.join(','),
        },
        log: context.log,
      }),
    );
  const jobs: Job[] = [];
  const close = async () => {
    await Promise.all(jobs.map((job) => job.close()));
    await Promise.all(venues.map((venue) => venue.stop()));
    await context.close();
    await tracing.close();
  };
  try {
    for (const start of JOBS) {
      jobs.push(await start(context));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
