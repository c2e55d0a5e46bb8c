#!/usr/bin/env node
/** `npm run ha -- [--events N] [--only TEXT]`: kills, freezes and switches a cluster of three under load (test/cluster/main.ts). */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

const script = fileURLToPath(import.meta.url);
if (isTooOld()) {
  await relaunch(script);
}
const build = join(dirname(dirname(dirname(script))), 'bin', 'build.js');
const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: ['ignore', 'ignore', 'inherit'] });
if (status !== 0) {
  process.exit(status ?? 1);
}
await import('../../test/cluster/main.ts');
