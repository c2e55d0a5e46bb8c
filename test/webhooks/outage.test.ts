import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { endSessions } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

const OUTAGE_MS = 6_000;

let world: WebhookWorld;
let sink: Sink;
let admin: pg.Client;

beforeAll(async () => {
  world = await openWebhookWorld();
  sink = await openSink(answers.ok);
  const url = new URL(world.database.ownerUrl);
  url.pathname = '/postgres';
  admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
});
afterAll(async () => {
  await world.close();
  await sink.close();
  await admin.end();
});

test('deliveries go on by themselves after the database was away', { timeout: 60_000, tags: 'proof' }, async () => {
  await addEndpoint(world.admin, world.operatorId, sink.url, []);
  await world.startJobs();
  await world.raise();
  await until(() => expect(sink.received).toHaveLength(1));

  const name = new URL(world.database.ownerUrl).pathname.slice(1);
  await admin.query(`alter database ${name} with allow_connections false`);
  const end = Date.now() + OUTAGE_MS;
  while (Date.now() < end) {
    await endSessions(world.database);
    await timePasses(200);
  }
  await admin.query(`alter database ${name} with allow_connections true`);

  await until(() => world.raise(), 10_000);
  await until(() => expect(sink.received.length).toBeGreaterThanOrEqual(2), 20_000);
});
