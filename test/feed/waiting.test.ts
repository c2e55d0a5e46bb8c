/** Reads of the feed that wait: woken by the next item, holding nothing meanwhile, and four at once of a key. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { revokeKey } from '../../src/operators/keys.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { TestMarket } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
let market: TestMarket;
let cursor: string;
beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('waiting');
  tenant = await world.tenant({ mode: 'sandbox' });
  await tenant.buy(market, 'ana');
  cursor = await endOf(tenant);
});
afterAll(() => world.close());

const feed = (query: string, key = tenant.key) => world.request('GET', `/api/v1/reconciliation/feed?${query}`, { key });
const endOf = async ({ key }: Tenant): Promise<string> => (await feed('limit=500', key)).body.nextCursor;

/** A read that was begun, and how long it took in the end. */
function begin(query: string, key = tenant.key) {
  const since = performance.now();
  const state = { isOver: false, tookMs: 0 };
  const answer = feed(query, key).finally(() => {
    state.isOver = true;
    state.tookMs = performance.now() - since;
  });
  return { answer, state };
}

const sessions = async (): Promise<number> => {
  const [row] = await world.sql<{ busy: number }[]>`
    select count(*)::int as busy from pg_stat_activity
    where application_name = 'inlay-api-reads' and (state <> 'idle' or xact_start is not null)`;
  return row?.busy ?? -1;
};

// contract 21.16
test('a read waits for the next item, without a connection, and has it as soon as it is recorded', async () => {
  const { answer, state } = begin(`cursor=${cursor}&wait=20`);
  await timePasses(700);
  // the look for new rows, each second, may be under way
  await until(sessions, (busy) => busy === 0);
  expect(state.isOver).toBe(false);
  const since = performance.now();
  const { orderId } = await tenant.buy(market, 'ana');
  const { status, body } = await answer;
  expect([status, body.items[0].orderId, body.items[0].type]).toEqual([200, orderId, 'order.state_changed']);
  expect(performance.now() - since).toBeLessThan(900);
  cursor = await endOf(tenant);
});

// contract 21.16
test('it ends when its seconds are over, with the same cursor; without them, and with items, it does not wait', async () => {
  const { answer, state } = begin(`cursor=${cursor}&wait=1`);
  const { body } = await answer;
  expect(body).toEqual({ items: [], nextCursor: cursor, hasMore: false });
  expect(state.tookMs).toBeGreaterThan(950);
  for (const query of [`cursor=${cursor}`, `cursor=${cursor}&wait=0`, `cursor=${cursor}&wait=soon`, 'wait=20']) {
    const read = begin(query);
    await read.answer;
    expect([query, read.state.tookMs < 900]).toEqual([query, true]);
  }
});

// contract 21.16
test('items of other operators, and of types that were not asked for, end no wait', async () => {
  const other = await world.tenant({ mode: 'sandbox' });
  const { answer, state } = begin(`cursor=${cursor}&wait=20&type=position.exited`);
  await other.buy(market, 'ben');
  await tenant.buy(market, 'ana');
  await timePasses(500);
  expect(state.isOver).toBe(false);
  await tenant.sell(market, 'ana', 1);
  expect((await answer).body.items.map(({ type }: AnyJson) => type)).toEqual(['position.exited']);
  cursor = await endOf(tenant);
});

// contract 21.16
test('four of a key wait, a fifth is answered at once, and another key has its own four', async () => {
  const { apiKey, keyId } = await world.issueKey(tenant.operator, { rateLimit: 60 });
  const { apiKey: second } = await world.issueKey(tenant.operator);
  // whichever of them came last
  const five = Array.from({ length: 5 }, () => begin(`cursor=${cursor}&wait=20`, apiKey));
  const { body } = await Promise.race(five.map(({ answer }) => answer));
  const four = five.filter(({ state }) => !state.isOver);
  expect([body.items, four.length]).toEqual([[], 4]);
  // each counted once, however long it waited
  const { headers } = await feed(`cursor=${cursor}`, apiKey);
  expect(headers.get('ratelimit-remaining')).toBe('54');
  const others = begin(`cursor=${cursor}&wait=20`, second);
  await timePasses(300);
  expect([...four, others].map(({ state }) => state.isOver)).toEqual([false, false, false, false, false]);
  // a key that is revoked meanwhile gets nothing
  await revokeKey(world.sql, keyId);
  await tenant.buy(market, 'ana');
  for (const { answer } of four) {
    const refused = await answer;
    expect([refused.status, refused.body.error]).toEqual([401, 'revoked_key']);
  }
  expect((await others.answer).body.items.length).toBeGreaterThan(0);
  cursor = await endOf(tenant);
});

// contract 21.16
test('a deposit of collateral ends the wait at once', async () => {
  const live = await world.tenant();
  const { answer } = begin(`cursor=${await endOf(live)}&wait=20`, live.key);
  await timePasses(700);
  const since = performance.now();
  await moveCollateral(world.sql, live.operator.operatorId, 'deposit', 100n);
  expect((await answer).body.items.map(({ type }: AnyJson) => type)).toEqual(['ledger.posted', 'collateral.moved']);
  expect(performance.now() - since).toBeLessThan(500);
});

test('an item without a notification ends the wait a second later, also after the listener broke', async () => {
  const { contractId } = market;
  cursor = await endOf(tenant);
  const { answer } = begin(`cursor=${cursor}&wait=20&type=position.settled`);
  await timePasses(300);
  const owner = new pg.Client({ connectionString: world.database.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query(`
    select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
    where application_name = 'inlay-api-listener' and datname = current_database()`);
  await owner.end();
  expect(rows[0].ended).toBe(1);
  await timePasses(300);
  const since = performance.now();
  await world.sql`select * from decide_market(${contractId}, 'resolve', 'YES', null)`;
  await settleMarket(world.sql, contractId);
  expect((await answer).body.items[0].type).toBe('position.settled');
  expect(performance.now() - since).toBeLessThan(3_000);
  cursor = await endOf(tenant);
});

test('waiting takes no place among the reads, and a client that goes away takes its own with it', async () => {
  const { apiKey } = await world.issueKey(tenant.operator);
  const gone = new AbortController();
  const left = Array.from({ length: 4 }, () =>
    fetch(`${world.url}/api/v1/reconciliation/feed?cursor=${cursor}&wait=20`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: gone.signal,
    }).catch(() => null),
  );
  await timePasses(300);
  gone.abort();
  await Promise.all(left);
  const next = await until(
    async () => {
      const read = begin(`cursor=${cursor}&wait=1`, apiKey);
      await read.answer;
      return read.state.tookMs;
    },
    (tookMs) => tookMs > 900,
  );
  expect(next).toBeGreaterThan(900);
  const text = (await world.request('GET', '/metrics', { key: null })).text;
  const slow =
    /inlay_http_request_duration_seconds_bucket\{le="1",method="GET",route="\/api\/v1\/reconciliation\/feed"\} (\d+)/.exec(
      text,
    );
  const all =
    /inlay_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/reconciliation\/feed"\} (\d+)/.exec(
      text,
    );
  expect(slow?.[1]).toBe(all?.[1]);
});
