/** The arithmetic of `npm run ha`: gaps, figures, and which event comes when. */
import { expect, test } from 'vitest';
import { KINDS, planEvents } from './events.ts';
import { findUnmeasured, longestGap, tableOf } from './gaps.ts';

const at = (...times: number[]) =>
  times.map((ms) => ({ operator: 'one', orderId: `o${ms}`, clientOrderId: `c${ms}`, live: false, at: ms }));

test('a gap lasts from the last order before an event to the first after it of the same operator, and live orders do not end it', () => {
  const orders = at(100, 900, 1_000, 7_500, 7_600, 30_000);
  expect(longestGap(orders, 1_050, 7_550)).toBe(6_500);
  const [middle] = at(4_000);
  const live = middle === undefined ? [] : [{ ...middle, live: true }];
  expect(
    longestGap(
      [...orders, ...live].sort((a, b) => a.at - b.at),
      1_050,
      7_550,
    ),
  ).toBe(6_500);
  expect(longestGap(orders, 20, 950)).toBe(800);
  const other = at(200, 9_500).map((order) => ({ ...order, operator: 'other' }));
  expect(longestGap([...orders, ...other], 1_050, 7_550)).toBe(9_300);
});

test('each kind of event comes as often as its weight, and a hundred have all of them', () => {
  const all = KINDS.reduce((sum, { weight }) => sum + weight, 0);
  const plan = planEvents(all, KINDS);
  for (const kind of KINDS) {
    expect([kind.name, plan.filter((one) => one === kind).length]).toEqual([kind.name, kind.weight]);
  }
  expect(new Set(planEvents(100, KINDS).map(({ name }) => name)).size).toBe(KINDS.length);
});

test('the table has a line for each kind and one for all', () => {
  const table = tableOf([
    { kind: 'switchover', gapMs: 1_000, wholeMs: 4_000 },
    { kind: 'killed', gapMs: 3_000, wholeMs: 9_000 },
  ]);
  expect(table).toContain('| switchover | 1 | 1.0 | 1.0 | 1.0 | 1.0 | 4.0 |');
  expect(table).toMatch(/\| all \| 2 \| 1\.0 \| 3\.0 \| 3\.0 \| 3\.0 \| 9\.0 \|$/);
});

test('an event that was not measured is a fault, whether nothing recovered or the time was over', () => {
  expect(findUnmeasured(100, 100, [])).toEqual([]);
  expect(findUnmeasured(100, 99, ['frozen: no order was acknowledged for 180 s'])).toEqual([
    'not measured: frozen: no order was acknowledged for 180 s',
  ]);
  expect(findUnmeasured(100, 60, ['killed: the cluster was not whole'])).toEqual([
    'not measured: killed: the cluster was not whole',
    '39 of 100 events did not fit into the time; see --minutes',
  ]);
});
