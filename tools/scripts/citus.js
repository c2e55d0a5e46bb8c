#!/usr/bin/env node
/**
 * `npm run citus [-- FILE...]`: trades on Citus, a coordinator with two workers on this machine (docs/scale.md), runs the tests of the
 * service there, and those that are named as well, and ends with its cost beside one plain server. CITUS_PG_CONFIG names the `pg_config` of
 * a PostgreSQL that has Citus; without one it does nothing. It only trades with `--moves N`, `--splits N`, `--kills N` and `--coordinators N`, which say
 * how often shards move or are split, and workers or the coordinator are killed; and with `--upgrade-to PG_CONFIG`, which puts that newer Citus in the
 * place of the first at the end.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

/** Folders whose tests use HTTP and were adapted; `test/citus/left-out.ts` names the files of these folders that are left out, and why. */
const SERVICE = [
  'audit/',
  'catalogue/',
  'cli/',
  'client/',
  'coverage/',
  'embed/',
  'feed/',
  'golden/',
  'jobs/',
  'ledger/',
  'live/',
  'markets/',
  'operators/',
  'reconciliation/',
  'risk/',
  'sandbox/',
  'server/',
  'settlement/',
  'stream/',
  'trading/',
  'webhooks/',
];

const script = fileURLToPath(import.meta.url);
const project = dirname(dirname(dirname(script)));
const pgConfig = process.env.CITUS_PG_CONFIG;
const libraries = pgConfig && spawnSync(pgConfig, ['--pkglibdir'], { encoding: 'utf8' }).stdout?.trim();
if (!libraries || !existsSync(join(libraries, 'citus.so'))) {
  process.stdout.write('Citus not found\n');
  process.exit(0);
}
if (isTooOld()) {
  await relaunch(script);
}
const { values, positionals } = parseArgs({
  options: {
    moves: { type: 'string' },
    splits: { type: 'string' },
    kills: { type: 'string' },
    coordinators: { type: 'string' },
    'upgrade-to': { type: 'string' },
  },
  allowPositionals: true,
});
const { 'upgrade-to': newer, ...times } = values;
if (newer !== undefined) {
  process.env.INLAY_CITUS_UPGRADE = newer;
}
process.env.INLAY_CITUS_TIMES = JSON.stringify(
  Object.fromEntries(Object.entries(times).map(([fault, count]) => [fault, Number(count)])),
);
const vitest = join(project, 'node_modules', 'vitest', 'vitest.mjs');
const files = [...SERVICE, ...positionals].map((file) => (file.startsWith('test/') ? file : `test/${file}`));
const run = (...args) => spawnSync(process.execPath, args, { cwd: project, stdio: 'inherit' }).status ?? 1;
const vitestOf = (...args) => run(vitest, 'run', '--config', 'vitest.citus.config.ts', ...args);
// The command line runs the built service, and the first test to run it would build it beside tests that read what is built.
// The faults kill servers that the other files would use.
const statuses = [run(join(project, 'bin', 'build.js'), '--if-stale'), vitestOf('test/citus')];
if (Object.keys(values).length === 0) {
  statuses.push(vitestOf(...files), run(join(project, 'bench', 'spread.ts')));
}
process.exit(Math.max(...statuses));
