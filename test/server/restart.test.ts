/** A restart without a gap: a second process takes over from the first under load, behind a balancer that repeats nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/operators/keys.ts';
import { createOperator } from '../../src/operators/operators.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedMarket, setBook, type TestMarket } from '../support/market.ts';
import { type Program, startInlay } from '../support/process.ts';
import { timePasses, until } from '../support/until.ts';

const CLIENTS = 4;
const PAUSE_MS = 20;

let database: TestDatabase;
let balancer: Balancer;
let folder = '';
let key = '';
let market: TestMarket;
const started: Program[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'inlay-restart-'));
  balancer = await startBalancer();
  const operator = await createOperator(database.sql, { slug: 'swapped', mode: 'sandbox', rateCeiling: 100_000 });
  key = (await issueKey(database.sql, operator, { rateLimit: 6000 })).apiKey;
  market = await seedMarket(database.sql, 'swapped');
});

afterAll(async () => {
  for (const { child } of started) {
    child.kill('SIGKILL');
  }
  await Promise.all(started.map(({ ended }) => ended));
  await balancer.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function startServe(): Promise<Program> {
  const program = startInlay(['serve', '--json'], {
    env: {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      INLAY_DATA_DIR: folder,
      INLAY_SECRET: 'a secret that only tests know',
      PORT: '0',
      LOG_LEVEL: 'warn',
    },
  });
  started.push(program);
  await program.prints(/"url"/);
  balancer.add((JSON.parse(program.output().stdout) as { url: string }).url);
  return program;
}

async function post(path: string, user: string, body: object): Promise<{ status: number; body: { quoteId?: string } }> {
  const response = await fetch(balancer.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-service-user': user, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

// contract 39.2
test('no request is lost or refused while one API process takes the place of another', { tags: 'proof' }, async () => {
  const first = await startServe();
  await until(
    () => fetch(`${balancer.url}/api/health`),
    ({ status }) => status === 200,
  );
  const statuses = new Map<number, number>();
  const failures: unknown[] = [];
  let running = true;
  let orders = 0;
  const note = (answer: { status: number; body: unknown }) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status > 201) {
      failures.push(answer);
    }
  };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (running) {
      await timePasses(PAUSE_MS);
      const user = `customer-${client}`;
      const wanted = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 1 };
      const quote = await post('/api/v1/quotes', user, wanted);
      note(quote);
      orders += 1;
      note(await post('/api/v1/orders', user, { quoteId: quote.body.quoteId, clientOrderId: `order-${orders}` }));
    }
  });
  const confirming = setInterval(() => {
    setBook(database.sql, market, { bids: [['0.55', '100000']], asks: [['0.57', '100000']] }).catch(() => {});
  }, 500);
  const more = () => {
    const before = orders;
    return until(() => expect(orders).toBeGreaterThan(before + 25));
  };
  await more();
  await startServe();
  await more();
  first.child.kill('SIGTERM');
  const { code } = await first.ended;
  await more();
  running = false;
  await Promise.all(clients);
  clearInterval(confirming);
  expect(code).toBe(0);
  expect(failures).toEqual([]);
  expect(statuses.get(201)).toBe(orders);
  const [kept] = await database.sql<{ count: bigint }[]>`select count(*) from orders`;
  expect(Number(kept?.count)).toBe(orders);
});
