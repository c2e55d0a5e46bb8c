/** Database connections of the webhook jobs that stop answering: each call ends at its deadline, and deliveries go on by new ones. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../src/db/pg-client.ts';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { createFrozenProcesses } from '../support/frozen-processes.ts';
import { timePasses, until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

const DEADLINE_MS = 1_000;
const EVENTS = 5;

let world: WebhookWorld;
let sink: Sink;
const { freeze, thaw } = createFrozenProcesses();

beforeAll(async () => {
  world = await openWebhookWorld();
  sink = await openSink(answers.ok);
});
afterEach(thaw);
afterAll(async () => {
  await world.close();
  await sink.close();
});

async function backends(): Promise<number[]> {
  const rows = await world.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'inlay-webhook-jobs'`;
  return rows.map(({ pid }) => pid);
}

test('a pool with a deadline leaves a connection whose server stopped, and the next query has another one', {
  tags: 'proof',
}, async () => {
  const pool = openPool(world.database.url, {
    applicationName: 'inlay-test-deadline',
    max: 1,
    deadlineMs: DEADLINE_MS,
  });
  try {
    const busy = await pool.query('select pg_sleep(30)').catch((error: unknown) => error);
    expect(busy).toMatchObject({ code: '57014' });
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    freeze(pid);
    const client = await pool.connect();
    await expect(client.query('select 1')).rejects.toThrow('Query read timeout');
    client.release();
    const after = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(after.rows[0]?.pid).not.toBe(pid);
  } finally {
    await pool.end();
  }
});

test('a connection of such a pool that listens outlives the deadline', { tags: 'proof' }, async () => {
  const pool = openPool(world.database.url, {
    applicationName: 'inlay-test-listen',
    max: 1,
    deadlineMs: DEADLINE_MS,
  });
  const client = await pool.connect();
  try {
    const heard = new Promise<string | undefined>((resolve) => {
      client.on('notification', ({ payload }) => resolve(payload));
    });
    await client.query('listen a_test');
    await timePasses(2 * DEADLINE_MS);
    await world.sql`select pg_notify('a_test', 'still here')`;
    expect(await heard).toBe('still here');
  } finally {
    client.release();
    await pool.end();
  }
});

test('deliveries go on after all connections of their jobs were stopped', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  await addEndpoint(world.admin, world.operatorId, sink.url, []);
  await world.startJobs();
  await world.raise();
  await until(() => expect(sink.received).toHaveLength(1));
  const pids = await backends();
  expect(pids.length).toBeGreaterThan(1);
  pids.forEach(freeze);
  for (let event = 0; event < EVENTS; event += 1) {
    await world.raise();
  }
  // still stopped
  await until(() => expect(sink.received.length).toBeGreaterThanOrEqual(1 + EVENTS), 30_000);
  thaw();
  await world.raise();
  await until(() => expect(sink.received.length).toBeGreaterThanOrEqual(2 + EVENTS), 15_000);
  // each event was delivered; none of them was lost in a stopped connection. The receiver has it before it is recorded.
  await until(async () => {
    const deliveries = await world.deliveries();
    expect(deliveries.map(({ status }) => status)).toEqual(Array(2 + EVENTS).fill('delivered'));
  }, 15_000);
});
