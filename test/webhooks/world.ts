/** A migrated database with one operator, events raised as money statements raise them, and webhook jobs over it. */
import type { Context } from '../../src/context.ts';
import { systemClock } from '../../src/core/clock.ts';
import { type Environment, readEnvironment } from '../../src/core/environment.ts';
import { newId, newOperatorId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { startWebhookJobs } from '../../src/jobs/webhooks.ts';
import { type Delivery, listDeliveries } from '../../src/webhooks/delivery/deliveries.ts';
import type { DeliveryWorkerOptions } from '../../src/webhooks/delivery/delivery-worker.ts';
import { createSecretBox } from '../../src/webhooks/endpoints/endpoint-secret.ts';
import type { EndpointAdmin } from '../../src/webhooks/endpoints/manage-endpoints.ts';
import type { WebhookEventType } from '../../src/wire/webhook.ts';
import { createTestDatabase } from '../support/database.ts';

export const SECRET = 'a-root-secret-of-tests';

export interface World {
  readonly operatorId: string;
  readonly ownerUrl: string;
  readonly context: Context;
  readonly admin: EndpointAdmin;
  raise(options?: { type?: WebhookEventType; data?: string; createdAt?: Date; key?: string }): Promise<string>;
  raiseMany(count: number): Promise<void>;
  startJobs(overrides?: Partial<DeliveryWorkerOptions>): Promise<{ close(): Promise<void> }>;
  deliveries(endpointId?: string): Promise<Delivery[]>;
  /** As another process with another environment sees the same database. */
  withEnvironment(change: Partial<Environment>, secret?: string): Context;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const database = await createTestDatabase({ max: 12 });
  const { sql } = database;
  const operatorId = newOperatorId();
  await sql`insert into operators (operator_id, slug, name, mode) values (${operatorId}, 'acme', 'Acme', 'sandbox')`;
  const environment = { ...readEnvironment({ LOG_LEVEL: 'silent' }), webhookAllowLoopback: true };
  const context: Context = {
    environment,
    clock: systemClock,
    log: createLog(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
    sql,
    reads: sql,
    reports: sql,
    reportsOf: () => Promise.reject(new Error('no report runs here')),
    databaseUrl: database.url,
    secrets: { current: SECRET, previous: [] },
    close: async () => {},
  };
  const running: { close(): Promise<void> }[] = [];
  return {
    operatorId,
    ownerUrl: database.ownerUrl,
    context,
    admin: { sql, box: createSecretBox(context.secrets), policy: { allowLoopback: true } },
    raise: async ({ type = 'order.filled', data = '{"orderId":"ord_1"}', createdAt, key } = {}) => {
      const eventId = newId('evn');
      await sql`
        insert into outbox_events (operator_id, event_id, type, dedupe_key, data, created_at)
        values (${operatorId}, ${eventId}, ${type}, ${key ?? `${type}:${eventId}`}, ${data}::text::json,
          coalesce(${createdAt?.toISOString() ?? null}::timestamptz, clock_timestamp()))`;
      await sql`select pg_notify('outbox', '')`;
      return eventId;
    },
    raiseMany: async (count) => {
      const ids = Array.from({ length: count }, () => newId('evn'));
      await sql`
        insert into outbox_events (operator_id, event_id, type, dedupe_key, data, created_at)
        select ${operatorId}, id, 'order.filled', 'order.filled:' || id, '{"orderId":"ord_1"}', clock_timestamp()
        from unnest(${ids}::text[]) as t (id)`;
      await sql`select pg_notify('outbox', '')`;
    },
    startJobs: async (overrides) => {
      const jobs = await startWebhookJobs(context, overrides);
      running.push(jobs);
      return jobs;
    },
    deliveries: (endpointId) => listDeliveries(sql, { operatorId, endpointId, limit: 10_000 }),
    withEnvironment: (change, secret = SECRET) => ({
      ...context,
      environment: { ...environment, ...change },
      secrets: { current: secret, previous: [] },
    }),
    close: async () => {
      for (const jobs of running) {
        await jobs.close();
      }
      await database.close();
    },
  };
}
