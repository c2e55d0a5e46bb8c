/** What the API answers after a backend ended or an answer was lost: the truth, or 503; and a repeated request finds what was done. */
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import type { TestMarket } from '../support/market.ts';
import type { TestResponse } from '../support/tenant.ts';
import { openWireProxy, type WireProxy } from '../support/wire-proxy.ts';
import { openWorld, type World } from '../support/world.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) {
    await close();
  }
});

async function start(): Promise<{ service: World; market: TestMarket; proxy: WireProxy }> {
  const database = await createTestDatabase();
  closing.push(database.close);
  const proxy = await openWireProxy(database.url);
  closing.push(proxy.close);
  const service = await openWorld({ database: { ...database, url: proxy.url } });
  closing.push(service.close);
  const market = await service.openMarket('lost');
  return { service, market, proxy };
}

const quote = (service: World, market: TestMarket, user: string): Promise<TestResponse> =>
  service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
const order = (service: World, user: string, quoteId: string): Promise<TestResponse> =>
  service.request('POST', '/api/v1/orders', { user, body: { quoteId, clientOrderId: `key-${user}` } });

test('orders whose answers are lost are 503, and their repetition is the order that was recorded', async () => {
  const { service, market, proxy } = await start();
  const users = ['ana', 'bea', 'cid'];
  const quoted = await Promise.all(users.map((user) => quote(service, market, user)));
  expect(quoted.map(({ status }) => status)).toEqual([200, 200, 200]);
  proxy.loseAnswersOf = 'place_orders(';
  const started = performance.now();
  const lost = await Promise.all(users.map((user, n) => order(service, user, quoted[n]?.body.quoteId)));
  proxy.loseAnswersOf = undefined;
  expect(lost.map(({ status, body }) => [status, body.error])).toEqual(users.map(() => [503, 'service_unavailable']));
  expect(lost.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1']);
  expect(performance.now() - started).toBeLessThan(15_000);
  const repeated = await Promise.all(users.map((user, n) => order(service, user, quoted[n]?.body.quoteId)));
  // those that waited for the call whose answer was lost were never sent, and are recorded now
  expect(repeated.map(({ body }) => body.status)).toEqual(users.map(() => 'filled'));
  expect(repeated.filter(({ status, body }) => status === 200 && body.idempotentReplay).length).toBeGreaterThan(0);
  const [counted] = await service.sql<{ orders: number; fills: number; held: string }[]>`
    select (select count(*)::int from orders) as orders, (select count(*)::int from journal where kind = 'order_executed' and quantity_micros > 0) as fills,
      (select sum(quantity_micros)::text from positions) as held`;
  expect(counted).toEqual({ orders: 3, fills: 3, held: String(3n * 17_192_982n) });
}, 60_000);

test('contract backends ended: after backends that ended in the middle of a result, every answer is the right one', async () => {
  const { service, market } = await start();
  const first = await quote(service, market, 'dia');
  const placed = await order(service, 'dia', first.body.quoteId);
  expect(placed.status).toBe(201);
  for (let round = 0; round < 3; round += 1) {
    const { sql } = service.context;
    await Promise.allSettled(
      Array.from(
        { length: 10 },
        () => sql`
          select n, case when n > 15 then pg_terminate_backend(pg_backend_pid()) end as ended, pg_sleep(0.005)
            from generate_series(1, 20) n`,
      ),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const user = `user-${round}-${n}`;
        const quoted = await quote(service, market, user);
        const ordered = await order(service, user, quoted.body.quoteId);
        const read = await service.request('GET', `/api/v1/orders/${placed.body.orderId}`);
        const list = await service.request('GET', '/api/v1/positions?externalUserId=dia');
        return [quoted.status, ordered.status, read.status, list.body.positions?.length];
      }),
    );
    expect(answers).toEqual(answers.map(() => [200, 201, 200, 1]));
  }
}, 60_000);
