import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { relayEvents } from '../../src/webhooks/relay.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

let world: WebhookWorld;
let owner: pg.Client;

beforeAll(async () => {
  world = await openWebhookWorld();
  owner = new pg.Client({ connectionString: world.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

const tables = async () => {
  const rows = await world.admin.sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_attempts'::regclass order by 1`;
  return rows.map(({ name }) => name);
};

test('the log of attempts is kept for its days and no longer, a week at a time', async () => {
  const { sql } = world.admin;
  await owner.query(
    `create table webhook_attempts_20250106 partition of webhook_attempts for values from ('2025-01-06') to ('2025-01-13')`,
  );
  const attempt = (at: string) => sql`
    insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms)
    values (${world.operatorId}, 'dlv_x', 1, ${at}::timestamptz, 1)`;
  await attempt('2025-01-07T00:00:00Z');
  await attempt('2025-03-01T00:00:00Z');
  await attempt(new Date().toISOString());
  await sql`select maintain_webhooks('90 days')`;
  await sql`select maintain_webhooks('90 days')`;
  const [row] = await sql`select count(*)::int as kept from webhook_attempts`;
  expect(row).toEqual({ kept: 1 });
  expect(await tables()).not.toContain('webhook_attempts_20250106');
  // this week (unless its first attempts came before its table), and the next two
  expect((await tables()).length).toBeGreaterThanOrEqual(3);
});

test('a delivery whose three days passed while its endpoint was off is given up, and old ones are forgotten', async () => {
  const { sql } = world.admin;
  const { endpointId } = await addEndpoint(world.admin, world.operatorId, 'http://127.0.0.1:9/', []);
  await world.raise();
  await world.raise();
  await relayEvents(sql);
  const [newest, oldest] = await world.deliveries(endpointId);
  await sql`update webhook_deliveries set queued_at = now() - interval '74 hours' where delivery_id = ${oldest?.deliveryId ?? ''}`;
  const [gaveUp] = await sql`select maintain_webhooks('90 days') as count`;
  expect(gaveUp).toEqual({ count: 1 });
  expect((await world.deliveries(endpointId)).map(({ status }) => status)).toEqual(['pending', 'exhausted']);
  await sql`
    update webhook_deliveries set created_at = now() - interval '91 days', finished_at = now() - interval '91 days'
    where delivery_id = ${oldest?.deliveryId ?? ''}`;
  await sql`select maintain_webhooks('90 days')`;
  expect((await world.deliveries(endpointId)).map(({ deliveryId }) => deliveryId)).toEqual([newest?.deliveryId]);
});
