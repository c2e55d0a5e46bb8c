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

describe('relay', () => {
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

  test('makes one job an endpoint, and takes each event once though several relays run at once', async () => {
    const { admin } = world;
    await world.raiseMany(3_000);
    const took = await Promise.all(Array.from({ length: 8 }, () => relayOutbox(admin.sql, 500)));
    expect(took.reduce((sum, { relayed }) => sum + relayed, 0)).toBe(3_000);
    const [jobs] = await admin.sql<{ count: number }[]>`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'webhook-deliver'`;
    expect(jobs?.count).toBeLessThanOrEqual(2);
    const [unrelayed] = await admin.sql<{ count: number }[]>`
      select count(*)::int as count from outbox_events where relayed_at is null`;
    expect(unrelayed?.count).toBe(0);
  });
});
