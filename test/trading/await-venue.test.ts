/** How long an order waits for its venue: to the moment that the contract names, however seldom it is looked at by then. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { createVenueWait } from '../../src/trading/orders/await-venue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the wait ends at 5 s, not at the next read after that', async () => {
  let looks = 0;
  const silent = () => {
    looks += 1;
    return Promise.resolve([]);
  };
  let answer: unknown = 'waiting';
  void createVenueWait(silent as unknown as Sql)('op_1', 'ord_1').then((progress) => {
    answer = progress;
  });
  await vi.advanceTimersByTimeAsync(4_990);
  expect(answer).toBe('waiting');
  await vi.advanceTimersByTimeAsync(60);
  expect(answer).toBeNull();
  expect(looks).toBeLessThan(30);
});

test('the last read of a wait returns the order as it is, without an answer', async () => {
  const asked: (readonly string[])[] = [];
  const working = (
    _: TemplateStringsArray,
    _operators: unknown,
    orders: readonly string[],
    endsNow: readonly string[],
  ) => {
    asked.push(endsNow);
    return Promise.resolve(
      orders
        .filter((_order, index) => endsNow[index] === 't')
        .map((orderId) => ({ orderId, status: 'submitted', answered: false })),
    );
  };
  const waited = createVenueWait(working as unknown as Sql)('op_1', 'ord_1');
  await vi.advanceTimersByTimeAsync(5_060);
  expect(await waited).toMatchObject({ status: 'submitted', answered: false });
  expect(asked.at(-1)).toEqual(['t']);
  expect(new Set(asked.slice(0, -1).flat())).toEqual(new Set(['f']));
});

test('an order is read less often once answers are known to take long, and soon again once they are quick', async () => {
  let takesMs = 400;
  let looks = 0;
  const placedAt = new Map<string, number>();
  const venue = (_: TemplateStringsArray, _operators: readonly string[], orders: readonly string[]) => {
    looks += orders.length;
    return Promise.resolve(
      orders
        .filter((orderId) => Date.now() - (placedAt.get(orderId) ?? 0) >= takesMs)
        .map((orderId) => ({ orderId, status: 'filled', answered: true })),
    );
  };
  const awaitVenue = createVenueWait(venue as unknown as Sql);
  /** @returns reads of each order, one after the other */
  async function place(count: number): Promise<number> {
    looks = 0;
    const start = Date.now();
    for (let number = 0; number < count; number += 1) {
      const orderId = `ord_${start}_${number}`;
      placedAt.set(orderId, Date.now());
      const answered = awaitVenue('op_1', orderId);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await answered).toMatchObject({ status: 'filled' });
    }
    return looks / count;
  }
  expect(await place(1)).toBeGreaterThan(7);
  await place(30);
  expect(await place(10)).toBeLessThan(5);
  takesMs = 30;
  await place(60);
  expect(await place(10)).toBeLessThan(3);
});
