#!/usr/bin/env node
/** `npm run operator-days -- [--days N] [--seed S]`: the books of fixtures/operator-python over N days, by test/proofs/operator-days.test.ts. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(script)));

if (isTooOld()) {
  await relaunch(script);
}
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,6}$/.test(value)) {
    process.stderr.write(`--${name} is a whole number.\n`);
    process.exit(2);
  }
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/proofs/operator-days.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, OPERATOR_DAYS: values.days, OPERATOR_SEED: values.seed } },
);
process.exit(status ?? 1);
