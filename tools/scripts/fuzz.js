#!/usr/bin/env node
/** `npm run fuzz -- [--requests N] [--seed S]`: any number of requests made from the OpenAPI document, by test/fuzz/. Prints its seed. */
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
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,10}$/.test(String(value))) {
    process.stderr.write(`--${name} is a whole number.\n`);
    process.exit(2);
  }
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/fuzz/fuzz.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: values.requests,
      ...(values.seed !== undefined && { FUZZ_SEED: values.seed }),
    },
  },
);
process.exit(status ?? 1);
