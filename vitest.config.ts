import { configDefaults, defineConfig } from 'vitest/config';
import { patchDriver } from './bin/patch-driver.js';

/**
 * `npm test` is what a change needs, and what a newcomer waits for: every test but those that freeze or kill a process, wait for more than
 * two seconds, or draw many cases. These have the tag `proof`, and `npm run proof` runs them, with the files below, whose tests are all of
 * that kind: browsers, emulated exchanges, clusters, built packages.
 */
const PROOF = [
  'test/browser/!(structure).test.ts',
  'test/{cluster,docs,emulators,fuzz,mutants,package,simulation}/*.test.ts',
  'test/proofs/!(architecture|driver-transactions|lock-file|lock-order|names|tenant-wall|transitions).test.ts',
  'test/cli/{executable,first-minute,live-scenarios,live-views,npm-start,operator-kit,operator-scenarios,up}.test.ts',
  'test/client/verified-feed.test.ts',
  'test/db/{embedded,fail-over,hosts,killed-backends,pooler,restore,two-releases}.test.ts',
  'test/jobs/venue-*.test.ts',
  'test/live/venue-surplus.test.ts',
  'test/ledger/{feed-log,independent-verifier,record-changes}.test.ts',
  'test/paper/commands.test.ts',
  'test/reconciliation/bit-changes.test.ts',
  'test/server/{connections,frozen-database,full-disk,openapi-letter}.test.ts',
];

const TESTS = ['test/**/*.test.ts'];
/** `npm run citus` */
const CITUS = 'test/citus/*.test.ts';

// before anything of ours loads the driver
patchDriver();

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Files of one worker share the modules that they import: the product keeps no state in them, and loading them for each file
    // takes a quarter of the processor time of a run. Hooks belong into test files or into functions that these call.
    isolate: false,
    // Commands that are run in the process of a test have no id, and oclif warns of it at their end.
    execArgv: ['--disable-warning=UnparsedCommand'],
    setupFiles: ['test/support/own-environment.ts'],
    // Most tests wait for processes of their own: with three workers two cores are idle for a third of the time.
    maxWorkers: 4,
    // A limit for what hangs, and not of speed: on a machine with other work everything takes several times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: 'proof', description: 'Runs with npm run proof.' }],
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'test',
          include: TESTS,
          exclude: [...configDefaults.exclude, ...PROOF, CITUS],
          tagsFilter: ['!proof'],
        },
      },
      {
        extends: true,
        test: {
          name: 'proof',
          include: TESTS,
          exclude: [...configDefaults.exclude, ...PROOF, CITUS],
          tagsFilter: ['proof'],
        },
      },
      { extends: true, test: { name: 'proof-files', include: PROOF } },
    ],
  },
});
