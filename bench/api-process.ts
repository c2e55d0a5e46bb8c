/** An API process of the bench: sends its address to its parent, and ends on a message or when the parent is gone. */
import { openApiContext } from '../src/context.ts';
import { readEnvironment } from '../src/core/environment.ts';
import { startServer } from '../src/server/app.ts';

const environment = readEnvironment(process.env);
const context = await openApiContext(environment, environment.databaseUrl ?? '');
const server = await startServer(context);
process.send?.({ url: server.url });

async function close(): Promise<void> {
  await server.close();
  await context.close();
  process.exit(0);
}
process.on('message', (message) => message === 'close' && void close());
process.on('disconnect', () => process.exit(0));
