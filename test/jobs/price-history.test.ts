/** The first visitor of a new service sees a past: prices are recorded as soon as books arrive, and the simulated exchange's past with them. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPriceHistory } from '../../src/jobs/price-history.ts';
import { moveBook, seed } from '../catalogue/seed.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { untilPasses } from '../support/until.ts';

const DAY_MS = 86_400_000;
/** Sooner than the minute in which all later prices are recorded. */
const SOON_MS = 8_000;

let service: TestService;
let history: { close(): Promise<void> };
beforeEach(async () => {
  service = await startTestService();
  history = startPriceHistory(service.context);
});
afterEach(async () => {
  await history.close();
  await service.close();
});

const points = async (contractId: string) => {
  const [row] = await service.sql<[{ count: number }]>`
    select count(*)::int as count from price_history where contract_id = ${contractId} and at < now() - interval '2 hours'`;
  return row.count;
};

test('books that arrive after the catalogue have their past within seconds', async () => {
  const opensAt = new Date(Date.now() - 30 * DAY_MS);
  await seed(service.sql, [
    { id: 'one', opensAt, contracts: [{ id: 'one' }] },
    { id: 'two', opensAt, contracts: [{ id: 'two' }] },
  ]);
  await setTimeout(1_200);
  await moveBook(service.sql, { id: 'one', bids: [[0.55, 100]], asks: [[0.57, 100]] });
  await moveBook(service.sql, { id: 'two', bids: [[0.2, 100]], asks: [[0.22, 100]] });
  await untilPasses(async () => {
    expect(await points('ctr_one')).toBeGreaterThan(500);
    expect(await points('ctr_two')).toBeGreaterThan(500);
  }, SOON_MS);
});
