import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint, getEndpoint } from '../../src/webhooks/endpoints.ts';
import { timePasses, until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

const HANGING = 9;
const EVENTS = 200;
// long beside what a busy machine takes for a delivery
const TIMEOUT_MS = 4_000;

let world: WebhookWorld;
const sinks: Sink[] = [];

beforeAll(async () => {
  world = await openWebhookWorld();
  await world.startJobs({ timeoutMs: TIMEOUT_MS });
});
afterAll(async () => {
  await Promise.all(sinks.map((sink) => sink.close()));
  await world.close();
});

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;

/** Raises events, and waits until the good endpoint has had them all. @returns how many milliseconds each took, in order */
async function deliver(sink: Sink): Promise<number[]> {
  const raisedAt = new Map<string, number>();
  for (let index = 0; index < EVENTS; index += 1) {
    const before = Date.now();
    raisedAt.set(await world.raise(), before);
    await timePasses(5);
  }
  return until(() => {
    const delivered = sink.received.flatMap(({ at, body, path }) => {
      const since = path === '/good' ? raisedAt.get(JSON.parse(body).id) : undefined;
      return since === undefined ? [] : [at - since];
    });
    expect(delivered).toHaveLength(EVENTS);
    return delivered.sort((a, b) => a - b);
  }, 30_000);
}

// contract 27.14
test('nine endpoints that never answer do not hold up the tenth, not even on the same host', {
  timeout: 150_000,
  tags: 'proof',
}, async () => {
  const hanging = await openSink(answers.never);
  const mixed = await openSink((response, { path }) => (path === '/good' ? answers.ok(response) : undefined));
  sinks.push(hanging, mixed);
  const good = await addEndpoint(world.admin, world.operatorId, `http://127.0.0.1:${mixed.port}/good`, []);
  const alone = await deliver(mixed);
  const ids: string[] = [];
  for (let index = 0; index < HANGING; index += 1) {
    const url = index % 2 === 0 ? hanging.url : mixed.url;
    ids.push((await addEndpoint(world.admin, world.operatorId, `${url}?${index}`, [])).endpointId);
  }
  const start = Date.now();
  const beside = await deliver(mixed);
  expect(median(beside)).toBeLessThan(3 * median(alone) + 50);
  expect(beside.at(-1)).toBeLessThan(TIMEOUT_MS / 2);

  // a hanging endpoint gets no more than its own allowance, per time limit that passed
  const limitsPassed = Math.ceil((Date.now() - start) / TIMEOUT_MS);
  expect(hanging.received.length + mixed.received.length - 2 * EVENTS).toBeLessThanOrEqual(
    HANGING * 8 * (1 + limitsPassed),
  );
  // what an attempt came to is written after the receiver has had it, in batches
  await until(async () =>
    expect(await getEndpoint(world.admin.sql, good.endpointId)).toMatchObject({ delivered: 2 * EVENTS, failed: 0 }),
  );

  // and is left alone once it has failed often enough, without using its deliveries up
  await until(async () => {
    const first = await getEndpoint(world.admin.sql, ids[0] ?? '');
    expect(first.pausedUntil).not.toBeNull();
  }, 60_000);
});
