/** Rows of some operators are locked by somebody else: their orders wait, those of all others are placed meanwhile. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

/** As many as there are calls of orders at once. */
const LOCKED = 2;
const CUSTOMERS = 40;

let service: World;
let holder: pg.Client;
let marketId: string;
beforeAll(async () => {
  service = await openWorld();
  holder = new pg.Client({ connectionString: service.database.ownerUrl });
  await holder.connect();
  marketId = (await service.openMarket('locked')).contractId;
});
afterAll(async () => {
  await holder.end();
  await service.close();
});

async function tenant(slug: string): Promise<{ operatorId: string; key: string }> {
  const operator = await service.createOperator({ slug });
  return { operatorId: operator.operatorId, key: (await service.issueKey(operator)).apiKey };
}

async function quote(key: string, user: string): Promise<string> {
  const body = { marketId, side: 'YES', action: 'buy', stake: 5 };
  return (await service.request('POST', '/api/v1/quotes', { key, user, body })).body.quoteId;
}

const order = (key: string, user: string, quoteId: string) =>
  service.request('POST', '/api/v1/orders', { key, user, body: { quoteId, clientOrderId: `order-of-${user}` } });

test('orders of others are placed while the counters of as many operators as there are calls are locked', async () => {
  const locked = await Promise.all(Array.from({ length: LOCKED }, (_, n) => tenant(`locked-${n}`)));
  const free = await tenant('free');
  const users = Array.from({ length: CUSTOMERS }, (_, n) => `customer-${n}`);
  const lockedQuotes = await Promise.all(locked.map(({ key }) => quote(key, 'ana')));
  const freeQuotes = await Promise.all(users.map((user) => quote(free.key, user)));
  await holder.query('begin');
  await holder.query('select 1 from operator_ledgers where operator_id = any ($1) for update', [
    locked.map(({ operatorId }) => operatorId),
  ]);
  const waiting = [];
  for (const [n, { key }] of locked.entries()) {
    // one call each
    waiting.push(order(key, 'ana', lockedQuotes[n] ?? ''));
    await until(
      () => service.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      (calls) => calls.length === n + 1,
    );
  }
  let released = false;
  const release = setTimeout(() => {
    released = true;
    void holder.query('rollback');
  }, 3_500);
  const placed = await Promise.all(users.map((user, n) => order(free.key, user, freeQuotes[n] ?? '')));
  const beforeRelease = !released;
  if (beforeRelease) {
    clearTimeout(release);
    await holder.query('rollback');
  }
  expect(placed.map(({ status }) => status)).toEqual(users.map(() => 201));
  expect(beforeRelease).toBe(true);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(locked.map(() => 201));
  for (const { key } of [...locked, free]) {
    const { body } = await service.request('GET', '/api/v1/reconciliation', { key });
    expect(body).toMatchObject({ ok: true });
  }
}, 60_000);
