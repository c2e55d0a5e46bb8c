/** When the fills that a private stream reports are enough, and when the list of the exchange is read. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFillReports } from '../../src/venues/fill-reports.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Fill {
  readonly id: string;
  readonly price: bigint;
}

function opened() {
  const reports = openFillReports<Fill>();
  reports.opened();
  return { reports, report: (id: string, count: bigint, price = 1n) => reports.report('o', id, count, { id, price }) };
}

test('fills that were reported before the response or just after it are enough, in their order', async () => {
  const { reports, report } = opened();
  report('a', 2n);
  const whole = reports.whole('o', 5n);
  report('b', 3n);
  expect(await whole).toEqual([
    { id: 'a', price: 1n },
    { id: 'b', price: 1n },
  ]);
  expect(await reports.whole('o', 5n)).toHaveLength(2);
});

test('a fill that is reported twice counts once', async () => {
  const { reports, report } = opened();
  report('a', 2n);
  report('a', 2n);
  expect(await reports.whole('o', 2n)).toHaveLength(1);
});

test('the list is read if the stream lacks a fill for a quarter of a second', async () => {
  const { reports, report } = opened();
  report('a', 2n);
  let fills: unknown = 'waiting';
  void reports.whole('o', 3n).then((read) => {
    fills = read;
  });
  await vi.advanceTimersByTimeAsync(249);
  expect(fills).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(fills).toBeNull();
});

test('the list is read at once if the stream is not connected, or ends meanwhile', async () => {
  expect(await openFillReports<Fill>().whole('o', 1n)).toBeNull();
  const { reports, report } = opened();
  const whole = reports.whole('o', 2n);
  report('a', 1n);
  reports.ended();
  expect(await whole).toBeNull();
  // what was reported whole before the end still counts
  report('a', 1n);
  report('b', 1n);
  expect(await reports.whole('o', 2n)).toHaveLength(2);
});

test('the list is read if the stream reports more than the response counts, or one fill in two ways', async () => {
  const { reports, report } = opened();
  report('a', 2n);
  expect(await reports.whole('o', 1n)).toBeNull();
  report('a', 2n, 9n);
  expect(await reports.whole('o', 2n)).toBeNull();
});

test('nothing is kept of an order for longer than a minute', async () => {
  const { reports, report } = opened();
  report('a', 1n);
  await vi.advanceTimersByTimeAsync(60_000);
  const whole = reports.whole('o', 1n);
  await vi.advanceTimersByTimeAsync(250);
  expect(await whole).toBeNull();
});
