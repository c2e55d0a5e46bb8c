/** The sign of life of a price stream. Only the timers of intervals are false. */
import { afterAll, beforeAll, test, vi } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { openReader } from './reader.ts';

let service: World;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  service = await openWorld();
  await seed(service.sql, [{ id: 'a' }]);
  await service.context.board.refresh();
});
afterAll(async () => {
  vi.useRealTimers();
  await service.close();
});

// contract 8.5
test('a comment comes every 15 s', async () => {
  const reader = await openReader(service.url, '/api/v1/stream/prices?contracts=ctr_a');
  await reader.next(({ event }) => event === 'snapshot');
  const pings = () => reader.comments.filter((comment) => comment.includes('ping')).length;
  const before = pings();
  vi.advanceTimersByTime(15_000);
  await until(pings, (count) => count === before + 1);
  vi.advanceTimersByTime(30_000);
  await until(pings, (count) => count === before + 3);
  reader.close();
});
