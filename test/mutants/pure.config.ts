/** For mutants that a test of pure modules finds: without a database, a run of one file takes a second. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    strictTags: false,
    testTimeout: 30_000,
  },
});
