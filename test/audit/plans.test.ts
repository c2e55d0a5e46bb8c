/**
 * What a report compares is read once, also where statistics are older than the rows: after many orders of a new operator, a plan that
 * expects few would compare each row with each.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMPARISONS } from '../../src/audit/compare.ts';
import { readOn } from '../../src/audit/read-on.ts';
import type { Sql } from '../../src/db/client.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { openWorld, type World } from '../support/world.ts';

const GROWN = 2_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Tables that grow with the orders, and the columns that differ in a copy. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  customers: ['external_user_id'],
  wallets: ['external_user_id'],
  exposures: ['external_user_id'],
  quotes: ['quote_id', 'external_user_id'],
  orders: ['order_id', 'external_user_id', 'client_order_id', 'execution_ref', 'quote_id', 'position_id'],
  positions: ['position_id', 'external_user_id'],
  'audit.orders': ['order_id', 'external_user_id', 'client_order_id', 'execution_ref', 'quote_id', 'position_id'],
  'audit.positions': ['position_id', 'external_user_id'],
  'audit.settlements': ['settlement_id', 'position_id'],
  'audit.accounts': ['account_id'],
};

async function grow(): Promise<void> {
  for (const [table, columns] of Object.entries(GROWING)) {
    const changed = columns.map((column) => `'${column}', r.${column} || '-' || n`).join(', ');
    const [{ written }] = await world.sql<[{ written: string }]>`
      select string_agg(attname, ', ' order by attnum) as written from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and attgenerated = ''`;
    await world.damage(`
      insert into ${table} (${written}) select ${written.replaceAll(/\w+/g, 'copy.$&')} from (select * from ${table} limit 1) r, generate_series(1, ${GROWN}) n,
        jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${changed})) copy`);
  }
}

interface Plan {
  readonly Plans?: readonly Plan[];
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Actual Loops': number;
}

const compared = (plan: Plan): number =>
  (plan['Rows Removed by Join Filter'] ?? 0) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + compared(part), 0);

test('no comparison of a report compares each row with each', async () => {
  const { operatorId } = world.operator;
  const tables = Object.keys(GROWING);
  await world.buy(await world.openMarket('plans'), 'ana');
  await readOn(world.sql, operatorId, toldOf);
  for (const table of tables) {
    await world.damage(`analyze ${table}`);
  }
  await grow();
  const statements: string[] = [];
  const listened = { unsafe: async (text: string) => void statements.push(text) } as unknown as Sql;
  for (const comparison of COMPARISONS) {
    await comparison(listened, operatorId).catch(() => {});
  }
  expect(statements.length).toBeGreaterThan(12);
  const most = [];
  for (const text of statements) {
    const [row] = await world.sql.unsafe<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `explain (analyze, format json) ${text}`,
      [operatorId],
    );
    most.push(compared(row?.['QUERY PLAN'][0].Plan as Plan));
  }
  expect(Math.max(...most)).toBeLessThan(10 * GROWN);
}, 120_000);
