import { expect, test } from 'vitest';
import { createWalk, pastOf } from '../../src/markets/catalogue/event-history.ts';
import type { PaperEvent } from '../../src/paper/catalogue/event.ts';
import { logit } from '../../src/paper/catalogue/mint.ts';
import { chancesOf, moveBelief } from '../../src/paper/market/chances.ts';
import { createRandom, stateOf } from '../../src/paper/random.ts';

const NOW = new Date('2026-11-22T18:03:00Z');
const DAY = 86_400_000;
const ago = (days: number) => new Date(NOW.getTime() - days * DAY);
const pathsOf = (...prices: number[]) =>
  prices.map((price, index) => ({ price, walk: createWalk(`ctr_${index}`), sign: 1 }));

test('the same contract has the same past, months of it, and it leads to the present price', () => {
  const [first = []] = pastOf(pathsOf(0.4), 'alone', ago(400), NOW);
  expect(pastOf(pathsOf(0.4), 'alone', ago(400), NOW)[0]).toEqual(first);
  expect(NOW.getTime() - (first[0]?.at.getTime() ?? 0)).toBeGreaterThan(140 * DAY);
  const latest = Number(first.at(-1)?.priceMicros);
  expect(Math.abs(latest - 400_000)).toBeLessThan(20_000);
  expect(new Set(first.map(({ priceMicros }) => priceMicros)).size).toBeGreaterThan(200);
});

test('nothing is older than the event', () => {
  const [points = []] = pastOf(pathsOf(0.4), 'alone', ago(3), NOW);
  expect(points.every(({ at }) => at > ago(3))).toBe(true);
  expect(points.length).toBeGreaterThan(40);
});

test('the prices of a field keep their sum', () => {
  const past = pastOf(pathsOf(0.5, 0.3, 0.2), 'field', ago(60), NOW);
  const sums = (past[0] ?? []).map((_, index) =>
    past.reduce((sum, points) => sum + Number(points[index]?.priceMicros), 0),
  );
  expect(Math.max(...sums.map((sum) => Math.abs(sum - 1_000_000)))).toBeLessThan(10);
});

/** How much log-odds change from one number to the next, as a standard deviation. */
const changeOf = (chances: readonly number[]) => {
  const changes = chances.slice(1).map((chance, index) => logit(chance) - logit(chances[index] ?? chance));
  return Math.sqrt(changes.reduce((sum, change) => sum + change ** 2, 0) / changes.length);
};

test('a chart shows no step where the invented past ends: the market moves on as fast as its past did', () => {
  const [points = []] = pastOf(pathsOf(0.4), 'alone', ago(400), NOW);
  const past = points.filter(({ at }) => at > ago(1)).map(({ priceMicros }) => Number(priceMicros) / 1_000_000);
  const model = { type: 'independent', at: [logit(0.4)], anchor: [logit(0.4)], home: [logit(0.4)] };
  const event = { model } as unknown as PaperEvent;
  const random = createRandom(stateOf('seam'));
  const MOVES_IN_TEN_MINUTES = 50;
  const live = Array.from({ length: 144 }, () => {
    for (let move = 0; move < MOVES_IN_TEN_MINUTES; move += 1) {
      moveBelief(event, random);
    }
    return chancesOf(event)?.[0] ?? 0;
  });
  const ratio = changeOf(live) / changeOf(past);
  expect(ratio).toBeGreaterThan(1 / 2);
  expect(ratio).toBeLessThan(2);
});
