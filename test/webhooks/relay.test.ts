import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../src/core/terms.ts';
import type { JournalKind } from '../../src/ledger/journal-row.ts';
import { itemIdOf } from '../../src/ledger/render/entry.ts';
import { eventOf } from '../../src/ledger/render/events.ts';
import { listDeliveriesOfEvents } from '../../src/webhooks/deliveries.ts';
import { addEndpoint, disableEndpoint, enableEndpoint, updateEndpoint } from '../../src/webhooks/endpoints.ts';
import { relayEvents } from '../../src/webhooks/relay.ts';
import { readEvents } from '../support/events.ts';
import { timePasses } from '../support/until.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

const URL_A = 'http://127.0.0.1:9/a';

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world.close());

const waiting = async () => {
  const rows = await world.admin.sql<{ id: string }[]>`select event_id as id from waiting_events() order by sequence`;
  return rows.map(({ id }) => id);
};
const relayAll = async () => {
  let relayed = 0;
  for (let behind = true; behind; ) {
    const took = await relayEvents(world.admin.sql);
    relayed += took.relayed;
    behind = took.behind;
  }
  return relayed;
};

describe('relay', () => {
  // contract 26.1, contract 26.2
  test('queues an event to the endpoints that were active and subscribed when it was raised, however late it runs', async () => {
    const { admin, operatorId } = world;
    const before = await world.raise();
    const all = await addEndpoint(admin, operatorId, URL_A, []);
    const some = await addEndpoint(admin, operatorId, URL_A, ['position.settled']);
    const filled = await world.raise();
    const settled = await world.raise('position.settled');
    await disableEndpoint(admin, all.endpointId);
    const whileOff = await world.raise();
    await enableEndpoint(admin, all.endpointId);
    await updateEndpoint(admin, some.endpointId, { events: ['order.filled'] });
    const after = await world.raise();
    const settledAfter = await world.raise('position.settled');
    await updateEndpoint(admin, all.endpointId, { events: ['order.rejected'] });

    // only now does the relay run
    expect(await relayEvents(admin.sql)).toEqual({ relayed: 6, queued: 6, behind: false });
    expect(await relayEvents(admin.sql)).toEqual({ relayed: 0, queued: 0, behind: false });

    const queued = async (endpointId: string) =>
      (await world.deliveries(endpointId)).map((delivery) => delivery.eventId).sort();
    expect(await queued(all.endpointId)).toEqual([filled, settled, after, settledAfter].sort());
    expect(await queued(some.endpointId)).toEqual([settled, after].sort());
    expect(await queued(all.endpointId)).not.toContain(before);
    expect(await queued(all.endpointId)).not.toContain(whileOff);
  });

  test('gives each delivery an id by which those of an event are found', async () => {
    const { admin, operatorId } = world;
    const [{ eventId, deliveryId } = { eventId: '', deliveryId: '' }] = await world.deliveries();
    const found = await listDeliveriesOfEvents(admin.sql, operatorId, [eventId]);
    expect(found.every((delivery) => delivery.eventId === eventId)).toBe(true);
    expect(found.map((delivery) => delivery.deliveryId)).toContain(deliveryId);
    expect(await listDeliveriesOfEvents(admin.sql, operatorId, ['evn_none'])).toEqual([]);
  });

  // contract 26.1
  test('makes one job an endpoint, and takes each event once though several relays run at once', async () => {
    const { admin } = world;
    await world.raiseMany(3_000);
    const took = await Promise.all(Array.from({ length: 8 }, () => relayEvents(admin.sql, 500)));
    const relayed = took.reduce((sum, one) => sum + one.relayed, 0);
    expect(relayed).toBeGreaterThan(0);
    expect(relayed + (await relayAll())).toBe(3_000);
    const [jobs] = await admin.sql<{ count: number }[]>`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'webhook-deliver'`;
    expect(jobs?.count).toBeLessThanOrEqual(2);
    expect(await waiting()).toEqual([]);
  });

  test('takes the oldest first, and says whether more wait', async () => {
    const { admin } = world;
    const raised = [await world.raise(), await world.raise(), await world.raise()];
    expect(await waiting()).toEqual(raised);
    expect(await relayEvents(admin.sql, 2)).toMatchObject({ relayed: 2, behind: true });
    expect(await waiting()).toEqual(raised.slice(2));
    expect(await relayEvents(admin.sql)).toMatchObject({ relayed: 1, behind: false });
    expect(await waiting()).toEqual([]);
  });

  test('whose connection is lost before its commit leaves every event waiting', async () => {
    const { admin } = world;
    const raised = [await world.raise(), await world.raise('order.rejected')];
    const deliveries = (await world.deliveries()).length;
    const relay = new pg.Client({ connectionString: world.database.ownerUrl });
    relay.on('error', () => {});
    await relay.connect();
    await relay.query('begin');
    const { rows } = await relay.query(`select relayed from relay_events('', 10)`);
    expect(rows).toEqual([{ relayed: 2 }]);
    // another relay passes by what this one holds
    expect(await relayEvents(admin.sql)).toEqual({ relayed: 0, queued: 0, behind: false });
    await relay.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    await relay.end().catch(() => {});
    expect(await waiting()).toEqual(raised);
    expect(await world.deliveries()).toHaveLength(deliveries);
    expect((await relayEvents(admin.sql)).relayed).toBe(2);
  });

  // contract 26.1
  test('killed at any instant it loses no event and doubles none', { tags: 'proof' }, async () => {
    const { admin, operatorId } = world;
    const { endpointId } = await addEndpoint(admin, operatorId, URL_A, []);
    const before = (await readEvents(admin.sql, operatorId)).length;
    await world.raiseMany(1_500);
    for (let kills = 0; kills < 40; kills += 1) {
      const relay = new pg.Client({ connectionString: world.context.databaseUrl });
      relay.on('error', () => {});
      await relay.connect();
      const { rows } = await relay.query<{ pid: number }>('select pg_backend_pid() as pid');
      const working = relay.query(`select relay_events('', 50)`).catch(() => {});
      await timePasses((kills % 10) * 2);
      await admin.sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`;
      await working;
      await relay.end().catch(() => {});
    }
    await relayAll();
    const raised = (await readEvents(admin.sql, operatorId)).slice(before).map(({ eventId }) => eventId);
    expect(raised).toHaveLength(1_500);
    const queued = (await world.deliveries(endpointId)).map(({ eventId }) => eventId);
    expect(queued.sort()).toEqual(raised.sort());
  });

  test('queues no delivery again if it begins anew', async () => {
    const { admin, operatorId } = world;
    await world.raise('order.rejected');
    await relayAll();
    const before = await world.deliveries();
    await admin.sql`update webhook_relays set sequence = 0 where operator_id = ${operatorId}`;
    expect(await relayAll()).toBe((await readEvents(admin.sql, operatorId)).length);
    expect(await world.deliveries()).toEqual(before);
  });

  test('shares a batch among the operators that are behind, and passes by those without an endpoint', async () => {
    const { admin } = world;
    const { sql } = admin;
    await sql`insert into operators (operator_id, slug, name, mode) values ('op_deaf', 'deaf', 'Deaf', 'sandbox')`;
    await sql`select open_ledger('op_deaf')`;
    await sql`update operator_ledgers set sequence = 7 where operator_id = 'op_deaf'`;
    await world.raiseMany(4);
    expect(await relayEvents(sql, 3)).toMatchObject({ relayed: 3, behind: true });
    const [deaf] = await sql`select sequence from webhook_relays where operator_id = 'op_deaf'`;
    expect(deaf).toEqual({ sequence: 7n });
    expect(await relayAll()).toBe(1);
  });
});

test('the database and the rendering agree on which rows raise which event', async () => {
  const kinds = await world.admin.sql<
    { kind: JournalKind; status: OrderStatus; quantityMicros: bigint; type: string | null }[]
  >`
    select kind, status, quantity_micros, journal_event_type(kind, status, quantity_micros) as type
    from unnest(enum_range(null::journal_kind)) kind, unnest(enum_range(null::order_status)) status,
      (values (null::bigint), (0), (10000)) given (quantity_micros)`;
  const detail = { dedupeKey: 'k', settledResolution: 'YES', currentResolution: 'NO', affectedPositionIds: ['pos_1'] };
  for (const { type, ...row } of kinds) {
    const event = eventOf({ ...row, items: 1, orderId: 'ord_1', action: 'buy', detail });
    expect([row, event?.type ?? null]).toEqual([row, type]);
  }
});

test('the database makes the ids of items as they are rendered', async () => {
  const orderId = 'ord_019f1c2a0b37d3e8a6b1c5d9e2f4a600';
  for (const digits of [null, '019f1c2a0b37d3e8a6b1c5d9e2f4a601']) {
    const [made] = await world.admin.sql<{ id: string }[]>`
      select item_id('evn', ${digits}::uuid, ${orderId}) as id`;
    expect(made?.id).toBe(itemIdOf('evn', { digits, orderId }));
  }
});
