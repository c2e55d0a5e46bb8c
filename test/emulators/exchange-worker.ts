/** A worker in a process of its own, which can be killed: node exchange-worker.ts DATABASE_URL. Everything else is in its environment. */
import { openContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const worker = openContext(readEnvironment(process.env), databaseUrl, 'worker');
startIngestion(worker);
await startTransmission(worker);
