import { expect, test } from 'vitest';
import { createWalk, pastOf } from '../../src/markets/prices/invented-walk.ts';

const NOW = new Date('2026-11-22T18:03:00Z');
const DAY = 86_400_000;
const ago = (days: number) => new Date(NOW.getTime() - days * DAY);
const pathsOf = (...prices: number[]) =>
  prices.map((price, index) => ({ price, walk: createWalk(`ctr_${index}`), sign: 1 }));

test('the same contract has the same past, months of it, and it leads to the present price', () => {
  const [first = []] = pastOf(pathsOf(0.4), 'alone', ago(400), NOW);
  expect(pastOf(pathsOf(0.4), 'alone', ago(400), NOW)[0]).toEqual(first);
  const oldest = first.find(({ step }) => step === 60);
  expect(NOW.getTime() - (oldest?.at.getTime() ?? 0)).toBeGreaterThan(140 * DAY);
  const latest = first.at(-1)?.priceMicros ?? 0;
  expect(Math.abs(latest - 400_000)).toBeLessThan(20_000);
  expect(new Set(first.map(({ priceMicros }) => priceMicros)).size).toBeGreaterThan(200);
});

test('nothing is older than the event', () => {
  const [points = []] = pastOf(pathsOf(0.4), 'alone', ago(3), NOW);
  expect(points.every(({ at }) => at > ago(3))).toBe(true);
  expect(points.filter(({ step }) => step === 5).length).toBeGreaterThan(40);
});

test('the prices of a field keep their sum', () => {
  const past = pastOf(pathsOf(0.5, 0.3, 0.2), 'field', ago(60), NOW);
  const sums = (past[0] ?? []).map((_, index) =>
    past.reduce((sum, points) => sum + (points[index]?.priceMicros ?? 0), 0),
  );
  expect(Math.max(...sums.map((sum) => Math.abs(sum - 1_000_000)))).toBeLessThan(10);
});
