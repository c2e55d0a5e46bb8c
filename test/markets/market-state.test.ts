/** Whether a contract is traded: one rule for quotes, orders and what is sent to a venue. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

// contract 9.14, 10.12
test.each([
  ['open', 'open', '1 s', false],
  ['ended', 'open', '0 s', false],
  ['ended', 'paused', '0 s', false],
  ['paused', 'paused', '1 s', false],
  // it closed, and then its venue withdrew it
  ['paused', 'paused', '1 s', true],
  ['closed', 'open', '1 s', true],
  ['closed', 'closed', '1 s', true],
  ['closed', 'resolved', '1 s', true],
  ['closed', 'voided', '1 s', true],
  [null, null, null, null],
])(
  'is %s if its status is %s, it closes in %s, and trading closed: %s',
  async (state, status, closesIn, tradingClosed) => {
    const [row] = await database.sql<{ state: string | null }[]>`
    select market_state(${status}, ${tradingClosed}, '2026-06-01'::timestamptz + ${closesIn}::interval, '2026-06-01') as state`;
    expect(row?.state).toBe(state);
  },
);
