#!/usr/bin/env node
/** `npm run mutants`: breaks one rule at a time and shows that each is found (test/mutants/mutants.ts). */
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

if (isTooOld()) {
  await relaunch(fileURLToPath(import.meta.url));
}
await import('../../test/mutants/mutants.ts');
