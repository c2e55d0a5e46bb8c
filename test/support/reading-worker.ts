/** The reading worker of a cell in a process of its own, which can be killed: node reading-worker.ts DATABASE_URL. Everything else is in its environment. */
import { openContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { startIngestion } from '../../src/jobs/ingest.ts';

const [databaseUrl = ''] = process.argv.slice(2);
startIngestion(openContext(readEnvironment(process.env), databaseUrl, 'worker'));
