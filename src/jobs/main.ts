/** The process of a worker, which `up` starts with the DATABASE_URL of a migrated database. */
import { EnvironmentError, readEnvironment } from '../core/environment.ts';
import { untilAskedToStop } from '../core/processes.ts';
import { startWorker } from './run.ts';

const asked = untilAskedToStop();
const environment = readEnvironment(process.env);
if (environment.databaseUrl === undefined) {
  throw new EnvironmentError('DATABASE_URL: required by a worker process');
}
const worker = await startWorker(environment, environment.databaseUrl);
await asked;
await worker.close();
process.exit(0);
