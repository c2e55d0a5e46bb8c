import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint, getEndpoint } from '../../src/webhooks/endpoints/manage-endpoints.ts';
import { untilPasses } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWorld, type World } from './world.ts';

const HANGING = 9;
const EVENTS = 200;
const TIMEOUT_MS = 2_000;

let world: World;
const sinks: Sink[] = [];

beforeAll(async () => {
  world = await openWorld();
  await world.startJobs({ timeoutMs: TIMEOUT_MS });
});
afterAll(async () => {
  await Promise.all(sinks.map((sink) => sink.close()));
  await world.close();
});

// contract 27.14
test('nine endpoints that never answer do not hold up the tenth, not even on the same host', async () => {
  const hanging = await openSink(answers.never);
  const mixed = await openSink((response, { path }) => (path === '/good' ? answers.ok(response) : undefined));
  sinks.push(hanging, mixed);
  const ids: string[] = [];
  for (let index = 0; index < HANGING; index += 1) {
    const url = index % 2 === 0 ? hanging.url : mixed.url;
    ids.push((await addEndpoint(world.admin, world.operatorId, `${url}?${index}`, [])).endpointId);
  }
  const good = await addEndpoint(world.admin, world.operatorId, `http://127.0.0.1:${mixed.port}/good`, []);

  const raisedAt = new Map<string, number>();
  const start = Date.now();
  for (let index = 0; index < EVENTS; index += 1) {
    const before = Date.now();
    raisedAt.set(await world.raise(), before);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const latencies = await untilPasses(() => {
    const delivered = mixed.received.filter(({ path }) => path === '/good');
    expect(delivered).toHaveLength(EVENTS);
    return delivered.map(({ at, body }) => at - (raisedAt.get(JSON.parse(body).id) ?? 0)).sort((a, b) => a - b);
  }, 30_000);
  expect(latencies[Math.floor(EVENTS / 2)]).toBeLessThan(100);
  expect(latencies.at(-1)).toBeLessThan(TIMEOUT_MS / 2);

  // a hanging endpoint gets no more than its own allowance, per time limit that passed
  const limitsPassed = Math.ceil((Date.now() - start) / TIMEOUT_MS);
  expect(hanging.received.length + mixed.received.length - EVENTS).toBeLessThanOrEqual(
    HANGING * 8 * (1 + limitsPassed),
  );
  // what an attempt came to is written after the receiver has had it, in batches
  await untilPasses(async () =>
    expect(await getEndpoint(world.admin.sql, good.endpointId)).toMatchObject({ delivered: EVENTS, failed: 0 }),
  );

  // and is left alone once it has failed often enough, without using its deliveries up
  await untilPasses(async () => {
    const first = await getEndpoint(world.admin.sql, ids[0] ?? '');
    expect(first.pausedUntil).not.toBeNull();
  }, 60_000);
}, 150_000);
