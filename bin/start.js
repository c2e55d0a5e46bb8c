#!/usr/bin/env node
/** `npm start`: builds what changed since the last time and runs the whole service, in one process. Arguments are passed to `up`. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from './bundled-node.js';

const script = fileURLToPath(import.meta.url);

if (isTooOld()) {
  await relaunch(script);
}
const { build } = await import('./build.js');
try {
  await build({ ifStale: true });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
process.argv = [process.argv[0], join(dirname(script), 'run.js'), 'up', ...process.argv.slice(2)];
await import('./run.js');
