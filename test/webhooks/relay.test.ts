import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDeliveriesOfEvents } from '../../src/webhooks/delivery/deliveries.ts';
import {
  addEndpoint,
  disableEndpoint,
  enableEndpoint,
  updateEndpoint,
} from '../../src/webhooks/endpoints/manage-endpoints.ts';
import { relayOutbox } from '../../src/webhooks/relay.ts';
import { openWorld, type World } from './world.ts';

const URL_A = 'http://127.0.0.1:9/a';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const waiting = async () =>
  (await world.admin.sql<{ id: string }[]>`select event_id as id from outbox_queue order by event_id`).map(
    ({ id }) => id,
  );

describe('relay', () => {
  // contract 26.1, contract 26.2
  test('queues an event to the endpoints that were active and subscribed when it was raised, however late it runs', async () => {
    const { admin, operatorId } = world;
    const before = await world.raise();
    const all = await addEndpoint(admin, operatorId, URL_A, []);
    const some = await addEndpoint(admin, operatorId, URL_A, ['position.settled']);
    const filled = await world.raise();
    const settled = await world.raise({ type: 'position.settled' });
    await disableEndpoint(admin, all.endpointId);
    const whileOff = await world.raise();
    await enableEndpoint(admin, all.endpointId);
    await updateEndpoint(admin, some.endpointId, { events: ['order.filled'] });
    const after = await world.raise();
    const settledAfter = await world.raise({ type: 'position.settled' });
    await updateEndpoint(admin, all.endpointId, { events: ['order.rejected'] });

    // only now does the relay run
    expect(await relayOutbox(admin.sql)).toEqual({ relayed: 6, queued: 6 });
    expect(await relayOutbox(admin.sql)).toEqual({ relayed: 0, queued: 0 });

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
    const took = await Promise.all(Array.from({ length: 8 }, () => relayOutbox(admin.sql, 500)));
    expect(took.reduce((sum, { relayed }) => sum + relayed, 0)).toBe(3_000);
    const [jobs] = await admin.sql<{ count: number }[]>`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'webhook-deliver'`;
    expect(jobs?.count).toBeLessThanOrEqual(2);
    const [unrelayed] = await admin.sql<{ count: number }[]>`
      select count(*)::int as count from outbox_queue`;
    expect(unrelayed?.count).toBe(0);
  });

  test('takes the oldest first, and writes nothing to the event itself', async () => {
    const { admin } = world;
    const rows = () => admin.sql<{ place: string }[]>`
      select ctid::text || ' ' || xmin::text as place from outbox_events order by event_id`;
    const raised = [await world.raise(), await world.raise(), await world.raise()];
    const before = await rows();
    expect(await relayOutbox(admin.sql, 2)).toMatchObject({ relayed: 2 });
    expect(await waiting()).toEqual(raised.slice(2));
    expect(await relayOutbox(admin.sql)).toMatchObject({ relayed: 1 });
    expect(await waiting()).toEqual([]);
    expect(await rows()).toEqual(before);
  });

  test('whose connection is lost before its commit leaves every event waiting', async () => {
    const { admin } = world;
    const raised = [await world.raise(), await world.raise({ type: 'order.rejected' })];
    const deliveries = (await world.deliveries()).length;
    const relay = new pg.Client({ connectionString: world.ownerUrl });
    relay.on('error', () => {});
    await relay.connect();
    await relay.query('begin');
    const { rows } = await relay.query('select relayed from relay_outbox(10)');
    expect(rows).toEqual([{ relayed: 2 }]);
    // another relay passes by what this one holds
    expect(await relayOutbox(admin.sql)).toEqual({ relayed: 0, queued: 0 });
    await relay.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    await relay.end().catch(() => {});
    expect(await waiting()).toEqual(raised);
    expect(await world.deliveries()).toHaveLength(deliveries);
    expect((await relayOutbox(admin.sql)).relayed).toBe(2);
  });

  test('queues no delivery again for an event that waits once more', async () => {
    const { admin, operatorId } = world;
    await world.raise({ type: 'order.rejected' });
    expect(await relayOutbox(admin.sql)).toEqual({ relayed: 1, queued: 1 });
    const before = await world.deliveries();
    const [all] = await admin.sql<{ events: number }[]>`
      with again as (
        insert into outbox_queue (operator_id, event_id, type, created_at)
        select operator_id, event_id, type, created_at from outbox_events where operator_id = ${operatorId} returning 1)
      select count(*)::int as events from again`;
    let relayed = 0;
    for (let took = 1; took > 0; relayed += took) {
      const { relayed: some, queued } = await relayOutbox(admin.sql);
      expect(queued).toBe(0);
      took = some;
    }
    expect(relayed).toBe(all?.events);
    expect(await world.deliveries()).toEqual(before);
  });
});
