/** More requests than places: what the holder of a key may take, what waits, and what is refused, with real locks. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedMarket } from '../support/market.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Different reports of one holder: one runs, and four wait at most. */
const REPORTS = 8;
const REFUSED = 3;
const MONEY_OF_HOLDER = 192;
const LATE = 20;

let service: TestService;
let owner: pg.Client;
let marketId: string;
beforeAll(async () => {
  service = await startTestService();
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  marketId = (await seedMarket(service.sql, 'overload')).contractId;
  await service.context.board.refresh();
});
afterAll(async () => {
  await owner.end();
  await service.close();
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

function quote(user: string, key = service.key) {
  const body = { marketId, side: 'YES', action: 'buy', stake: 5 };
  return service.request('POST', '/api/v1/quotes', { key, user, body });
}

function order(user: string, quoteId: string, key = service.key) {
  return service.request('POST', '/api/v1/orders', { key, user, body: { quoteId, clientOrderId: `of-${user}` } });
}

test('a holder whose reports hang is refused more of them at once, and everything else is served', async () => {
  const other = await service.createOperator({ slug: 'other' });
  const { apiKey } = await service.issueKey(other);
  // a new customer of a sandbox gets funds, which is an entry of the ledger
  expect((await quote('ana')).status).toBe(200);
  const refused: number[] = [];
  const reports: Promise<number>[] = [];
  await whileLocked('journal', async () => {
    for (const month of Array.from({ length: REPORTS }, (_, n) => n + 1)) {
      reports.push(
        service.request('GET', `/api/v1/reconciliation?from=2026-0${month}-01`).then(({ status, headers, body }) => {
          if (status === 503) {
            refused.push(Number(headers.get('retry-after')));
            expect(body).toMatchObject({ error: 'service_unavailable', retryAfterSeconds: refused.at(-1) });
          }
          return status;
        }),
      );
    }
    expect((await quote('ana')).status).toBe(200);
    for (const key of [service.key, apiKey]) {
      expect((await service.request('GET', '/api/v1/orders', { key })).status).toBe(200);
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
    answers = Array.from({ length: 60 }, async () => (await service.request('GET', '/api/v1/reconciliation')).status);
    const running = () =>
      service.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'inlay-api-reports' and state = 'active'`;
    await until(running, ([row]) => (row?.count ?? 0) > 0);
    // a request that came after all of them is answered
    expect((await service.request('GET', '/api/v1/orders')).status).toBe(200);
    expect([...(await running())]).toEqual([{ count: 1 }]);
  });
  expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
}, 60_000);

test('the children of an aggregator share the places of one holder, for reports and for exports', async () => {
  const holder = await service.createOperator({ slug: 'holder' });
  const children: string[] = [];
  for (const slug of Array.from({ length: REPORTS }, (_, n) => `child-${n}`)) {
    const child = await service.createOperator({ slug, parent: holder.slug });
    children.push((await service.issueKey(child)).apiKey);
  }
  const get = async (key: string, path: string) => (await service.request('GET', path, { key })).status;
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
  const quotes = await Promise.all(users.map(async (user) => (await quote(user)).body.quoteId as string));
  const other = await service.createOperator({ slug: 'beside' });
  const { apiKey } = await service.issueKey(other);
  const { quoteId } = (await quote('ben', apiKey)).body;
  await owner.query('begin');
  await owner.query('select from operator_ledgers where operator_id = $1 for update', [service.operator.operatorId]);
  const refused: string[] = [];
  const orders = users.map(async (user, n) => {
    const { status, headers } = await order(user, quotes[n] ?? '');
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
    expect((await order('ben', quoteId, apiKey)).status).toBe(201);
  } finally {
    await owner.query('rollback');
  }
  expect((await Promise.all(orders)).filter((status) => status === 201)).toHaveLength(MONEY_OF_HOLDER);
  const repeated = await Promise.all(refused.map((user) => order(user, quotes[users.indexOf(user)] ?? '')));
  expect(repeated.map(({ status }) => status)).toEqual(refused.map(() => 201));
}, 60_000);
