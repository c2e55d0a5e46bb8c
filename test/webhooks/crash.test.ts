import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, SECRET, type WebhookWorld } from './world.ts';

const EVENTS = 400;
const TIMEOUT_MS = 500;
const CHILD = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

let world: WebhookWorld;
let sink: Sink;
const children: ChildProcess[] = [];

beforeAll(async () => {
  world = await openWebhookWorld();
  sink = await openSink(answers.after(20));
});
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  await sink.close();
  await world.close();
});

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CHILD, world.database.url, SECRET, String(TIMEOUT_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

// contract 26.1, contract 27.7
test('workers killed in mid-delivery lose nothing: each event arrives at least once, under one id', {
  timeout: 180_000,
  tags: 'proof',
}, async () => {
  const { endpointId } = await addEndpoint(world.admin, world.operatorId, sink.url, []);
  await world.raiseMany(EVENTS);
  for (const share of [0.2, 0.5]) {
    const worker = await startWorker();
    await until(() => expect(sink.received.length).toBeGreaterThan(EVENTS * share));
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  expect(new Set(sink.received.map(({ body }) => JSON.parse(body).id)).size).toBeLessThan(EVENTS);

  const last = await startWorker();
  await until(async () => {
    const [row] = await world.admin.sql`
      select count(*) filter (where status = 'delivered')::int as delivered, count(*)::int as owed from webhook_deliveries`;
    expect(row).toEqual({ delivered: EVENTS, owed: EVENTS });
  }, 60_000);
  const ids = sink.received.map(({ body }) => JSON.parse(body).id as string);
  expect(new Set(ids).size).toBe(EVENTS);
  expect((await world.deliveries(endpointId)).every(({ attempts }) => attempts.length >= 1)).toBe(true);

  // the killed workers' jobs are given back and cleared away
  await until(async () => {
    const [row] = await world.admin
      .sql`select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'webhook-deliver'`;
    expect(row).toEqual({ jobs: 0 });
  }, 60_000);

  // one that is asked to stop ends what is in flight first
  await world.raiseMany(50);
  last.kill('SIGTERM');
  const [code] = (await once(last, 'exit')) as [number];
  expect(code).toBe(0);
  const [row] = await world.admin.sql`
    select count(*)::int as leased from webhook_deliveries where status = 'pending' and next_attempt_at > now()`;
  expect(row).toEqual({ leased: 0 });
});
