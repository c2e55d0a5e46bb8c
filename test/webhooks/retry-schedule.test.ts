/** A retry comes by the schedule of its own delivery, whatever other deliveries of the endpoint came to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint, getEndpoint } from '../../src/webhooks/endpoints.ts';
import { timePasses, until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

const EVENTS = 6;
const BREAKER = { startConcurrency: 8, maxConcurrency: 64, openAfter: 5, firstPauseMs: 60_000, longestPauseMs: 60_000 };

let world: WebhookWorld;
let sink: Sink;
let isWell = false;

beforeAll(async () => {
  world = await openWebhookWorld();
  await world.startJobs({ breaker: BREAKER });
  sink = await openSink((response) => {
    if (isWell) {
      return answers.ok(response);
    }
    response.statusCode = 500;
    response.end();
  });
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

test('an open breaker does not move the retries; the first that succeeds ends the pause', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const { endpointId } = await addEndpoint(world.admin, world.operatorId, sink.url, []);
  await world.raiseMany(EVENTS);
  await until(async () => {
    expect(sink.received).toHaveLength(EVENTS);
    expect((await getEndpoint(world.admin.sql, endpointId)).pausedUntil).not.toBeNull();
  });
  const late = await world.raise();
  await timePasses(1_000);
  expect(sink.received).toHaveLength(EVENTS);
  isWell = true;
  await until(() => expect(sink.received).toHaveLength(2 * EVENTS + 1), 60_000);

  const attempts = Map.groupBy(sink.received, ({ body }) => String(JSON.parse(body).id));
  for (const [id, tries] of attempts) {
    const [first, second] = tries;
    if (id === late) {
      expect(second).toBeUndefined();
    } else {
      const waited = (second?.at ?? 0) - (first?.at ?? 0);
      expect(waited, id).toBeGreaterThanOrEqual(4_000);
      expect(waited, id).toBeLessThan(8_000);
    }
  }
  await until(async () => {
    const statuses = (await world.deliveries(endpointId)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: EVENTS + 1 }, () => 'delivered'));
  });
});
