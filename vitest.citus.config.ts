import { defineConfig } from 'vitest/config';
import { patchDriver } from './bin/patch-driver.js';

/** `npm run citus`: the tests of test/citus, and those of the service that it names, on a coordinator with two workers. */

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
  },
});
