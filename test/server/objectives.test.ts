/** The service level objectives: what is looked at counts by the clock, however often somebody reads /metrics. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '../../src/server/health/metrics.ts';
import { startObjectiveLooks } from '../../src/server/health/objectives.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

const counted = (text: string, metric: string, objective: string): number =>
  Number(new RegExp(`^${metric}\\{objective="${objective}"\\} (\\S+)$`, 'm').exec(text)?.[1]);

test('a refused order is a good answer, and a feed that nobody has looked at is no event', async () => {
  const metrics = createMetrics(service.context);
  metrics.observeRequest('POST', '/api/v1/orders', 422, 0.01);
  metrics.observeRequest('POST', '/api/v1/orders', 503, 0.01);
  const text = await metrics.registry.metrics();
  expect(counted(text, 'inlay_slo_events_total', 'orders')).toBe(2);
  expect(counted(text, 'inlay_slo_good_total', 'orders')).toBe(1);
  expect(counted(text, 'inlay_slo_events_total', 'feeds')).toBe(0);
  expect(counted(text, 'inlay_slo_target', 'quotes')).toBe(0.999);
});

test('reading /metrics counts nothing; a look counts one event of each, good while nothing waits', async () => {
  const metrics = createMetrics(service.context);
  for (let scrape = 0; scrape < 10; scrape += 1) {
    await metrics.registry.metrics();
  }
  expect(counted(await metrics.registry.metrics(), 'inlay_slo_events_total', 'deliveries')).toBe(0);
  await metrics.lookAtObjectives();
  await metrics.lookAtObjectives();
  const text = await metrics.registry.metrics();
  expect(counted(text, 'inlay_slo_events_total', 'deliveries')).toBe(2);
  expect(counted(text, 'inlay_slo_good_total', 'deliveries')).toBe(2);
  expect(counted(text, 'inlay_slo_events_total', 'feeds')).toBe(2 * service.context.board.feeds.size);
});

test('looks come by the clock until they are ended, and one that takes long is not joined by another', async () => {
  let looks = 0;
  let release = () => {};
  const end = startObjectiveLooks(() => {
    looks += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  }, 5);
  await until(
    () => Promise.resolve(looks),
    (count) => count === 1,
  );
  await timePasses(50);
  expect(looks).toBe(1);
  release();
  await until(
    () => Promise.resolve(looks),
    (count) => count === 2,
  );
  end();
  release();
  await timePasses(50);
  expect(looks).toBe(2);
});

test('a running service looks by itself', { timeout: 90_000, tags: 'proof' }, async () => {
  const text = await until(
    async () => (await service.request('GET', '/metrics', { key: null })).text,
    (read) => counted(read, 'inlay_slo_events_total', 'deliveries') > 0,
    60_000,
  );
  expect(counted(text, 'inlay_slo_good_total', 'deliveries')).toBeGreaterThan(0);
});
