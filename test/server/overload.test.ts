/** More requests than places: what the holder of a key may take, what waits, and what is refused, with real locks. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

/** Different reports of one holder: one runs, and four wait at most. */
const REPORTS = 8;
const REFUSED = 3;
const MONEY_OF_HOLDER = 192;
const LATE = 20;

let world: World;
let owner: pg.Client;
beforeAll(async () => {
  world = await openWorld();
  owner = new pg.Client({ connectionString: world.database.ownerUrl });
  await owner.connect();
  await world.openMarket('overload');
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

/** Does the work while nobody reads or writes the table. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await owner.query('begin');
  await owner.query(`lock table ${table} in access exclusive mode`);
  try {
    await work();
  } finally {
    await owner.query('rollback');
  }
}

test('a holder whose reports hang is refused more of them at once, and everything else is served', async () => {
  const other = await world.tenant({ mode: 'sandbox' });
  // a new customer of a sandbox gets funds, which is an entry of the ledger
  expect((await world.quote('ana')).status).toBe(200);
  const refused: number[] = [];
  const reports: Promise<number>[] = [];
  await whileLocked('journal', async () => {
    for (const month of Array.from({ length: REPORTS }, (_, n) => n + 1)) {
      reports.push(
        world.request('GET', `/api/v1/reconciliation?from=2026-0${month}-01`).then(({ status, headers, body }) => {
          if (status === 503) {
            refused.push(Number(headers.get('retry-after')));
            expect(body).toMatchObject({ error: 'service_unavailable', retryAfterSeconds: refused.at(-1) });
          }
          return status;
        }),
      );
    }
    expect((await world.quote('ana')).status).toBe(200);
    for (const key of [world.key, other.key]) {
      expect((await world.request('GET', '/api/v1/orders', { key })).status).toBe(200);
    }
    await until(
      () => refused.length,
      (count) => count >= REFUSED,
    );
    expect(refused.every((seconds) => seconds >= 1 && seconds <= 30)).toBe(true);
  });
  expect(await Promise.all(reports)).toContain(200);
}, 60_000);

test('sixty equal reports are one run, over one connection', async () => {
  let answers: Promise<number>[] = [];
  await whileLocked('journal', async () => {
    answers = Array.from({ length: 60 }, async () => (await world.request('GET', '/api/v1/reconciliation')).status);
    const running = () =>
      world.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'inlay-api-reports' and state = 'active'`;
    await until(running, ([row]) => (row?.count ?? 0) > 0);
    // a request that came after all of them is answered
    expect((await world.request('GET', '/api/v1/orders')).status).toBe(200);
    expect([...(await running())]).toEqual([{ count: 1 }]);
  });
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
}, 60_000);

test('the children of an aggregator share the places of one holder, for reports and for exports', async () => {
  const holder = await world.createOperator({ slug: 'holder' });
  const children: string[] = [];
  for (const slug of Array.from({ length: REPORTS }, (_, n) => `child-${n}`)) {
    const child = await world.createOperator({ slug, parent: holder.slug });
    children.push((await world.issueKey(child)).apiKey);
  }
  const get = async (key: string, path: string) => (await world.request('GET', path, { key })).status;
  const ask = async (path: string, refusals: number): Promise<number[]> => {
    let answers: Promise<number>[] = [];
    let refused = 0;
    await whileLocked('journal', async () => {
      answers = children.map(async (key) => {
        const status = await get(key, path);
        refused += status === 503 ? 1 : 0;
        return status;
      });
      await until(
        () => refused,
        (count) => count >= refusals,
      );
    });
    return Promise.all(answers);
  };
  expect(await ask('/api/v1/reconciliation', REFUSED)).toContain(200);
  const exports = await ask('/api/v1/reconciliation/export?kind=ledger', REPORTS - 1);
  expect(exports.filter((status) => status === 200)).toHaveLength(1);
}, 60_000);

test('orders of a holder beyond its places are refused when they are late; those of others are placed meanwhile, and a repetition is a first try', async () => {
  const users = Array.from({ length: MONEY_OF_HOLDER + LATE }, (_, n) => `customer-${n}`);
  const quotes = await Promise.all(users.map(async (user) => (await world.quote(user)).body.quoteId as string));
  const other = await world.tenant({ mode: 'sandbox' });
  const { quoteId } = (await other.quote('ben')).body;
  await owner.query('begin');
  await owner.query('select from operator_ledgers where operator_id = $1 for update', [world.operator.operatorId]);
  const refused: string[] = [];
  const order = (user: string, n: number) => world.order(user, { quoteId: quotes[n], clientOrderId: `of-${user}` });
  const orders = users.map(async (user, n) => {
    const { status, headers } = await order(user, n);
    if (status === 503) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      refused.push(user);
    }
    return status;
  });
  try {
    await until(
      () => refused.length,
      (count) => count === LATE,
    );
    expect((await other.order('ben', { quoteId, clientOrderId: 'of-ben' })).status).toBe(201);
  } finally {
    await owner.query('rollback');
  }
  expect((await Promise.all(orders)).filter((status) => status === 201)).toHaveLength(MONEY_OF_HOLDER);
  const repeated = await Promise.all(refused.map((user) => order(user, users.indexOf(user))));
  expect(repeated.map(({ status }) => status)).toEqual(refused.map(() => 201));
}, 60_000);
