/** The names of movements and accounts in SQL (`ledger_lines`) are those that are rendered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/ledger/journal-row.ts';
import { ACCOUNTS, entryOf } from '../../src/ledger/render/entry.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const ROW = { items: 1, orderId: 'ord_1', externalUserId: 'ana', otherAccount: 'deposits' } as const;

test('movements, for every kind, action and sign', async () => {
  const named = await database.sql<(Pick<JournalEntry, 'kind' | 'action'> & { other: bigint; movement: string })[]>`
    select kind, action, other, movement_type(kind, action, other) as movement
    from unnest(enum_range(null::journal_kind)) kind, unnest(enum_range(null::order_action)) action, (values (5::bigint), (-5)) given (other)`;
  const rendered = named.flatMap(({ movement, ...row }) => {
    const amounts = { available: 1n, held: 1n, stakes: 1n, result: 1n, platformFees: 1n, venueFees: 1n };
    const entry = entryOf({ ...ROW, funds: 'wallet', ...amounts, ...row });
    return entry === null ? [] : [{ row, movement, rendered: entry.movementType }];
  });
  expect(rendered.length).toBeGreaterThan(30);
  expect(rendered.filter((one) => one.movement !== one.rendered)).toEqual([]);
});

test('accounts, for every kind of money', async () => {
  const named = await database.sql<(Pick<JournalEntry, 'funds'> & { available: string; held: string })[]>`
    select funds, money_account(funds, false, 'ana') as available, money_account(funds, true, 'ana') as held
    from unnest(enum_range(null::money_source)) funds`;
  expect(named).toHaveLength(3);
  for (const { funds, ...accounts } of named) {
    const entry = entryOf({ ...ROW, kind: 'order_recorded', funds, available: 1n, held: -1n });
    expect(entry?.lines.map(({ accountId }) => accountId)).toEqual([accounts.available, accounts.held]);
  }
});

test('accounts that seldom move', async () => {
  const [named] = await database.sql<
    { accounts: string[] }[]
  >`select enum_range(null::other_account)::text[] as accounts`;
  expect(Object.values(ACCOUNTS)).toEqual(expect.arrayContaining(named?.accounts ?? ['none']));
});
