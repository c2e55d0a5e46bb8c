/** The commands that a key alone serves: the history of an order, and webhooks, on a machine that has no database of the service. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../src/client/verify-webhook.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { TestMarket } from '../support/market.ts';
import { runProgram, startProgram } from '../support/process.ts';
import type { RunCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { answers, openSink, type Received, type Sink } from '../webhooks/sinks.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: World;
let market: TestMarket;
let sink: Sink;
let inlay: RunCommand;
let elsewhere: Readonly<Record<string, string>>;
let order: AnyJson;
beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('alone');
  sink = world.add(await openSink(answers.ok));
  await addEndpoint(await createEndpointAdmin(world.context), world.operator.operatorId, sink.url, []);
  world.add(await startWebhookJobs(world.openWorker()));
  elsewhere = {
    DATABASE_URL: '',
    DATABASE_OWNER_URL: '',
    INLAY_DATA_DIR: temporaryFolder('no-service'),
    XDG_CONFIG_HOME: temporaryFolder('no-profiles'),
    INLAY_API_URL: world.url,
    INLAY_API_KEY: world.key,
  };
  inlay = await world.commands(elsewhere);
  order = await world.buy(market, 'ana', 'YES', 10, { clientOrderId: 'bet 1/a' });
  await until(() => expect(sink.received).toHaveLength(1));
});
afterAll(() => world.close());

// contract 40.17, contract 38.8
test('orders lookup prints the history of the API, and says what it shows', async () => {
  const { body } = await world.request('GET', `/api/v1/orders/${order.orderId}/history`);
  for (const [reference, ...more] of [
    [order.orderId],
    [order.orderId.slice(0, 20)],
    [order.executionRef.toLowerCase()],
    ['bet 1/a', '--user', 'ana'],
  ] as [string, ...string[]][]) {
    const { json, exitCode } = await inlay('orders', 'lookup', reference, ...more, '--json');
    expect([reference, exitCode, json]).toEqual([reference, 0, body]);
  }
  const { stdout } = await inlay('orders', 'lookup', order.executionRef);
  expect(stdout.split('\n')[0]).toMatch(/^ana bought /);
  for (const part of [
    'Timeline',
    'Webhooks',
    'delivered to whe_',
    'Bookings that your own ledger should have',
    `key ${order.orderId}`,
  ]) {
    expect(stdout).toContain(part);
  }
  expect(stdout).not.toMatch(/Ledger\n|paper|What to do next/);
  for (const text of [order.executionRef.slice('inl_Best_'.length), `Ref: ${order.executionRef.toLowerCase()}.`]) {
    expect([text, (await inlay('orders', 'lookup', text, '--json')).json]).toEqual([text, body]);
  }
  const missed = await inlay('orders', 'lookup', 'bet 1/a');
  expect([missed.exitCode, missed.stderr]).toEqual([3, expect.stringContaining('name the customer with --user')]);
  expect((await inlay('orders', 'lookup', order.orderId, '--since', '2026-01-01')).exitCode).toBe(2);
});

// contract 40.17
test('webhooks deliveries lists those of the key, and resend sends them again', async () => {
  const { json } = await inlay('webhooks', 'deliveries', '--json');
  expect(json).toMatchObject({ deliveries: [{ type: 'order.filled', orderId: order.orderId, status: 'delivered' }] });
  const [{ deliveryId, endpointId }] = json.deliveries;
  const listed = async (...argv: string[]) =>
    (await inlay('webhooks', 'deliveries', ...argv, '--json')).json.deliveries.map((one: AnyJson) => one.deliveryId);
  expect(await listed('--endpoint', endpointId.slice(0, 20))).toEqual([deliveryId]);
  expect(await listed('--order', order.executionRef, '--status', 'delivered')).toEqual([deliveryId]);
  expect(await listed('--order', 'bet 1/a', '--user', 'ana')).toEqual([deliveryId]);
  expect(await listed('--status', 'exhausted')).toEqual([]);
  expect((await inlay('webhooks', 'deliveries', '--output', 'csv')).stdout).toContain(deliveryId);

  const again = await inlay('webhooks', 'resend', deliveryId.slice(0, 24), '--json');
  expect([again.exitCode, again.json.deliveries]).toMatchObject([0, [{ deliveryId }]]);
  await until(() => expect(sink.received).toHaveLength(2));
  await until(
    () => listed('--status', 'delivered'),
    (found) => found.length === 1,
  );
  const ofOrder = await inlay('webhooks', 'resend', '--order', order.executionRef);
  expect(ofOrder.stdout).toBe('1 delivery is sent again.\n');
  await until(() => expect(sink.received).toHaveLength(3));
  expect((await inlay('webhooks', 'resend')).exitCode).toBe(2);
  expect((await inlay('webhooks', 'resend', deliveryId, '--order', order.orderId)).exitCode).toBe(2);
  const unknown = await inlay('webhooks', 'resend', 'dlv_none', '--json');
  expect([unknown.exitCode, unknown.json.error]).toEqual([3, 'unknown_delivery']);
});

// contract 40.17
test('an operator without an endpoint is told why it has no delivery', async () => {
  const other = await world.tenant({ mode: 'sandbox' });
  const without = await world.commands({ ...elsewhere, INLAY_API_KEY: other.key });
  const { body: placed } = await other.place('eve');
  const listed = await without('webhooks', 'deliveries');
  expect([listed.exitCode, listed.stderr]).toEqual([
    0,
    expect.stringContaining('because this operator has no endpoint'),
  ]);
  for (const argv of [['dlv_none'], ['--order', placed.orderId]]) {
    const { exitCode, stderr } = await without('webhooks', 'resend', ...argv);
    expect([argv, exitCode, stderr]).toEqual([
      argv,
      3,
      expect.stringMatching(/^unknown_delivery: .* has no endpoint\./),
    ]);
    expect(stderr).toContain('The service operator registers one');
  }
});

// contract 40.13
test('webhooks listen forwards each event as it would be delivered, signed with a secret that it prints', async () => {
  const target = world.add(await openSink(answers.status(202)));
  const command = [join(import.meta.dirname, '../webhooks/run-command.ts'), 'listen', '--forward-to', target.url];
  const env = { ...process.env, ...elsewhere } as Record<string, string>;
  const listening = startProgram(process.execPath, [...command, '--json'], { env });
  await listening.prints(/"following"/);
  const { secret } = JSON.parse(listening.output().stdout.split('\n')[0] ?? '');
  const { orderId } = await world.buy(market, 'ben');
  await until(() => expect(target.received).toHaveLength(1));
  const { headers, body } = target.received[0] as Received;
  const event = verifyWebhook({ body, signature: headers['service-signature']?.toString(), secret });
  expect(event).toMatchObject({ type: 'order.filled', data: { orderId } });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-signature': headers['service-signature'],
    'service-event-type': 'order.filled',
    'user-agent': 'Service-Webhooks/1',
  });
  const { body: page } = await world.request('GET', '/api/v1/webhook-events?last=1');
  expect(body).toBe(JSON.stringify(page.events[0]));
  await listening.prints(/"forward":\{"status":202,"error":null\}/);
  listening.child.kill('SIGINT');
  expect((await listening.ended).code).toBe(130);

  const given = startProgram(process.execPath, [...command, '--secret', 'whsec_own'], { env });
  await given.prints(/Forwarding them to /);
  await world.buy(market, 'ben');
  await given.prints(/order\.filled {2}order\.filled:\S+ {2}forwarded: 202/);
  given.child.kill('SIGINT');
  expect((await given.ended).stdout).not.toContain('whsec_');
  const signed = target.received[1];
  expect(
    verifyWebhook({
      body: signed?.body ?? '',
      signature: signed?.headers['service-signature']?.toString(),
      secret: 'whsec_own',
    }).type,
  ).toBe('order.filled');
});

test('a key that is refused ends it at once, and so does a service that is away', async () => {
  const command = [join(import.meta.dirname, '../webhooks/run-command.ts'), 'listen', '--json'];
  for (const [env, code, said, ...argv] of [
    [{ INLAY_API_KEY: '' }, 4, 'missing_credentials'],
    [{ INLAY_API_KEY: 'pk_test_nobody' }, 4, 'invalid_key'],
    [{ INLAY_API_URL: 'http://127.0.0.1:9' }, 1, 'service_unreachable'],
    [{}, 1, 'invalid_type', '--event', 'order.lost'],
  ] as [Record<string, string>, number, string, ...string[]][]) {
    const all = { ...process.env, ...elsewhere, ...env } as Record<string, string>;
    const ended = await runProgram(process.execPath, [...command, ...argv], { env: all });
    expect([ended.code, JSON.parse(ended.stdout).error]).toEqual([code, said]);
  }
});

test('they load nothing of the database', async () => {
  const child = join(import.meta.dirname, 'loaded-modules-process.ts');
  const env = { ...process.env, ...elsewhere } as Record<string, string>;
  for (const argv of [
    ['orders/lookup', order.orderId],
    ['webhooks/deliveries', '--json'],
    ['webhooks/resend', '--order', order.orderId],
  ]) {
    const { code, stderr } = await runProgram(process.execPath, [child, ...argv], { env });
    const loaded: string[] = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect([argv, code, loaded.length > 20]).toEqual([argv, 0, true]);
    const ofService = /node_modules\/(postgres|pg|fastify|viem)\/|src\/(context|db\/client)\.ts/;
    expect(loaded.filter((url) => ofService.test(url))).toEqual([]);
  }
});

// contract 40.17
test('without a key they ask for one, and with an operator they read the database', async () => {
  const none = await world.commands({ ...elsewhere, INLAY_API_KEY: '' });
  for (const argv of [['orders', 'lookup', order.orderId] as const, ['webhooks', 'deliveries'] as const]) {
    const [topic, command, ...rest] = argv;
    const { exitCode, stderr } = await none(topic, command, ...rest);
    expect([command, exitCode, stderr]).toEqual([command, 4, expect.stringContaining('inlay login')]);
  }
  const both = await world.commands({ DATABASE_URL: world.database.url, DATABASE_OWNER_URL: world.database.ownerUrl });
  const traced = await both('orders', 'lookup', order.orderId, '--operator', 'demo', '--json');
  expect(Object.keys(traced.json)).toEqual(['order', 'sentence', 'timeline', 'instructions', 'webhooks', 'ledger']);
  const { timeline, ...history } = (await both('orders', 'lookup', order.orderId, '--json')).json;
  const { ledger: _, timeline: events, order: more, ...same } = traced.json;
  expect({ ...same, order: { ...more, ...history.order } }).toEqual({ ...history, order: more });
  expect(events.map(({ at, type, text }: AnyJson) => [at, type, text])).toEqual(
    timeline.map(({ at, type, text }: AnyJson) => [at, type, text]),
  );
});
