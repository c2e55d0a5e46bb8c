/** Positions settle on their own within seconds of a resolution, whether the worker is told of it or has to look. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSettlement } from '../../src/jobs/settle.ts';
import { parseResolution, resolveMarket } from '../../src/markets/decisions.ts';
import type { TestMarket } from '../support/market.ts';
import { settlementsIn } from '../support/settlements.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const WITHIN_S = 10;
const TIMEOUT_MS = 60_000;

let service: World;
const closing: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  service = await openWorld();
  const worker = service.openWorker();
  closing.push(await startSettlement(worker), worker);
});
afterAll(async () => {
  for (const one of closing) {
    await one.close();
  }
  await service.close();
});

async function fiveMinute(name: string): Promise<TestMarket> {
  const market = await service.openMarket(name, undefined, { fiveMinute: true, category: 'crypto' });
  for (const side of ['YES', 'NO']) {
    const quoted = await service.request('POST', '/api/v1/quotes', {
      user: 'ana',
      body: { marketId: market.contractId, side, action: 'buy', stake: 10 },
    });
    const placed = await service.request('POST', '/api/v1/orders', {
      user: 'ana',
      body: { quoteId: quoted.body.quoteId, clientOrderId: `${name}-${side}` },
    });
    expect(placed.status).toBe(201);
  }
  return market;
}

/** Seconds from the resolution to each settlement, by the clock of the database. */
const delays = ({ contractId }: TestMarket) =>
  service.sql<{ seconds: number }[]>`
    select extract(epoch from settlement.settled_at - c.resolved_at)::float8 as seconds
    from ${settlementsIn(service.sql)} join contracts c using (contract_id) where settlement.contract_id = ${contractId}`;

async function settledInTime(market: TestMarket): Promise<void> {
  const rows = await until(
    () => delays(market),
    (found) => found.length === 2,
    TIMEOUT_MS,
  );
  for (const { seconds } of rows) {
    expect(seconds).toBeLessThan(WITHIN_S);
  }
}

// contract 16.11
test('a five-minute contract settles within ten seconds of its resolution', { timeout: 120_000 }, async () => {
  const market = await fiveMinute('told');
  await resolveMarket(service.sql, market.contractId, parseResolution('yes'));
  await settledInTime(market);
});

// contract 16.11
test('also where the notification was lost', { timeout: 120_000 }, async () => {
  const market = await fiveMinute('untold');
  await service.sql`select * from decide_market(${market.contractId}, 'resolve', 'NO', null)`;
  await settledInTime(market);
});
