import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifySignature } from '../../src/core/webhook-signature.ts';
import { type Delivery, measureWebhooks, replayDeliveries, replaySince } from '../../src/webhooks/deliveries.ts';
import { addEndpoint, getEndpoint, removeEndpoint, rotateSecret } from '../../src/webhooks/endpoints.ts';
import { readEvents } from '../support/events.ts';
import { until } from '../support/until.ts';
import { type Answer, answers, openBrokenTlsSink, openNoiseSink, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

/** For receivers of whose answer nothing arrives in time, however long that is. */
const SHORT_MS = 400;
/** For a receiver whose status arrives in time, and whose body never ends. */
const LONG_MS = 5_000;
/** The second retry comes no sooner. */
const SECOND_STEP_MS = 24_000;

let world: WebhookWorld;
const open: { sink: Sink; endpointId: string }[] = [];

beforeAll(async () => {
  world = await openWebhookWorld();
});
afterEach(async () => {
  for (const { sink, endpointId } of open.splice(0)) {
    await sink.close();
    await removeEndpoint(world.admin, endpointId).catch(() => {});
  }
});
afterAll(() => world.close());

async function endpointAt(sink: Sink, url = sink.url) {
  const issued = await addEndpoint(world.admin, world.operatorId, url, []);
  open.push({ sink, endpointId: issued.endpointId });
  return issued;
}

async function attempted(endpointId: string, times = 1): Promise<Delivery> {
  return until(async () => {
    const [delivery] = await world.deliveries(endpointId);
    expect(delivery?.attempts.length ?? 0).toBeGreaterThanOrEqual(times);
    return delivery as Delivery;
  });
}

/** Makes a delivery due now, as time would. */
async function hurry(endpointId: string): Promise<void> {
  await world.admin.sql`update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${endpointId}`;
  await world.admin
    .sql`select wake_webhook_endpoints(array[${world.operatorId}], array[${endpointId}], array[null::timestamptz])`;
}

/** Runs the tests of a group with jobs of their own. @param timeoutMs of an exchange; that of the service if it is not given */
function withJobs(timeoutMs?: number): void {
  let jobs: { close(): Promise<void> };
  beforeAll(async () => {
    jobs = await world.startJobs(timeoutMs === undefined ? {} : { timeoutMs });
  });
  afterAll(() => jobs.close());
}

/** To this receiver, it fails as expected and is due again after the first step of the schedule. */
async function failsAt(answer: Answer, expected: Partial<{ status: number | null; error: string }>) {
  const sink = await openSink(answer);
  const { endpointId } = await endpointAt(sink);
  await world.raise();
  const first = await attempted(endpointId);
  expect(first.status).toBe('pending');
  expect(first.attempts[0]).toMatchObject(expected);
  expect(first.attempts[0]?.error).not.toBeNull();
  const wait = Date.parse(first.nextAttemptAt ?? '') - Date.parse(first.attempts[0]?.startedAt ?? '');
  expect(wait).toBeGreaterThan(3_900);
  expect(wait).toBeLessThan(SECOND_STEP_MS);
  return { sink, endpointId };
}

async function isTriedAgain({ sink, endpointId }: Awaited<ReturnType<typeof failsAt>>): Promise<void> {
  await hurry(endpointId);
  const second = await attempted(endpointId, 2);
  expect(second.attempts).toHaveLength(2);
  expect(new Set(sink.received.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
  const times = sink.received.map(({ body }) => JSON.parse(body).createdAt as string);
  expect(times[1]).not.toBe(times[0]);
}

describe('a delivery', () => {
  withJobs();

  // contract 27.1, contract 27.2, contract 27.6
  test('reaches a receiver signed, with the envelope and the headers of the contract', async () => {
    const sink = await openSink(answers.ok);
    const { endpointId, secret } = await endpointAt(sink);
    const eventId = await world.raise();
    const event = (await readEvents(world.admin.sql)).find((one) => one.eventId === eventId);
    const delivery = await attempted(endpointId);
    const dedupeKey = `order.filled:ord_${eventId.slice(4)}:fil_${eventId.slice(4)}`;
    expect(delivery).toMatchObject({ status: 'delivered', dedupeKey, nextAttemptAt: null });
    expect(delivery.attempts).toMatchObject([{ attempt: 1, status: 200, error: null, response: 'ok' }]);
    const [received] = sink.received;
    expect(received?.method).toBe('POST');
    expect(received?.body.replace(/"createdAt":"[^"]+Z"/, '"createdAt":"now"')).toBe(
      `{"id":"${eventId}","type":"order.filled","dedupeKey":"${dedupeKey}","createdAt":"now","data":${JSON.stringify(event?.data)}}`,
    );
    expect(received?.body).toContain('"fillPrice":0.61,');
    const headers = received?.headers ?? {};
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-type': 'order.filled',
      'user-agent': 'Service-Webhooks/1',
    });
    expect(headers['x-webhook-signature']).toBe(headers['service-signature']);
    const verdict = verifySignature(
      secret,
      String(headers['service-signature']),
      received?.body ?? '',
      Date.now() / 1000,
    );
    expect(verdict.valid).toBe(true);
  });

  test.each<[string, Answer, Partial<{ status: number | null; error: string }>]>([
    ['answers 500', answers.status(500), { status: 500, error: 'http_500' }],
    ['answers 404', answers.status(404), { status: 404, error: 'http_404' }],
    ['resets the connection', answers.reset, { status: null }],
  ])('to a receiver that %s is a failed attempt, tried again later under the same id', async (_, answer, expected) => {
    await isTriedAgain(await failsAt(answer, expected));
  });

  // contract 27.6
  test('does not follow a redirect', async () => {
    const target = await openSink(answers.ok);
    const sink = await openSink(answers.status(301, { location: target.url }));
    const { endpointId } = await endpointAt(sink);
    await world.raise();
    const delivery = await attempted(endpointId);
    expect(delivery.attempts[0]).toMatchObject({ status: 301, error: 'http_301' });
    expect(target.received).toHaveLength(0);
    await target.close();
  });

  // contract 27.10
  test('takes a 2xx with a huge body for an acknowledgement and keeps its first 1 KB', async () => {
    const sink = await openSink(answers.huge(20_000_000));
    const { endpointId } = await endpointAt(sink);
    await world.raise();
    const delivery = await attempted(endpointId);
    expect(delivery.status).toBe('delivered');
    expect(delivery.attempts).toMatchObject([
      { status: 200, durationMs: expect.any(Number), response: 'x'.repeat(1024) },
    ]);
  });

  test('is not sent over TLS that cannot be verified, and not accepted by a server that does not speak HTTP', async () => {
    for (const sink of [await openBrokenTlsSink(), await openNoiseSink()]) {
      const { endpointId } = await endpointAt(sink);
      await world.raise();
      const delivery = await attempted(endpointId);
      expect(delivery).toMatchObject({ status: 'pending' });
      expect(delivery.attempts[0]?.status).toBeNull();
      expect(delivery.attempts[0]?.error).toMatch(/self_signed|not_http/);
      expect(sink.received).toHaveLength(0);
    }
  });

  // contract 27.9
  test('that is answered 410 switches its endpoint off', async () => {
    const sink = await openSink(answers.status(410));
    const { endpointId } = await endpointAt(sink);
    await world.raise();
    const delivery = await attempted(endpointId);
    expect(delivery).toMatchObject({ status: 'exhausted', attempts: [{ status: 410 }] });
    expect(await getEndpoint(world.admin.sql, endpointId)).toMatchObject({ active: false, disabledReason: 'gone' });
    await world.raise();
    await until(async () => {
      const [row] = await world.admin.sql`select count(*)::int as waiting from waiting_events()`;
      expect(row).toMatchObject({ waiting: 0 });
    });
    expect(await world.deliveries(endpointId)).toHaveLength(1);
  });

  // contract 27.8
  test('is exhausted once three days of attempts have passed, and can be replayed one by one or since a time', async () => {
    let up = false;
    const sink = await openSink((response) => (up ? answers.ok(response) : answers.status(503)(response)));
    const { endpointId } = await endpointAt(sink);
    const start = new Date();
    await world.raise();
    const { deliveryId } = await attempted(endpointId);
    await expect(replayDeliveries(world.admin.sql, [deliveryId])).rejects.toMatchObject({
      code: 'delivery_pending',
    });
    await world.admin.sql`
      update webhook_deliveries set window_started_at = now() - interval '72 hours' where delivery_id = ${deliveryId}`;
    await hurry(endpointId);
    expect((await attempted(endpointId, 2)).status).toBe('exhausted');
    await expect(replayDeliveries(world.admin.sql, ['dlv_x'])).rejects.toMatchObject({ code: 'unknown_delivery' });
    expect(await replayDeliveries(world.admin.sql, [deliveryId, deliveryId])).toEqual([deliveryId]);
    const again = await attempted(endpointId, 3);
    expect(again).toMatchObject({ status: 'pending' });
    expect(again.attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    await world.admin.sql`
      update webhook_deliveries set window_started_at = now() - interval '72 hours' where delivery_id = ${deliveryId}`;
    await hurry(endpointId);
    expect((await attempted(endpointId, 4)).status).toBe('exhausted');
    up = true;
    expect(await replaySince(world.admin.sql, { since: new Date(Date.now() + 60_000), endpointId })).toEqual([]);
    expect(await replaySince(world.admin.sql, { since: start, endpointId })).toEqual([deliveryId]);
    expect((await attempted(endpointId, 5)).status).toBe('delivered');
    expect(await replayDeliveries(world.admin.sql, [deliveryId])).toEqual([deliveryId]);
    expect((await attempted(endpointId, 6)).status).toBe('delivered');
  });

  // contract 27.5
  test('is signed with the new secret as soon as it is rotated', async () => {
    const sink = await openSink(answers.ok);
    const { endpointId, secret } = await endpointAt(sink);
    const rotated = await rotateSecret(world.admin, endpointId);
    expect(rotated.secret).not.toBe(secret);
    await world.raise();
    await attempted(endpointId);
    const [received] = sink.received;
    const check = (key: string) =>
      verifySignature(key, String(received?.headers['service-signature']), received?.body ?? '', Date.now() / 1000)
        .valid;
    expect([check(rotated.secret), check(secret)]).toEqual([true, false]);
  });
});

describe('a delivery that takes too long', () => {
  describe('because nothing arrives', () => {
    withJobs(SHORT_MS);

    test.each<[string, Answer]>([
      ['never answers', answers.never],
      ['answers after the limit', answers.after(SHORT_MS + 200)],
    ])('to a receiver that %s is a failed attempt, tried again later under the same id', async (_, answer) => {
      await isTriedAgain(await failsAt(answer, { status: null, error: 'timeout' }));
    });
  });

  describe('because it never ends', () => {
    withJobs(LONG_MS);

    test('is a failed attempt with the status of the answer', { tags: 'proof' }, async () => {
      await failsAt(answers.endless, { status: 200, error: 'timeout' });
    });
  });
});

describe('a delivery', () => {
  withJobs();

  test('is counted', async () => {
    const totals = await measureWebhooks(world.admin.sql);
    expect(totals.delivered).toBeGreaterThan(0);
    expect(totals.failed).toBeGreaterThan(0);
    expect(totals).toMatchObject({ queued: 0, oldestAgeSeconds: 0 });
    const sink = await openSink(answers.ok);
    const { endpointId } = await endpointAt(sink);
    await world.raise();
    await attempted(endpointId);
    await world.admin
      .sql`update webhook_deliveries set status = 'pending', finished_at = null, next_attempt_at = now() + interval '1 hour', created_at = now() - interval '9 seconds' where endpoint_id = ${endpointId}`;
    const owed = await measureWebhooks(world.admin.sql);
    expect(owed.queued).toBe(1);
    expect(owed.oldestAgeSeconds).toBeGreaterThanOrEqual(9);
  });
});
