import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Add from '../../src/commands/webhooks/add.ts';
import Deliveries from '../../src/commands/webhooks/deliveries.ts';
import Disable from '../../src/commands/webhooks/disable.ts';
import Enable from '../../src/commands/webhooks/enable.ts';
import List from '../../src/commands/webhooks/list.ts';
import Remove from '../../src/commands/webhooks/remove.ts';
import Replay from '../../src/commands/webhooks/replay.ts';
import Rotate from '../../src/commands/webhooks/rotate.ts';
import Test from '../../src/commands/webhooks/test.ts';
import Update from '../../src/commands/webhooks/update.ts';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/wire/webhook.ts';
import { until } from '../support/until.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWebhookWorld, SECRET, type WebhookWorld } from './world.ts';

const RUN = fileURLToPath(new URL('./run-command.ts', import.meta.url));
const children: ChildProcess[] = [];
let world: WebhookWorld;
let sink: Sink;
let config: Config;

beforeAll(async () => {
  world = await openWebhookWorld();
  sink = await openSink(answers.ok);
  config = await Config.load(fileURLToPath(new URL('../..', import.meta.url)));
  Object.assign(process.env, {
    DATABASE_URL: world.database.url,
    INLAY_SECRET: SECRET,
    INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
    // the service operator has none
    INLAY_API_KEY: '',
  });
});
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
  }
  await world.close();
  await sink.close();
});

interface Runnable {
  new (argv: string[], config: Config): { _run(): Promise<unknown> };
}

async function run(command: unknown, ...argv: string[]) {
  const printed: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = ((chunk: string) => printed.push(String(chunk)) > 0) as typeof write;
  process.exitCode = 0;
  try {
    await new (command as Runnable)([...argv, '--json'], config)._run();
    return { json: JSON.parse(printed.join('')), exitCode: Number(process.exitCode ?? 0) };
  } finally {
    process.stdout.write = write;
    process.exitCode = 0;
  }
}

describe('commands of the service operator', () => {
  // contract 39.10
  test('register, show, change, switch, rotate, try and remove an endpoint', async () => {
    const added = await run(Add, '--operator', 'demo', '--url', sink.url);
    expect(added).toEqual({
      exitCode: 0,
      json: {
        endpointId: expect.stringMatching(/^whe_/),
        url: sink.url,
        events: [...WEBHOOK_EVENT_TYPES],
        secret: expect.stringMatching(/^whsec_/),
      },
    });
    const { endpointId, secret } = added.json;
    const listed = await run(List, '--operator', 'demo');
    expect(listed.json).toMatchObject({ count: 1, endpoints: [{ endpointId, active: true, delivered: 0 }] });
    expect(JSON.stringify(listed.json)).not.toMatch(/secret|whsec/i);

    expect((await run(Update, endpointId, '--event', 'order.filled')).json.events).toEqual(['order.filled']);
    expect((await run(Update, endpointId)).exitCode).toBe(2);
    expect((await run(Disable, endpointId, '--yes')).json).toMatchObject({ active: false, disabledReason: 'operator' });
    expect((await run(Enable, endpointId)).json).toMatchObject({ active: true, disabledReason: null });
    const rotated = await run(Rotate, endpointId, '--yes');
    expect(rotated.json).toEqual({ endpointId, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.json.secret).not.toBe(secret);

    const tried = await run(Test, endpointId);
    expect(tried).toMatchObject({ exitCode: 0, json: { endpointId, delivered: true, status: 200, response: 'ok' } });
    expect(sink.received.at(-1)?.headers['service-event-type']).toBe('webhook.test');

    expect((await run(Remove, endpointId, '--yes')).exitCode).toBe(0);
    expect((await run(List)).json.endpoints).toEqual([]);
    expect(await run(Disable, endpointId, '--yes')).toMatchObject({ exitCode: 3, json: { error: 'unknown_endpoint' } });
  });

  test('refuse with one line that names the rule, and store nothing', async () => {
    const add = (...argv: string[]) => run(Add, '--operator', 'demo', ...argv);
    expect(await add('--url', 'https://192.168.1.1/')).toMatchObject({
      exitCode: 1,
      json: { error: 'invalid_destination', rule: 'address' },
    });
    expect(await add('--url', sink.url, '--event', 'nope')).toMatchObject({
      exitCode: 2,
      json: { error: 'unknown_event_type' },
    });
    expect((await run(Add, '--operator', 'nobody', '--url', sink.url)).exitCode).toBe(3);
    expect((await run(List)).json.count).toBe(0);
    process.env['INLAY_WEBHOOK_ALLOW_LOOPBACK'] = '0';
    expect(await add('--url', sink.url)).toMatchObject({ json: { error: 'invalid_destination', rule: 'https' } });
    process.env['INLAY_WEBHOOK_ALLOW_LOOPBACK'] = '';
    expect(await add('--url', sink.url)).toMatchObject({ json: { error: 'invalid_destination' } });
    // unset: what the workers of this database allow
    await (await world.startJobs()).close();
    expect(await add('--url', sink.url)).toMatchObject({ exitCode: 0 });
    process.env['INLAY_WEBHOOK_ALLOW_LOOPBACK'] = '1';
    process.env['INLAY_SECRET'] = 'quite another secret';
    expect(await add('--url', sink.url)).toMatchObject({ exitCode: 1, json: { error: 'secret_unreadable' } });
    process.env['INLAY_SECRET'] = SECRET;
    const { endpoints } = (await run(List)).json;
    expect(endpoints).toHaveLength(1);
    await run(Remove, endpoints[0].endpointId, '--yes');
  });

  // contract 39.11
  test('show deliveries with their attempts, and replay what is exhausted or was delivered', async () => {
    const down = await openSink(answers.status(503));
    const { endpointId } = (await run(Add, '--operator', 'demo', '--url', down.url)).json;
    const jobs = await world.startJobs();
    const digits = (await world.raise()).slice(4);
    await until(async () => expect((await world.deliveries(endpointId))[0]?.attempts).toHaveLength(1));
    await jobs.close();
    const { json } = await run(Deliveries, '--endpoint', endpointId, '--status', 'pending');
    expect(json.deliveries).toMatchObject([
      {
        endpointId,
        type: 'order.filled',
        dedupeKey: `order.filled:ord_${digits}:fil_${digits}`,
        status: 'pending',
        attempts: [{ attempt: 1, status: 503, durationMs: expect.any(Number), response: 'status 503' }],
      },
    ]);
    const { deliveryId } = json.deliveries[0];
    expect(await run(Replay, deliveryId)).toMatchObject({ exitCode: 1, json: { error: 'delivery_pending' } });
    await world.admin.sql`update webhook_deliveries set status = 'exhausted', finished_at = now()`;
    expect((await run(Replay, deliveryId)).json).toEqual({ replayed: 1, deliveryIds: [deliveryId] });
    await world.admin.sql`update webhook_deliveries set status = 'delivered', finished_at = now()`;
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await run(Replay, '--since', since, '--operator', 'demo')).json.deliveryIds).toContain(deliveryId);
    expect((await run(Replay)).exitCode).toBe(2);
    expect((await run(Replay, deliveryId, '--since', since)).exitCode).toBe(2);
    expect((await run(Replay, '--since', 'yesterday')).exitCode).toBe(2);
    expect((await run(Deliveries, '--status', 'nonsense')).exitCode).toBe(2);
    expect(await run(Replay, 'dlv_none')).toMatchObject({ exitCode: 3, json: { error: 'unknown_delivery' } });
    await down.close();
  });
});

function start(...argv: string[]): ChildProcess {
  const child = spawn(process.execPath, [RUN, ...argv], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

describe('commands of a partner', () => {
  // contract 40.13
  test('listen checks signatures, prints and forwards what is good, and ends with 130', async () => {
    const child = start('listen', '--port', '0', '--secret', 'whsec_x', '--forward-to', sink.url, '--json');
    const lines: string[] = [];
    if (child.stdout === null) {
      throw new Error('no stdout');
    }
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const { url } = await until(() => JSON.parse(lines[0] ?? '') as { url: string });
    const body =
      '{"id":"evn_1","type":"order.filled","dedupeKey":"k","createdAt":"2026-11-21T10:00:00.000Z","data":{}}';
    const post = (signature: string, name = 'service-signature') =>
      fetch(url, { method: 'POST', body, headers: { [name]: signature, 'content-type': 'application/json' } });
    const now = Math.floor(Date.now() / 1000);
    const good = signatureHeader('whsec_x', now, body);
    expect((await post(good)).status).toBe(200);
    expect((await post(good, 'x-webhook-signature')).status).toBe(200);
    expect((await post(signatureHeader('whsec_y', now, body))).status).toBe(401);
    expect((await post(signatureHeader('whsec_x', now - 400, body))).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
    const events = await until(() => {
      expect(lines).toHaveLength(6);
      return lines.slice(1).map((line) => JSON.parse(line));
    });
    expect(events.map(({ verified, reason }) => [verified, reason])).toEqual([
      [true, null],
      [true, null],
      [false, 'mismatch'],
      [false, 'too_old'],
      [false, 'no_signature'],
    ]);
    expect(events[0]).toMatchObject({ event: { id: 'evn_1' }, forward: { status: 200 } });
    const forwarded = sink.received.filter((one) => one.body === body);
    expect(forwarded).toHaveLength(2);
    expect(forwarded[0]?.headers['service-signature']).toBe(good);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });

  // contract 40.13
  test('verify reads the raw body from stdin: 0 good, 1 not', async () => {
    const body = '{"a": 1}\n';
    const signature = signatureHeader('whsec_x', Math.floor(Date.now() / 1000), body);
    const verify = async (secret: string) => {
      const child = start('verify', '--secret', secret, '--signature', signature, '--json');
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += chunk;
      });
      child.stdin?.end(body);
      const [code] = (await once(child, 'close')) as [number];
      return { code, json: JSON.parse(text) };
    };
    expect(await verify('whsec_x')).toMatchObject({ code: 0, json: { valid: true } });
    expect(await verify('whsec_y')).toMatchObject({ code: 1, json: { valid: false, reason: 'mismatch' } });
  });
});
