/** How long an order waits for its venue: to the moment that the contract names, however seldom it is looked at by then. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Sql } from '../../src/db/client.ts';
import { createVenueWait } from '../../src/trading/execution/await-answer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database on one server that answers the reads of a wait: the lists of a read are operators, orders and whose wait ends now. */
function answering(read: (orders: readonly string[], endsNow: readonly string[]) => readonly object[]): Sql {
  const sql = (_: TemplateStringsArray, ...values: readonly unknown[]) => {
    const [, orders, endsNow] = values.filter((value) => Array.isArray(value));
    return Promise.resolve(orders === undefined ? [{ spread: false }] : read(orders, endsNow ?? []));
  };
  return sql as unknown as Sql;
}

test('the wait ends at 5 s, not at the next read after that', async () => {
  let looks = 0;
  const silent = answering(() => {
    looks += 1;
    return [];
  });
  let answer: unknown = 'waiting';
  void createVenueWait(silent)('op_1', 'ord_1').then((progress) => {
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
  const working = answering((orders, endsNow) => {
    asked.push(endsNow);
    return orders
      .filter((_order, index) => endsNow[index] === 't')
      .map((orderId) => ({ orderId, status: 'submitted', answered: false }));
  });
  const waited = createVenueWait(working)('op_1', 'ord_1');
  await vi.advanceTimersByTimeAsync(5_060);
  expect(await waited).toMatchObject({ status: 'submitted', answered: false });
  expect(asked.at(-1)).toEqual(['t']);
  expect(new Set(asked.slice(0, -1).flat())).toEqual(new Set(['f']));
});

test('an order is read less often once answers are known to take long, and soon again once they are quick', async () => {
  let takesMs = 400;
  let looks = 0;
  const placedAt = new Map<string, number>();
  const venue = answering((orders) => {
    looks += orders.length;
    return orders
      .filter((orderId) => Date.now() - (placedAt.get(orderId) ?? 0) >= takesMs)
      .map((orderId) => ({ orderId, status: 'filled', answered: true }));
  });
  const awaitVenue = createVenueWait(venue);
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
