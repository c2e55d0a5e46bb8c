#!/usr/bin/env node
/**
 * `npm start`: builds the sources that changed since the last time, then runs the whole service in this process. Arguments are passed to
 * `up`.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from './bundled-node.js';

const script = fileURLToPath(import.meta.url);

if (isTooOld()) {
  await relaunch(script);
}
const { keepCompiledCode } = await import('./compile-cache.js');
keepCompiledCode();
const { patchDriver } = await import('./patch-driver.js');
const { buildApart, isStale } = await import('./build.js');
patchDriver();
if (isStale()) {
  try {
    await buildApart(['--if-stale']);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
process.argv = [process.argv[0], join(dirname(script), 'run.js'), 'up', ...process.argv.slice(2)];
await import('./run.js');
