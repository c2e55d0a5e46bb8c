#!/usr/bin/env node
/** `npm run soak -- [--minutes N] [--seed S]`: trades at three emulated exchanges with faults at random, by test/emulators/soak.test.ts. */
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
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,6}$/.test(String(value))) {
    process.stderr.write(`--${name} is a whole number.\n`);
    process.exit(2);
  }
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/emulators/soak.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SOAK_SECONDS: String(Number(values.minutes) * 60),
      ...(values.seed !== undefined && { SOAK_SEED: values.seed }),
    },
  },
);
process.exit(status ?? 1);
