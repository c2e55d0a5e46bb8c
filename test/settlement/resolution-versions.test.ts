/** A settlement pays the resolution that holds when it is written, and changes of a resolution are told apart by versions. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import { readEvents } from '../support/events.ts';
import { readItems } from '../support/items.ts';
import type { TestMarket } from '../support/market.ts';
import { settlementsIn } from '../support/settlements.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

async function buy(market: TestMarket, user: string) {
  await service.context.board.refresh();
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const placed = await service.request('POST', '/api/v1/orders', {
    user,
    body: { quoteId: quoted.body.quoteId, clientOrderId: `${user}-${market.contractId}` },
  });
  expect(placed.status, placed.text).toBe(201);
}

async function resolve(market: TestMarket, resolution: string | null) {
  const action = resolution === null ? 'reopen' : 'resolve';
  await service.sql`select * from decide_market(${market.contractId}, ${action}, ${resolution}, ${null})`;
}

/** Runs `work` while another session holds the rows that `statement` locks, and frees them once `work` waits for them. */
async function whileLocked(statement: string, work: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const holder = new pg.Client({ connectionString: service.database.ownerUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query(statement);
    const [held] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    const working = work();
    await until(
      () => service.sql`select pid from pg_stat_activity where ${held?.pid ?? 0} = any (pg_blocking_pids(pid))`,
      (waiting) => waiting.length > 0,
      30_000,
    );
    await meanwhile();
    await holder.query('commit');
    await working;
  } finally {
    await holder.end();
  }
}

const events = async ({ contractId }: TestMarket) => {
  const raised = await readEvents(service.sql);
  return raised
    .filter(({ type, data }) => type === 'market.resolution_changed' && data.contractId === contractId)
    .map(({ dedupeKey, data }) => ({ dedupeKey, ids: data.affectedPositionIds, now: data.currentResolution }));
};

// contract 16.7
test('a settlement that waited while its resolution was withdrawn pays nothing', async () => {
  const market = await service.openMarket('withdrawn');
  await buy(market, 'ana');
  await resolve(market, 'YES');
  await whileLocked(
    `select 1 from customers where external_user_id = 'ana' for update`,
    () => settleMarket(service.sql, market.contractId),
    () => resolve(market, null),
  );
  expect(
    await service.sql`select 1 from ${settlementsIn(service.sql)} where contract_id = ${market.contractId}`,
  ).toEqual([]);
  await resolve(market, 'NO');
  await settleMarket(service.sql, market.contractId);
  const [settled] = await service.sql`
    select settlement.outcome, settlement.resolution, settlement.resolution_version, c.resolution_version as current
    from ${settlementsIn(service.sql)} join contracts c using (contract_id) where settlement.contract_id = ${market.contractId}`;
  expect(settled).toEqual({ outcome: 'lost', resolution: 'NO', resolutionVersion: 3, current: 3 });
});

// contract 16.7
test('one that changed meanwhile is paid as it resolves now', async () => {
  const market = await service.openMarket('replaced');
  await buy(market, 'ben');
  await resolve(market, 'YES');
  await whileLocked(
    `select 1 from customers where external_user_id = 'ben' for update`,
    () => settleMarket(service.sql, market.contractId),
    () => resolve(market, 'NO'),
  );
  expect(
    await service.sql`select outcome from ${settlementsIn(service.sql)} where contract_id = ${market.contractId}`,
  ).toEqual([{ outcome: 'lost' }]);
  expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(0);
});

test('a reopening that waited for a lock while positions were paid is reported', async () => {
  const market = await service.openMarket('waited');
  await buy(market, 'cat');
  await resolve(market, 'YES');
  // the transaction of the reopening begins before the payment and ends after it
  const reopening = new pg.Client({ connectionString: service.database.ownerUrl });
  await reopening.connect();
  try {
    await reopening.query('begin');
    await reopening.query('select now()');
    expect(await settleMarket(service.sql, market.contractId)).toBe(1);
    await reopening.query(`select * from decide_market($1, 'reopen')`, [market.contractId]);
    await reopening.query('commit');
  } finally {
    await reopening.end();
  }
  expect(await raiseResolutionChanges(service.sql, null)).toBe(1);
  expect((await events(market)).map((event) => event.now)).toEqual([null]);
});

// contract 17.2, contract 17.3
test('each change between two runs is reported, and a position is named once in each', async () => {
  const market = await service.openMarket('repeated');
  await buy(market, 'dan');
  await resolve(market, 'YES');
  await settleMarket(service.sql, market.contractId);
  for (const resolution of [null, 'NO', null, 'NO', null]) {
    await resolve(market, resolution);
  }
  await raiseResolutionChanges(service.sql, market.contractId);
  const raised = await events(market);
  expect(raised.map((event) => event.now)).toEqual([null, 'NO', null, 'NO', null]);
  for (const { ids } of raised) {
    expect(ids).toHaveLength(1);
  }
});

// contract 17.2, contract 17.3
test('a result that changes back and forth is reported each time, and the last event says what holds', async () => {
  const market = await service.openMarket('forth');
  await buy(market, 'gus');
  await resolve(market, 'YES');
  await settleMarket(service.sql, market.contractId);
  for (const resolution of ['NO', 'YES', 'NO', null, 'YES', null]) {
    await resolve(market, resolution);
    expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(1);
    expect((await events(market)).at(-1)?.now).toBe(resolution);
  }
  const key = (change: string) =>
    `market.resolution_changed:${market.contractId}:YES->${change.replace(/:|$/, `:${service.operator.operatorId}$&`)}`;
  expect((await events(market)).map(({ dedupeKey }) => dedupeKey)).toEqual(
    ['NO', 'YES', 'NO:2', 'null', 'YES:2', 'null:2'].map(key),
  );
  expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(0);
});

test('workers that look at the same time report a change once', async () => {
  const market = await service.openMarket('together');
  await buy(market, 'fay');
  await resolve(market, 'YES');
  await settleMarket(service.sql, market.contractId);
  await resolve(market, 'NO');
  const raised = await Promise.all(
    Array.from({ length: 4 }, () => raiseResolutionChanges(service.sql, market.contractId)),
  );
  expect(raised.toSorted()).toEqual([0, 0, 0, 1]);
  expect(await events(market)).toHaveLength(1);
});

test('a result that returns to what was paid is reported again', async () => {
  const market = await service.openMarket('returned');
  await buy(market, 'eve');
  await resolve(market, 'YES');
  await settleMarket(service.sql, market.contractId);
  await resolve(market, 'NO');
  await resolve(market, 'YES');
  expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(2);
  expect((await events(market)).map((event) => event.now).toSorted()).toEqual(['NO', 'YES']);
  expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(0);
});

// contract 16.6
test('settledAt is the occurredAt of its feed item', async () => {
  const market = await service.openMarket('dated');
  for (const user of ['f1', 'f2', 'f3']) {
    await buy(market, user);
  }
  await resolve(market, 'YES');
  expect(await settleMarket(service.sql, market.contractId)).toBe(3);
  const { body } = await service.request('GET', '/api/v1/settlements?limit=100');
  const items = await readItems(service.sql, service.operator.operatorId);
  const timeOf = new Map(items.map(({ id, occurredAt }) => [id, occurredAt]));
  const settled = body.settlements.filter(({ contractId }: { contractId: string }) => contractId === market.contractId);
  expect(settled).toHaveLength(3);
  for (const { id, settledAt } of settled) {
    expect(settledAt).toBe(timeOf.get(id));
  }
});
