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
