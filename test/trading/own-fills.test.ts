/**
 * The fill of an order that is filled at once is part of the order's row; those of orders at venues are rows.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let bought = '';
let part = '';

beforeAll(async () => {
  world = await openWorld();
  const { request } = world;
  const [won, open] = [await world.openMarket('fills-won'), await world.openMarket('fills-open')];
  bought = (await world.buy(won, 'ana')).orderId;
  await world.buy(open, 'ben "b"', 'NO', 7);
  await world.sell(won, 'ana', 5);
  await world.buy(open, 'cem', 'YES', 50, { executionIntent: 'record_intent' });
  await request('POST', '/api/v1/sandbox/scenarios', { body: { kind: 'partial_fill', fillFraction: 0.4 } });
  part = (await world.buy(open, 'cem', 'YES', 20)).orderId;
  await world.resolve(won, 'YES');
});
afterAll(() => world.close());

const get = async (path: string) => world.request('GET', path);

test('an order that is filled at once has no row beside it, and its fill says what it cost', async () => {
  const { sql } = world;
  expect(await sql`select 1 from fill_rows`).toEqual([]);
  const fills = await sql`
    select f.*, r.filled_quantity, r.price_weight, r.created_at from fills f join orders r using (operator_id, order_id)`;
  expect(fills).toHaveLength(4);
  for (const fill of fills) {
    expect(fill).toMatchObject({
      fillNo: 1,
      fillId: fill['orderId'].replace('ord', 'fil'),
      quantity: fill['filledQuantity'],
      feeMicros: 0n,
      venueFillId: null,
      filledAt: fill['createdAt'],
    });
    expect(BigInt(fill['priceWeight'])).toBe(fill['quantity'] * fill['priceMicros']);
  }
  const { body } = await get(`/api/v1/orders/${part}?fills=true`);
  expect(body).toMatchObject({ status: 'partially_filled', fills: [{ fillId: expect.stringMatching(/^fil_/) }] });
});

test.each([
  ['its quantity', 'filled_quantity = filled_quantity + 1'],
  ['its prices', 'price_weight = price_weight + 1'],
  ['its time', "created_at = created_at + interval '1 second'"],
  ['that it has one', 'filled_at_once = false'],
  ['its state', "status = 'partially_filled'"],
  ['its money', 'trade_minor = trade_minor + 1, platform_fee_minor = platform_fee_minor - 1'],
  ['its names', "client_order_id = 'another order'"],
])('of an order with a fill of its own nobody changes %s', async (_, change) => {
  const { sql } = world;
  const { orderId } = await world.buy(await world.openMarket(`fills-${change.length}`), 'ana');
  await expect(sql.unsafe(`update orders set ${change} where order_id = '${orderId}'`)).rejects.toMatchObject({
    code: 'IN003',
  });
  await sql`update orders set updated_at = now(), filled_quantity = filled_quantity where order_id = ${orderId}`;
  expect((await get('/api/v1/reconciliation')).body).toMatchObject({ ok: true });
});

test('nobody gives a fill to an order that was not filled at once', async () => {
  const { sql } = world;
  await expect(sql`update orders set filled_at_once = true where filled_quantity = 0`).rejects.toMatchObject({
    code: 'IN003',
  });
  await expect(world.damage(`update orders set filled_at_once = true where filled_quantity = 0`)).rejects.toMatchObject(
    { constraint: 'orders_own_fill' },
  );
  await expect(
    world.damage(`update orders set simulated = false, filled_at_once = true where order_id = '${bought}'`),
  ).rejects.toMatchObject({ constraint: 'orders_own_fill' });
});

test('the fills of an order are looked up by its key', async () => {
  const owner = connect(world.database.ownerUrl, { max: 1, applicationName: 'own-fills' });
  await owner`set enable_seqscan = off`;
  const lines = await owner<{ 'QUERY PLAN': string }[]>`
    explain select f.* from (values ('op_1', 'ord_1'), ('op_2', 'ord_2')) x(operator_id, order_id)
      join fills f on f.operator_id = x.operator_id and f.order_id = x.order_id`;
  await owner.end();
  const plan = lines.flatMap((line) => Object.values(line)).join('\n');
  for (const table of ['fill_rows', 'orders']) {
    expect(plan).toMatch(
      new RegExp(`Index Scan using \\w+ on ${table}\\b[^\n]*\n +Index Cond: [^\n]*operator_id[^\n]*order_id`),
    );
  }
});
