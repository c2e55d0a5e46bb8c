#!/usr/bin/env node
/** `npm run bench`: the measures of bench/, under a new enough Node. Arguments are passed on. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from './bundled-node.js';

const script = fileURLToPath(import.meta.url);

if (isTooOld()) {
  await relaunch(script);
}
await import(join(dirname(script), '..', 'bench', 'run.ts'));
