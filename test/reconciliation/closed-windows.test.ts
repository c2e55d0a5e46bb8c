/** An export's window is closed: what it holds today it holds tomorrow, also with orders on their way while it was read. */
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function exported(kind: 'orders' | 'positions', window: string): Promise<string[]> {
  const answer = await world.request('GET', `/api/v1/reconciliation/export?format=csv&kind=${kind}&${window}`);
  expect(answer.status, answer.text).toBe(200);
  const rows: Record<string, string>[] = parse(answer.text, { columns: true });
  return rows.map((row) => row['externalUserId'] ?? '');
}

// contract 25.4
test('an order that was on its way when its window was exported is in the next window, and in that alone', async () => {
  const market = await world.openMarket('windows');
  await world.buy(market, 'early');
  const quoted = await world.request('POST', '/api/v1/quotes', {
    user: 'late',
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  // the order's statement has read its time, and waits to see whether it opens its position before it comes to the counter
  const holder = new pg.Client({ connectionString: world.database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`insert into positions select (jsonb_populate_record(p, '{"position_id":"pos_held","external_user_id":"late"}')).*
    from positions p where external_user_id = 'early'`);
  const [held] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
  const placing = world.request('POST', '/api/v1/orders', {
    user: 'late',
    body: { quoteId: quoted.body.quoteId, clientOrderId: 'late-1' },
  });
  await until(
    () => world.sql`select pid from pg_stat_activity where ${held?.pid ?? 0} = any (pg_blocking_pids(pid))`,
    (waiting) => waiting.length > 0,
    20_000,
  );
  await timePasses(20);
  const end = new Date().toISOString();
  const first = [await exported('orders', `to=${end}`), await exported('positions', `to=${end}`)];
  await holder.query('rollback');
  await holder.end();
  expect((await placing).status).toBe(201);
  expect(first).toEqual([['early'], ['early']]);
  expect([await exported('orders', `to=${end}`), await exported('positions', `to=${end}`)]).toEqual(first);
  expect([await exported('orders', `from=${end}`), await exported('positions', `from=${end}`)]).toEqual([
    ['late'],
    ['late'],
  ]);
});

test('a position is in the window of its first fill, not of a later one', async () => {
  const market = await world.openMarket('grown');
  await world.buy(market, 'grows');
  await timePasses(20);
  const middle = new Date().toISOString();
  await world.buy(market, 'grows', 'YES', 20);
  await world.buy(market, 'grows', 'NO');
  expect((await exported('positions', `to=${middle}`)).filter((user) => user === 'grows')).toHaveLength(1);
  expect((await exported('positions', `from=${middle}`)).filter((user) => user === 'grows')).toHaveLength(1);
  expect((await exported('orders', `from=${middle}`)).filter((user) => user === 'grows')).toHaveLength(2);
});

// contract 25.5
test('a window ends by the database clock, also where the clock of the API process is ahead', async () => {
  const market = await world.openMarket('ahead');
  await world.buy(market, 'before');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
  try {
    const answer = await world.request('GET', '/api/v1/reconciliation/export?format=csv&kind=orders');
    const end = answer.headers.get('x-export-to') ?? '';
    expect(JSON.parse(answer.headers.get('x-export') ?? '{}').to).toBe(end);
    const [database] = await world.sql<{ now: Date }[]>`select clock_timestamp() as now`;
    expect(Date.parse(end)).toBeLessThanOrEqual(database?.now.getTime() ?? 0);
    await timePasses(20);
    const [quote] = [
      await world.request('POST', '/api/v1/quotes', {
        user: 'after',
        body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
      }),
    ];
    await world.request('POST', '/api/v1/orders', {
      user: 'after',
      body: { quoteId: quote.body.quoteId, clientOrderId: 'after-1' },
    });
    expect(await exported('orders', `from=${end}`)).toEqual(['after']);
    expect(await exported('orders', `to=${end}`)).not.toContain('after');
  } finally {
    vi.useRealTimers();
  }
});
