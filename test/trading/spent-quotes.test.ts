/** The order of a quote spends it: the database holds one order a quote, whoever writes, and the quote stays as it was. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const quoteOf = async (orderId: string) => {
  const [row] = await world.sql<{ quoteId: string }[]>`select quote_id from orders where order_id = ${orderId}`;
  return row?.quoteId ?? '';
};

test('an order leaves its quote as it was written', async () => {
  const { sql } = world;
  const market = await world.openMarket('spent-once');
  const quoted = await world.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const read = () => sql`select xmin::text, ctid::text, q::text from quotes q where quote_id = ${quoted.body.quoteId}`;
  const before = await read();
  const body = { quoteId: quoted.body.quoteId, clientOrderId: 'one' };
  expect(await world.request('POST', '/api/v1/orders', { user: 'ana', body })).toMatchObject({ status: 201 });
  expect(await read()).toEqual(before);
  expect((await world.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true });
});

// contract 9.6
test('a quote that is written again after a lost answer keeps its expiry, and the answer says so', async () => {
  const { sql, operator } = world;
  const market = await world.openMarket('repeated');
  const quoted = await world.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const [again] = await sql<{ code: string | null; expiresAt: Date }[]>`
    select issued.code, issued.expires_at from quotes q
      join contracts contract on contract.contract_id = q.contract_id
      cross join lateral issue_quotes(${operator.operatorId}, array[json_populate_record(null::quote_command,
        (to_jsonb(q) || jsonb_build_object('hold_seconds', 3600, 'book_revision', contract.book_revision))::json)]) issued
    where q.quote_id = ${quoted.body.quoteId}`;
  expect(again).toEqual({ code: null, expiresAt: new Date(quoted.body.expiresAt) });
});

test('a second order cannot have the quote of another one, for the service or the owner', async () => {
  const market = await world.openMarket('spent-twice');
  const [one, other] = [(await world.buy(market, 'ana')).orderId, (await world.buy(market, 'ben')).orderId];
  const taken = `update orders set quote_id = '${await quoteOf(one)}' where order_id = '${other}'`;
  await expect(world.sql.unsafe(taken)).rejects.toThrow('orders_quote');
  await expect(world.damage(taken)).rejects.toThrow('orders_quote');
});

test('an order keeps the levels of the book that its quote took, when the quote has left with its week', async () => {
  const market = await world.openMarket('levels', {
    bids: [['0.50', '100']],
    asks: [
      ['0.55', '2'],
      ['0.57', '100'],
    ],
  });
  const { orderId } = await world.buy(market, 'ana');
  const [order] = await world.sql`select levels from orders where order_id = ${orderId}`;
  expect(order).toEqual({
    levels: [
      ['550000', '2000000'],
      ['570000', '100000000'],
    ],
  });
  await world.damage(`delete from quotes where quote_id = '${await quoteOf(orderId)}'`);
  expect((await world.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true });
});

test('an order whose process has a clock that is slow by half an hour is not recorded, because limits would not count it', async () => {
  const market = await world.openMarket('slow-clock');
  const { orderId } = await world.buy(market, 'ana');
  const place = world.sql`
    select * from orders placed cross join lateral place_orders(placed.operator_id, array[jsonb_populate_record(null::order_row,
      to_jsonb(placed) || jsonb_build_object('order_id', id_at('ord', now() - interval '31 minutes')))], array[null::order_effects],
      array[]::journal_row[], array[]::integer[])
    where placed.order_id = ${orderId}`;
  await expect(place).rejects.toThrow(/the clock of its process is wrong/);
});
