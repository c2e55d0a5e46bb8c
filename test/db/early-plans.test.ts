/**
 * Plans of the money statements are made once a connection, maybe on tables that were analysed while they were empty. They stay look-ups
 * when the tables grow.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const GROWN = 20_000;
/** PostgreSQL counts what a connection read once a second. */
const COUNTED_MS = 1_100;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function rowsRead(): Promise<number> {
  const [row] = await world.sql<{ rows: number }[]>`
    select sum(idx_tup_read)::float8 as rows from pg_stat_user_indexes where relname = 'orders'`;
  return row?.rows ?? 0;
}

/** Fills the table with copies of an order. @param changed what differs in the n-th, as SQL */
async function copyOrder(orderId: string, changed: string): Promise<void> {
  await world.damage(`
    insert into orders select copy.* from orders r, generate_series(1, ${GROWN}) n,
      jsonb_populate_record(null::order_row, to_jsonb(r) || jsonb_build_object('client_order_id', 'copy-' || r.order_id || n,
        'execution_ref', 'copy-' || r.order_id || n, 'quote_id', 'qt_' || r.order_id || n, ${changed})) copy
    where r.order_id = '${orderId}'`);
}

test('the money statements have one plan for all calls, and look up by key', async () => {
  const planned = await world.sql<{ name: string }[]>`
    select proname as name from pg_proc
    where proconfig @> '{plan_cache_mode=force_generic_plan,enable_seqscan=off,enable_hashjoin=off,enable_mergejoin=off}' order by 1`;
  const entries = ['issue_quotes', 'move_collateral', 'move_orders', 'order_basis', 'place_orders', 'settle_positions'];
  const shared = ['append_to_journal', 'create_customers'];
  expect(planned.map(({ name }) => name)).toEqual(expect.arrayContaining([...entries, ...shared]));
});

test('an order reads no more orders when there are many, on a plan from when there were none', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const market = await world.openMarket('early');
  await world.damage('alter table orders set (autovacuum_enabled = off); analyze orders');
  const intent = { executionIntent: 'record_intent' };
  const trade = async () => {
    await world.buy(market, 'ana');
    await world.sell(market, 'ana', 5);
    const { body: confirmed } = await world.place('ben', intent);
    await world.confirm(confirmed.orderId, { reserveReference: `reserve-${confirmed.orderId}` });
    const { body: cancelled } = await world.place('ben', intent);
    await world.cancel(cancelled.orderId);
  };
  const { orderId } = await world.buy(market, 'ana');
  await trade();
  await copyOrder(orderId, `'order_id', 'ord_' || n, 'external_user_id', 'copy-' || n`);
  const counted = async () => {
    await timePasses(COUNTED_MS);
    await trade();
    return rowsRead();
  };
  const before = await counted();
  for (let round = 0; round < 5; round += 1) {
    await trade();
  }
  expect((await counted()) - before).toBeLessThan(500);
});

test('a limit reads the orders of its window, and not all that the customer ever made', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const market = await world.openMarket('window');
  const limits = { maxWagerMinor: null, periodStakeMinor: 90_000, periodHours: 24 };
  expect((await world.request('PUT', '/api/v1/users/eva/limits', { body: limits })).status).toBe(200);
  const { orderId } = await world.buy(market, 'eva');
  const counted = async () => {
    await timePasses(COUNTED_MS);
    await world.buy(market, 'eva');
    await timePasses(COUNTED_MS);
    return rowsRead();
  };
  await copyOrder(
    orderId,
    `'order_id', id_at('ord', now() - interval '30 days') || lpad(n::text, 20, '0'), 'created_at', now() - interval '30 days'`,
  );
  const before = await counted();
  for (let round = 0; round < 5; round += 1) {
    await world.buy(market, 'eva');
  }
  expect((await counted()) - before).toBeLessThan(500);
});
