/** Each column of the tables that the auditor compares is on one side: the journal decides it, or docs/ledger.md says that it does not. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPARED } from '../../src/audit/books.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { COMPARED_BY_SUMS } from './compared-by-sums.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

interface Sides {
  readonly decided: readonly string[];
  readonly undecided: readonly string[];
}

const SIDES: Readonly<Record<string, Sides>> = {
  ...Object.fromEntries(
    COMPARED.map(({ table, book, undecided }): [string, Sides] => [
      table,
      { decided: ['operator_id', ...book.key, ...book.checks.keys()], undecided },
    ]),
  ),
  ...COMPARED_BY_SUMS,
};

// contract 22.19
test.each(Object.keys(SIDES))('every column of %s is on one side', async (table) => {
  const { decided = [], undecided = [] } = SIDES[table] ?? {};
  const rows = await database.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}
      and is_generated = 'NEVER'`;
  expect([...new Set(decided), ...undecided].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

// contract 22.19
test('docs/ledger.md lists what the journal does not decide', () => {
  const text = readFileSync('docs/ledger.md', 'utf8').split('### What the journal does not decide')[1] ?? '';
  const listed = Object.fromEntries(
    [...text.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, table = '', columns = '']) => [
      table,
      [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ]),
  );
  expect(listed).toEqual(Object.fromEntries(Object.entries(SIDES).map(([table, { undecided }]) => [table, undecided])));
});
