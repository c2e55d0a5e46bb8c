import { configDefaults, defineConfig } from 'vitest/config';
import { patchDriver } from './bin/patch-driver.js';
import { LEFT_OUT } from './test/citus/left-out.ts';

/** `npm run citus`: the tests of test/citus, and those of the service over HTTP, on a coordinator with two workers. */

// before anything of ours loads the driver
patchDriver();

export default defineConfig({
  test: {
    globalSetup: ['test/citus/setup.ts'],
    pool: 'forks',
    isolate: false,
    execArgv: ['--disable-warning=UnparsedCommand'],
    setupFiles: ['test/support/own-environment.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    include: ['test/**/*.test.ts'],
    tags: [{ name: 'proof', description: 'Runs with npm run proof.' }],
    exclude: [
      ...configDefaults.exclude,
      ...Object.values(LEFT_OUT).flatMap((files) => files.map((file) => `test/${file}`)),
    ],
  },
});
