import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

let world: WebhookWorld;
let sink: Sink;

beforeAll(async () => {
  world = await openWebhookWorld();
  sink = await openSink(answers.never);
});
afterAll(async () => {
  await world.close();
  await sink.close();
});

test('a worker that is asked to stop waits for a silent receiver a few seconds only, and uses no attempt up', {
  tags: 'proof',
}, async () => {
  await addEndpoint(world.admin, world.operatorId, sink.url, []);
  const jobs = await world.startJobs();
  await world.raise();
  await until(() => expect(sink.received).toHaveLength(1));
  const start = Date.now();
  await jobs.close();
  expect(Date.now() - start).toBeLessThan(6_000);
  const rows = await world.admin.sql`select status, attempts, next_attempt_at <= now() as due from webhook_deliveries`;
  expect(rows).toEqual([{ status: 'pending', attempts: 0, due: true }]);
});
