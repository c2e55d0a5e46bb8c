/** The columns that `parseOperator` reads, compared with the table: a misspelt column would be a silent null. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snakeCase } from '../../src/db/row-type.ts';
import { OPERATOR_COLUMNS } from '../../src/operators/operator.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('every column of operators is read, amounts as cents and times as times', async () => {
  const rows = await database.sql<{ name: string; type: string }[]>`
    select attname::text as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = 'operators'::regclass and attnum > 0 and not attisdropped`;
  // what only functions in the database read
  const inSqlAlone = new Set(['execution_confirmed_at']);
  const kinds: Record<string, string> = { bigint: 'cents', 'timestamp with time zone': 'time' };
  const inTable = Object.fromEntries(
    rows.filter(({ name }) => !inSqlAlone.has(name)).map(({ name, type }) => [name, kinds[type] ?? 'json']),
  );
  const read = Object.fromEntries(Object.entries(OPERATOR_COLUMNS).map(([field, kind]) => [snakeCase(field), kind]));
  expect(read).toEqual(inTable);
});
