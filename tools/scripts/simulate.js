#!/usr/bin/env node
/** `npm run simulate`: many seeds of the simulation on all cores (test/simulation/simulate.ts). */
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

if (isTooOld()) {
  await relaunch(fileURLToPath(import.meta.url));
}
await import('../../test/simulation/simulate.ts');
