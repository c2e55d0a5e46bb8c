/** Reports that hang take neither the places of money nor those of reads, and too many of them are refused with a time. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedMarket } from '../support/market.ts';
import { startTestService, type TestService } from '../support/service.ts';

const REPORTS = 25;
/** Of one tenant: four inside and sixteen that wait. */
const TAKEN = 20;

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

test('a tenant whose reports hang is refused more of them at once, and everything else is served', async () => {
  const { contractId } = await seedMarket(service.sql, 'shed');
  await service.context.board.refresh();
  const other = await service.createOperator({ slug: 'other' });
  const { apiKey } = await service.issueKey(other);
  const quote = () =>
    service.request('POST', '/api/v1/quotes', {
      user: 'ana',
      body: { marketId: contractId, side: 'YES', action: 'buy', stake: 5 },
    });
  // a new customer of a sandbox gets funds, which is an entry of the ledger
  expect((await quote()).status).toBe(200);
  await owner.query('begin');
  await owner.query('lock table ledger_entries in access exclusive mode');
  const statuses: number[] = [];
  const refused: string[] = [];
  const reports = Array.from({ length: REPORTS }, async () => {
    const { status, headers, body } = await service.request('GET', '/api/v1/reconciliation');
    statuses.push(status);
    if (status === 503) {
      refused.push(headers.get('retry-after') ?? 'none');
      expect(body).toMatchObject({ error: 'service_unavailable', retryAfterSeconds: Number(refused.at(-1)) });
    }
  });
  try {
    expect((await quote()).status).toBe(200);
    for (const key of [service.key, apiKey]) {
      expect((await service.request('GET', '/api/v1/orders', { key })).status).toBe(200);
    }
    await expect.poll(() => refused.length).toBe(REPORTS - TAKEN);
    expect(statuses).toEqual(refused.map(() => 503));
    expect(refused.every((seconds) => Number(seconds) >= 1 && Number(seconds) <= 30)).toBe(true);
  } finally {
    await owner.query('rollback');
  }
  await Promise.all(reports);
  expect(statuses.filter((status) => status === 200)).toHaveLength(TAKEN);
}, 60_000);

test('the children of an aggregator share the places of one tenant, for reports and for exports', async () => {
  const holder = await service.createOperator({ slug: 'holder' });
  const children = [];
  for (const slug of ['child-a', 'child-b', 'child-c', 'child-d']) {
    const child = await service.createOperator({ slug, parent: holder.slug });
    children.push((await service.issueKey(child)).apiKey);
  }
  const get = (key: string | undefined, path: string) => service.request('GET', path, { key: key ?? null });
  await owner.query('begin');
  await owner.query('lock table ledger_entries in access exclusive mode');
  const refused: number[] = [];
  const reports = children.flatMap((key) =>
    Array.from({ length: REPORTS / 5 + 1 }, async () => {
      const { status } = await get(key, '/api/v1/reconciliation');
      if (status === 503) {
        refused.push(status);
      }
    }),
  );
  try {
    await expect.poll(() => refused.length, { timeout: 5_000 }).toBe(reports.length - TAKEN);
  } finally {
    await owner.query('rollback');
  }
  await Promise.all(reports);
  await owner.query('begin');
  await owner.query('lock table ledger_entries in access exclusive mode');
  const [first, second] = children.slice(0, 2).map((key) => get(key, '/api/v1/reconciliation/export?kind=ledger'));
  try {
    const answered = await Promise.race([first, second].map(async (answer) => (await answer)?.status));
    expect(answered).toBe(503);
  } finally {
    await owner.query('rollback');
  }
  expect([(await first)?.status, (await second)?.status].toSorted()).toEqual([200, 503]);
}, 60_000);
