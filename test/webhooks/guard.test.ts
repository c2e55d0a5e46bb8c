import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findStuckDeliveries } from '../../src/webhooks/deliveries.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import {
  addEndpoint,
  disableEndpoint,
  type EndpointAdmin,
  enableEndpoint,
  getEndpoint,
  removeEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../src/webhooks/endpoints.ts';
import { resealSecrets } from '../../src/webhooks/reseal-secrets.ts';
import { until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, SECRET, type WebhookWorld } from './world.ts';

let world: WebhookWorld;
let sink: Sink;
let strict: EndpointAdmin;

beforeAll(async () => {
  world = await openWebhookWorld();
  sink = await openSink(answers.ok);
  strict = {
    ...world.admin,
    policy: { allowLoopback: false },
    resolveHost: () => Promise.resolve([{ address: '8.8.8.8' }]),
  };
});
afterAll(async () => {
  await world.close();
  await sink.close();
});

async function countEndpoints(): Promise<number> {
  const [row] = await world.admin.sql<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints where removed_at is null`;
  return row?.count ?? -1;
}

async function attempt(endpointId: string) {
  await world.raise();
  return until(async () => {
    const [delivery] = await world.deliveries(endpointId);
    expect(delivery?.attempts.length ?? 0).toBeGreaterThan(0);
    return delivery?.attempts[0];
  });
}

describe('a destination', () => {
  // contract 27.13
  test('whose name answers differently between the check and the connection is refused at the socket', async () => {
    const issued = await addEndpoint(strict, world.operatorId, 'https://rebinding.example/hook', []);
    let asked = 0;
    const lookup: LookupFunction = (_hostname, options, callback) => {
      asked += 1;
      options.all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    };
    const jobs = await world.startJobs({ policy: { allowLoopback: true }, lookup });
    expect(await attempt(issued.endpointId)).toMatchObject({ status: null, error: 'destination_refused' });
    expect(asked).toBeGreaterThan(0);
    expect(sink.connections()).toBe(0);
    await jobs.close();
    await removeEndpoint(world.admin, issued.endpointId);
  });

  // contract 27.13
  test('that is not allowed any more gets nothing: the rules hold on every attempt', async () => {
    const issued = await addEndpoint(world.admin, world.operatorId, sink.url, []);
    const jobs = await world.startJobs({ policy: { allowLoopback: false } });
    expect(await attempt(issued.endpointId)).toMatchObject({ status: null, error: 'destination_refused' });
    await world.admin
      .sql`update webhook_endpoints set host = 'elsewhere.example' where endpoint_id = ${issued.endpointId}`;
    await jobs.close();
    const lenient = await world.startJobs();
    await world.raise();
    await until(async () => {
      const deliveries = await world.deliveries(issued.endpointId);
      expect(deliveries.every(({ attempts }) => attempts.at(-1)?.error === 'destination_refused')).toBe(true);
      expect(deliveries.length).toBeGreaterThan(1);
    });
    expect(sink.connections()).toBe(0);
    await lenient.close();
    await removeEndpoint(world.admin, issued.endpointId);
  });

  // contract 27.12, contract 27.13
  test('is checked when it is registered, changed and switched on; what is refused is not stored', async () => {
    const add = (url: string, events: string[] = []) => addEndpoint(strict, world.operatorId, url, events);
    await expect(add('https://10.0.0.1/')).rejects.toMatchObject({ extra: { rule: 'address' } });
    await expect(add(sink.url)).rejects.toMatchObject({ code: 'invalid_destination' });
    await expect(add('https://a.example/', ['order.exploded'])).rejects.toMatchObject({ code: 'unknown_event_type' });
    expect(await countEndpoints()).toBe(0);
    const issued = await add('https://a.example/');
    await expect(updateEndpoint(strict, issued.endpointId, { url: 'https://a.example:8443/' })).rejects.toMatchObject({
      extra: { rule: 'port' },
    });
    await disableEndpoint(strict, issued.endpointId);
    const rebound = { ...strict, resolveHost: () => Promise.resolve([{ address: '192.168.0.1' }]) };
    await expect(enableEndpoint(rebound, issued.endpointId)).rejects.toMatchObject({ extra: { rule: 'address' } });
    await expect(enableEndpoint(strict, 'whe_none')).rejects.toMatchObject({ code: 'unknown_endpoint' });
    await removeEndpoint(strict, issued.endpointId);
  });

  // contract 27.11
  test('is one of at most ten, also when eleven are registered at once', async () => {
    const added = await Promise.allSettled(
      Array.from({ length: 11 }, (_, index) => addEndpoint(strict, world.operatorId, `https://a.example/${index}`, [])),
    );
    const refused = added.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'too_many_endpoints' } }]);
    expect(await countEndpoints()).toBe(10);
    for (const one of added) {
      if (one.status === 'fulfilled') {
        await removeEndpoint(strict, one.value.endpointId);
      }
    }
  });
});

describe('a secret', () => {
  // contract 41.9
  test('is not readable in the database, and not under another INLAY_SECRET unless it is named as previous', async () => {
    const issued = await addEndpoint(world.admin, world.operatorId, sink.url, []);
    const [row] = await world.admin.sql<{ text: string }[]>`
      select secret_sealed as text from webhook_endpoints where endpoint_id = ${issued.endpointId}`;
    const sealed = row?.text ?? '';
    expect(issued.secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(sealed).not.toContain(issued.secret.slice(6));
    expect(createSecretBox({ current: SECRET, previous: [] }).open(issued.endpointId, sealed)).toBe(issued.secret);
    expect(createSecretBox({ current: 'new', previous: [SECRET] }).open(issued.endpointId, sealed)).toBe(issued.secret);
    const foreign = createSecretBox({ current: 'new', previous: [] });
    expect(() => foreign.open(issued.endpointId, sealed)).toThrow(/another INLAY_SECRET/);
    expect(() => createSecretBox({ current: SECRET, previous: [] }).open('whe_other', sealed)).toThrow();

    const admin = { ...world.admin, box: foreign };
    await expect(addEndpoint(admin, world.operatorId, sink.url, [])).rejects.toMatchObject({
      code: 'secret_unreadable',
    });
    await expect(rotateSecret(admin, issued.endpointId)).rejects.toMatchObject({ code: 'secret_unreadable' });
    expect(await countEndpoints()).toBe(1);

    // after a rotation of INLAY_SECRET the secrets move to the new one, and those that cannot be read stay
    const rotated = createSecretBox({ current: 'new', previous: [SECRET] });
    expect(await resealSecrets(world.admin.sql, foreign)).toBe(0);
    expect(await resealSecrets(world.admin.sql, rotated)).toBe(1);
    expect(await resealSecrets(world.admin.sql, rotated)).toBe(0);
    expect(foreign.open(issued.endpointId, (await getEndpoint(world.admin.sql, issued.endpointId)).secretSealed)).toBe(
      issued.secret,
    );
    const back = createSecretBox({ current: SECRET, previous: ['new'] });
    expect(await resealSecrets(world.admin.sql, back)).toBe(1);

    // a worker with the wrong secret sends nothing, and uses no attempt up
    const before = sink.connections();
    const jobs = await world.startJobs({ box: foreign });
    await world.raise();
    await until(async () => {
      const [health] = await world.admin
        .sql`select paused_until > now() as paused from webhook_health where endpoint_id = ${issued.endpointId}`;
      expect(health).toMatchObject({ paused: true });
    });
    expect(await world.deliveries(issued.endpointId)).toMatchObject([{ status: 'pending', attempts: [] }]);
    expect(sink.connections()).toBe(before);
    await jobs.close();

    expect(await findStuckDeliveries(world.admin.sql, world.operatorId)).toEqual([]);
    await world.admin.sql`update webhook_deliveries set created_at = ${new Date(Date.now() - 7_200_000)}`;
    expect(await findStuckDeliveries(world.admin.sql, world.operatorId)).toMatchObject([
      { endpointId: issued.endpointId, count: 1 },
    ]);

    // the right one goes on where it stood
    await world.admin.sql`update webhook_health set paused_until = null`;
    await world.startJobs();
    await until(async () => {
      expect(await world.deliveries(issued.endpointId)).toMatchObject([{ status: 'delivered' }]);
    });
  });
});
