/** A worker process of the bench, with the paper venue as its child; ends on a message or when the parent is gone. */
import { readEnvironment } from '../src/core/environment.ts';
import { startWorker } from '../src/jobs/run.ts';

const environment = readEnvironment(process.env);
const worker = await startWorker(environment, environment.databaseUrl ?? '');
process.send?.({ ready: true });

async function close(): Promise<void> {
  await worker.close();
  process.exit(0);
}
process.on('message', (message) => message === 'close' && void close());
process.on('disconnect', () => void close());
