/** The tests that need no database, as mutation testing runs them (npm run mutation). */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/money/*.test.ts',
      'test/core/cursor.test.ts',
      'test/webhooks/signature.test.ts',
      'test/webhooks/schedule.test.ts',
    ],
    pool: 'threads',
    testTimeout: 30_000,
  },
});
