/**
 * What the schema and the functions keep so that operators can be spread over servers (docs/scale.md). What does not keep a rule yet is
 * named here: such a function does not run on a spread database, and a name that keeps its rule has to leave the list.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionFiles } from '../../src/db/schema/apply-functions.ts';
import { EVERYWHERE, OF_THE_SERVICE, SPREAD_TABLES } from '../../src/db/schema/spread.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let spread: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  const rows = await database.sql.unsafe<{ name: string }[]>(SPREAD_TABLES, [
    `{${[...EVERYWHERE, ...OF_THE_SERVICE].join(',')}}`,
  ]);
  spread = rows.map(({ name }) => name);
});
afterAll(() => database.close());

interface SqlFunction {
  readonly name: string;
  readonly parameters: string;
  readonly language: string;
  readonly body: string;
}

const functions: SqlFunction[] = functionFiles().flatMap((path) => {
  const text = readFileSync(path, 'utf8').replace(/--.*$/gm, '');
  const pattern = /create or replace function (\w+)\(([^)]*)\)([\s\S]*?)\$\$([\s\S]*?)\$\$/g;
  return [...text.matchAll(pattern)].map(([, name = '', parameters = '', head = '', body = '']) => ({
    name,
    parameters,
    language: /language (\w+)/.exec(head)?.[1] ?? '',
    body,
  }));
});

const tablesOf = (): string => spread.map((name) => name.replace('.', '\\.')).join('|');
const writes = ({ body }: SqlFunction) =>
  new RegExp(`\\b(?:insert into|update|delete from)\\s+(?:${tablesOf()})\\b`).test(body);
const reads = ({ body }: SqlFunction) => new RegExp(`\\b(?:from|join)\\s+(?:${tablesOf()})\\b`).test(body);
const named = (found: readonly SqlFunction[]) => found.map(({ name }) => name).sort();

test('a row of an operator refers to rows of the same operator, or to a table that is whole on every server', async () => {
  expect(spread.length).toBeGreaterThan(40);
  const keys = await database.sql<{ from: string; to: string; columns: string[]; targets: string[] }[]>`
    select k.conrelid::regclass::text as "from", k.confrelid::regclass::text as "to",
      (select array_agg(a.attname::text order by n) from unnest(k.conkey) with ordinality c(attnum, n)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.attnum) as columns,
      (select array_agg(a.attname::text order by n) from unnest(k.confkey) with ordinality c(attnum, n)
         join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.attnum) as targets
    from pg_constraint k where k.contype = 'f'`;
  const own = keys.filter(({ from }) => spread.includes(from));
  expect(own.length).toBeGreaterThan(20);
  const astray = own.filter(
    ({ to, columns, targets }) =>
      !EVERYWHERE.includes(to) &&
      !(spread.includes(to) && columns[0] === 'operator_id' && targets[0] === 'operator_id'),
  );
  expect(astray).toEqual([]);
  // nothing of the service's own refers to rows that are elsewhere
  expect(keys.filter(({ from, to }) => !spread.includes(from) && spread.includes(to))).toEqual([]);
});

test('operators have one type of id in every table', async () => {
  const types = await database.sql<{ type: string }[]>`
    select distinct format_type(a.atttypid, a.atttypmod) as type from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'operator_id' and c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'audit'::regnamespace)`;
  expect(types.map(({ type }) => type)).toEqual(['id']);
});

test('no policy has a subquery', async () => {
  const policies = await database.sql<{ condition: string }[]>`
    select pg_get_expr(polqual, polrelid) as condition from pg_policy
    where polrelid::regclass::text not like 'graphile_worker.%'`;
  expect(policies.length).toBeGreaterThan(20);
  expect(policies.filter(({ condition }) => /select/i.test(condition))).toEqual([]);
});

/** They run for all operators, on the coordinator alone, or take the place of one of the above. */
const NOT_BY_OPERATOR = ['begin_attempts', 'insert_orders', 'maintain_webhooks', 'replay_webhook_deliveries'];

test('a function that writes rows of operators takes the operator first', () => {
  const astray = functions.filter((one) => writes(one) && !/^p_operator_id text\b/.test(one.parameters.trim()));
  expect(named(astray)).toEqual(NOT_BY_OPERATOR);
});

test('a call for orders, settlements, quotes, customers or scenarios begins with the write that a move of rows waits for', () => {
  const first = functions.filter(({ body }) => /begin\s+perform hold_in_place\(p_operator_id\);/.test(body));
  expect(named(first)).toEqual([
    'arm_scenario',
    'ensure_customer',
    'issue_quotes',
    'move_orders',
    'place_orders',
    'settle_positions',
  ]);
});

test('where a call may be for many operators, rows are looked up by the one that it names', () => {
  const manyOrOne = functions.filter(({ body }) => body.includes("v_operator text := nullif(p_operator_id, '')"));
  expect(manyOrOne.length).toBeGreaterThan(10);
  // two columns of the caller's own rows may be compared
  const bare =
    /\b(?!bought|made|ledger|wallet|entry)\w+\.operator_id = (?:command|request|entry|moved|batch|wanted|move)\.operator_id\b/g;
  const astray = manyOrOne.flatMap(({ name, body }) => [...body.matchAll(bare)].map(([text]) => `${name}: ${text}`));
  expect(astray).toEqual([]);
});

// Citus plans a statement with parameters in PL/pgSQL only
test('a function with parameters that reads rows of operators is in PL/pgSQL', () => {
  const inSql = functions.filter(
    (one) => one.language === 'sql' && one.parameters.trim() !== '' && (reads(one) || writes(one)),
  );
  expect(named(inSql)).toEqual([]);
});
