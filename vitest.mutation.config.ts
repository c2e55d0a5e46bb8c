/** The tests that need no database, as mutation testing runs them (npm run mutation). */
import { defineConfig } from 'vitest/config';

const TRADING = [
  'execution',
  'order-transitions',
  'record-buy',
  'record-sell',
  'resolution-by-person',
  'sending-rules',
  'validate-report',
];

export default defineConfig({
  test: {
    include: [
      'test/money/*.test.ts',
      'test/core/cursor.test.ts',
      'test/webhooks/{signature,schedule}.test.ts',
      'test/ledger/entries.test.ts',
      'test/risk/{customer-limits,policies,shown-limits}.test.ts',
      `test/trading/{${TRADING.join(',')}}.test.ts`,
    ],
    pool: 'threads',
    // pure modules: a worker for every file would take longer than the tests
    isolate: false,
    testTimeout: 30_000,
  },
});
