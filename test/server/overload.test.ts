/** Orders behind a statement that hangs are refused at once and leave nothing; those that were sent are answered. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedMarket } from '../support/market.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** A whole call that hangs and another that waits: the next order would have to wait for both. */
const WAITING = 140;
const PROBES = 200;
const PAUSE_MS = 25;

let service: TestService;
let owner: pg.Client;
beforeAll(async () => {
  service = await startTestService();
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

interface Sent {
  readonly user: string;
  readonly quoteId: string;
  readonly status: number;
  readonly retryAfterSeconds: unknown;
  readonly header: string | null;
}

async function quoteFor(user: string, contractId: string): Promise<string> {
  const body = { marketId: contractId, side: 'YES', action: 'buy', stake: 5 };
  const answer = await service.request('POST', '/api/v1/quotes', { user, body });
  expect(answer.status).toBe(200);
  return String(answer.body['quoteId']);
}

async function order(user: string, quoteId: string): Promise<Sent> {
  const { status, headers, body } = await service.request('POST', '/api/v1/orders', {
    user,
    body: { quoteId, clientOrderId: `of-${user}` },
  });
  return { user, quoteId, status, retryAfterSeconds: body['retryAfterSeconds'], header: headers.get('retry-after') };
}

async function ordersOf(user: string): Promise<number> {
  const { body } = await service.request('GET', `/api/v1/orders?externalUserId=${user}`);
  return (body['orders'] as unknown[]).length;
}

async function remaining(): Promise<number> {
  const { headers } = await service.request('GET', '/api/v1/events?limit=1');
  return Number(headers.get('ratelimit-remaining'));
}

test('an order that would come too late is refused at once, has no effect and can be repeated', async () => {
  const { contractId } = await seedMarket(service.sql, 'overload');
  await service.context.board.refresh();
  const users = Array.from({ length: WAITING }, (_, index) => `waits-${index}`);
  const quotes = await Promise.all(users.map((user) => quoteFor(user, contractId)));
  const probe = { user: 'late', quoteId: await quoteFor('late', contractId) };
  const answers: Promise<Sent>[] = [];
  const refused: Sent[] = [];
  await owner.query('begin');
  await owner.query('lock table ledger_lines in access exclusive mode');
  try {
    answers.push(...users.map((user, index) => order(user, quotes[index] as string)));
    // repetitions are the same order, so it does not matter that the first ones may be taken
    for (let sent = 0; sent < PROBES && refused.length === 0; sent += 1) {
      answers.push(
        order(probe.user, probe.quoteId).then((answer) => {
          if (answer.retryAfterSeconds !== undefined) {
            refused.push(answer);
          }
          return answer;
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    expect(refused[0]).toMatchObject({ status: 503, header: String(refused[0]?.retryAfterSeconds) });
    expect(Number(refused[0]?.header)).toBeGreaterThanOrEqual(1);
    // it was refused before it was counted
    const before = await remaining();
    const again = await order(probe.user, probe.quoteId);
    expect(again.status).toBe(503);
    expect(await remaining()).toBeGreaterThanOrEqual(before - 1);
  } finally {
    await owner.query('rollback');
  }
  const all = await Promise.all(answers);
  expect(all.every(({ status }) => status === 201 || status === 200 || status === 503)).toBe(true);
  const taken = new Set(all.filter(({ status }) => status < 300).map(({ user }) => user));
  for (const user of [...users, probe.user]) {
    expect([user, await ordersOf(user)]).toEqual([user, taken.has(user) ? 1 : 0]);
  }
}, 120_000);
