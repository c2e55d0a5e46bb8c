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

test('an order reads no more orders when there are many, on a plan from when there were none', async () => {
  const market = await world.openMarket('early');
  await world.damage('alter table orders set (autovacuum_enabled = off); analyze orders');
  const { orderId } = await world.buy(market, 'ana');
  await world.damage(`
    insert into orders select copy.* from orders r, generate_series(1, ${GROWN}) n,
      jsonb_populate_record(r, jsonb_build_object('order_id', 'ord_' || n, 'client_order_id', 'copy-' || n,
        'external_user_id', 'copy-' || n, 'execution_ref', 'copy-' || n, 'quote_id', 'qt_' || n)) copy
    where r.order_id = '${orderId}'`);
  const counted = async () => {
    await timePasses(COUNTED_MS);
    await world.buy(market, 'ana');
    return rowsRead();
  };
  const before = await counted();
  for (let order = 0; order < 5; order += 1) {
    await world.buy(market, 'ana');
  }
  expect((await counted()) - before).toBeLessThan(500);
}, 60_000);
