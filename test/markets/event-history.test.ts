/** The charts of a new service: markets of the simulated exchange have a past that is computed when it is read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEventHistory } from '../../src/markets/catalogue/event-history.ts';
import { recordPrices } from '../../src/markets/prices/price-history.ts';
import { moveBook, seed } from '../catalogue/seed.ts';
import { openWorld, type World } from '../support/world.ts';

const DAY_MS = 86_400_000;
const opensAt = new Date(Date.now() - 30 * DAY_MS);

let service: World;
beforeAll(async () => {
  service = await openWorld();
  await seed(service.sql, [
    {
      id: 'field',
      kind: 'mutually_exclusive',
      opensAt,
      contracts: [{ id: 'one' }, { id: 'two' }],
    },
    { id: 'young', opensAt: new Date(Date.now() - 3_600_000), contracts: [{ id: 'young' }] },
  ]);
  await moveBook(service.sql, { id: 'one', bids: [[0.75, 100]], asks: [[0.77, 100]] });
  await moveBook(service.sql, { id: 'two', bids: [[0.23, 100]], asks: [[0.25, 100]] });
  await moveBook(service.sql, { id: 'young', bids: [[0.5, 100]], asks: [[0.52, 100]] });
  await service.context.board.refresh();
});
afterAll(() => service.close());

type Point = [seconds: number, probability: number, at: string];

async function pointsOf(event: string, range: string, on = service): Promise<Map<string, Point[]>> {
  const { body } = await on.request('GET', `/api/v1/events/evt_${event}/history?range=${range}`);
  const series: { contractId: string; points: Point[] }[] = body.data.series;
  return new Map(series.map(({ contractId, points }) => [contractId, points]));
}
const rows = () => service.sql`select 1 from price_history`;

test('a market without a recorded price has a past since its event opened, and nothing is written', async () => {
  const all = await pointsOf('field', 'all');
  const [one = [], two = []] = [all.get('ctr_one'), all.get('ctr_two')];
  expect(one.length).toBeGreaterThan(300);
  const begin = (one[0] as Point)[0] * 1_000;
  expect(begin).toBeGreaterThanOrEqual(opensAt.getTime());
  expect(begin).toBeLessThan(opensAt.getTime() + 2 * DAY_MS);
  // a field keeps its sum
  for (const [index, [seconds, probability]] of one.slice(0, -1).entries()) {
    const other = two[index] as Point;
    expect(other[0]).toBe(seconds);
    expect(probability + other[1]).toBeCloseTo(1, 4);
  }
  expect(await rows()).toEqual([]);
});

test('a range shows its part of the past', async () => {
  const day = (await pointsOf('field', '1d')).get('ctr_one') ?? [];
  expect(day.length).toBeGreaterThan(100);
  expect(day.every(([seconds]) => seconds * 1_000 > Date.now() - 1.1 * DAY_MS)).toBe(true);
});

test('an event that has just opened has none', async () => {
  expect((await pointsOf('young', 'all')).get('ctr_young')).toHaveLength(1);
});

test('the past ends where recording began, and stays as it is', async () => {
  await recordPrices(service.sql, new Date(Date.now() - 2 * DAY_MS));
  const recordedAt = Date.now() - 2 * DAY_MS;
  const before = (await pointsOf('field', 'all')).get('ctr_one') ?? [];
  await moveBook(service.sql, { id: 'one', bids: [[0.6, 100]], asks: [[0.62, 100]] });
  await service.context.board.refresh();
  const after = (await pointsOf('field', 'all')).get('ctr_one') ?? [];
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  const gap = after.filter(([seconds]) => seconds * 1_000 > recordedAt);
  expect(gap.length).toBeLessThanOrEqual(1);
  const times = after.map(([seconds]) => seconds);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('a service in production shows what was recorded, and nothing else', async () => {
  const event = service.context.board.events.get('evt_field');
  if (event === undefined) {
    throw new Error('the event is not on the board');
  }
  const at = { now: new Date(), inventsPast: false };
  const { data } = await readEventHistory(service.sql, event, { range: 'all' }, 'en', at);
  expect(data.series.map(({ points }) => points.length)).toEqual([2, 2]);
});
