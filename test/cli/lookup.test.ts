/** `orders lookup`: the whole life of an order as support sees it, filled and settled, withdrawn, and stuck at a venue. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let service: World;
let market: TestMarket;
let inlay: RunCommand;
let venue: ScriptedVenue;
let receiver: Server;

const lookup = (...argv: string[]) => inlay('orders', 'lookup', ...argv);

beforeAll(async () => {
  service = await openWorld({ operator: { executionConfirmed: false } });
  market = await service.openMarket('life');
  venue = new ScriptedVenue();
  await service.startJob(venue);
  service.add(await startSettlement(service.openWorker()));
  service.add(await startWebhookJobs(service.openWorker()));
  receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200).end('ok'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  // the service operator has no key
  inlay = await service.commands({ INLAY_WEBHOOK_ALLOW_LOOPBACK: '1', INLAY_API_KEY: '' });
});
afterAll(async () => {
  receiver.close();
  await service.close();
});

async function place(user: string, clientOrderId: string, body: object = {}, key = service.key) {
  const quote = await service.request('POST', '/api/v1/quotes', {
    key,
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  return service.request('POST', '/api/v1/orders', {
    key,
    user,
    body: { quoteId: quote.body.quoteId, clientOrderId, ...body },
  });
}

const buy = async (user: string) =>
  (
    await inlay(
      '',
      'buy',
      market.contractId,
      'yes',
      '--stake',
      '5',
      '--user',
      user,
      '--yes',
      '--json',
      '--api-key',
      service.key,
    )
  ).json;

describe('an order of a sandbox', () => {
  // contract 39.13
  test('filled, delivered, settled: every part is there and the entries balance', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const added = await inlay('webhooks', 'add', '--operator', 'demo', '--url', url, '--json');
    expect(added.exitCode).toBe(0);
    const { body: placed } = await place('ana', 'life-1');
    const [position] = (await service.request('GET', '/api/v1/positions?externalUserId=ana')).body.positions;
    const settled = await service.request('POST', '/api/v1/sandbox/resolutions', {
      body: { positionId: position.positionId, resolution: 'WIN' },
    });
    expect(settled.body.settled).toBe(true);
    const { json } = await until(
      () => lookup(placed.executionRef, '--json'),
      ({ json: { webhooks } }) =>
        webhooks.length === 2 && webhooks.every(({ status }: { status: string }) => status === 'delivered'),
    );
    expect(Object.keys(json)).toEqual(['order', 'sentence', 'timeline', 'instructions', 'webhooks', 'ledger']);
    expect(json.order).toMatchObject({
      orderId: placed.orderId,
      operator: 'demo',
      externalUserId: 'ana',
      status: 'filled',
      intent: { reserveConfirmedAt: null },
      fills: [{ quantity: placed.filledQuantity }],
      quote: { price: 0.57, levels: [{ price: 0.57, quantity: 100_000 }] },
      next: [],
    });
    expect(json.instructions).toMatchObject([
      { type: 'hold', amount: '10.00', key: placed.orderId },
      { type: 'debit', amount: '10.00', key: placed.orderId },
      { type: 'credit', amount: '17.19', key: expect.stringMatching(/^stl_/) },
    ]);
    const types = json.timeline.map(({ type }: { type: string }) => type);
    expect(types.slice(0, 2)).toEqual(['quote.issued', 'order.state_changed']);
    expect(new Set(types)).toEqual(
      new Set([
        ...['quote.issued', 'order.state_changed', 'order.filled', 'fee.assessed', 'position.settled'],
        ...['ledger.posted', 'webhook.emitted', 'webhook.attempted'],
      ]),
    );
    const times = json.timeline.map(({ at }: { at: string }) => at);
    expect([...times].sort()).toEqual(times);
    expect(json.ledger.map(({ movementType }: { movementType: string }) => movementType)).toEqual([
      'ORDER_FILL',
      'POSITION_SETTLEMENT',
    ]);
    for (const { lines } of json.ledger) {
      const sum = (side: string) =>
        lines.reduce((total: number, line: Record<string, string>) => total + Math.round(Number(line[side]) * 100), 0);
      expect(sum('debit')).toBe(sum('credit'));
    }
    expect(json.webhooks[0]).toMatchObject({
      type: 'order.filled',
      endpointId: added.json.endpointId,
      attempts: [{ status: 200 }],
    });
    const drawn = await lookup(placed.executionRef);
    for (const part of [
      'Quote',
      '100,000 at 0.57',
      'Timeline',
      'ORDER_FILL',
      'stakes',
      'delivered to',
      'What to do next',
    ]) {
      expect(drawn.stdout).toContain(part);
    }
    expect(Math.max(...drawn.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  // contract 39.13
  test('is found by each of its names; several are listed with exit 2, none is exit 3', async () => {
    const { body: one } = await place('ana', 'twin');
    const { body: other } = await place('bo', 'twin');
    const both = await lookup('twin', '--json');
    expect(both.exitCode).toBe(2);
    expect(both.json.matches.map(({ orderId }: { orderId: string }) => orderId)).toEqual([other.orderId, one.orderId]);
    expect((await lookup('twin', '--user', 'bo', '--json')).json.order.orderId).toBe(other.orderId);
    expect((await lookup('twin', '--user', 'bo', '--operator', 'demo-live', '--json')).exitCode).toBe(3);
    for (const reference of [one.orderId, one.executionRef]) {
      expect((await lookup(reference, '--json')).json.order.orderId).toBe(one.orderId);
    }
    expect(await lookup('nobody', '--json')).toMatchObject({ exitCode: 3, json: { error: 'unknown_order' } });
  });

  test('waiting behind a gate says which; withdrawn releases the hold', async () => {
    const { body: placed } = await place('cy', 'gate', { executionIntent: 'record_intent', reserveReference: 'r-9' });
    const waiting = await lookup(placed.orderId, '--json');
    expect(waiting.json.order).toMatchObject({
      status: 'pending_venue_execution',
      transmissionState: 'not_transmitted',
    });
    expect(waiting.json.order.next[0]).toContain('inlay operators update demo --execution-confirmed');
    expect(waiting.json.instructions).toMatchObject([{ type: 'hold', amount: '10.00' }]);
    await service.request('POST', `/api/v1/orders/${placed.orderId}/cancel`);
    const after = await lookup(placed.orderId, '--json');
    expect(after.json.instructions.at(-1)).toMatchObject({ type: 'release', amount: '10.00', key: placed.orderId });
    expect(after.json.ledger.map(({ movementType }: { movementType: string }) => movementType)).toEqual([
      'ORDER_HOLD',
      'ORDER_RELEASE',
    ]);
  });

  test('names the market', async () => {
    const order = await buy('ana');
    const { stdout } = await lookup(order.executionRef.toLowerCase());
    expect(stdout).toMatch(/market +Will life happen\?/);
    expect(stdout).toContain('new to filled, debit 5.00');
  });

  test('reads a reference as people send it, and names the nearest one after a slip', async () => {
    const order = await buy('typist');
    const digits: string = order.executionRef.slice('inl_Best_'.length);
    const inFours = (digits.match(/.{1,4}/g) ?? []).join(' ').toLowerCase();
    for (const written of [
      digits.toLowerCase(),
      `Ref: ${order.executionRef}`,
      `inl best ${inFours}`,
      digits.slice(0, 8),
    ]) {
      expect((await lookup(written, '--json')).json.order?.orderId, written).toBe(order.orderId);
    }
    const slip = `${digits.slice(0, -1)}${digits.endsWith('Z') ? 'Y' : 'Z'}`;
    const missed = await lookup(slip);
    expect([missed.exitCode, missed.stderr]).toEqual([3, expect.stringContaining(`${order.executionRef}  `)]);
    const ofCustomer = await lookup('no-such-bet', '--user', 'typist', '--json');
    expect(ofCustomer.json).toMatchObject({ error: 'unknown_order', nearest: [{ executionRef: order.executionRef }] });
    const later = await lookup(digits, '--since', '2999-01-01', '--json');
    expect([later.exitCode, later.json.nearest]).toEqual([3, []]);
  });
});

test('a live order that a venue keeps silent about: hold, and how a person resolves it', async () => {
  venue.script = () => venue.silence();
  const created = await inlay(
    'operators',
    'create',
    'stuck-live',
    ...['--mode', 'live', '--fee-bps', '200', '--execution-confirmed', '--collateral', '100000', '--json'],
  );
  expect(created.exitCode).toBe(0);
  const issued = await inlay('keys', 'issue', '--operator', 'stuck-live', '--json');
  const unknown = await place('dan', 'silent', { reserveReference: 'r-1' }, issued.json.apiKey);
  expect([unknown.status, unknown.body.error]).toEqual([409, 'reconciliation_required']);
  const { json } = await lookup('silent', '--operator', 'stuck-live', '--json');
  expect(json.order).toMatchObject({ status: 'submitted', settlementState: 'pending', transmissionState: 'unknown' });
  expect(json.order.next.join(' ')).toContain(`inlay orders resolve ${json.order.executionRef}`);
  expect(json.instructions).toMatchObject([{ type: 'hold', amount: '10.00' }]);
  expect(json.timeline.map(({ type }: { type: string }) => type)).toContain('transmission.sent');
  const drawn = await lookup('silent', '--operator', 'stuck-live');
  expect(drawn.stdout).toContain('not reported what became of');
});

describe('what to do, by state', () => {
  const next = async (reference: string) => (await lookup(reference, '--json')).json.order;
  const booked = async (reference: string) => (await lookup(reference, '--json')).json.instructions;
  let liveKey: string;

  beforeAll(async () => {
    await inlay('operators', 'create', 'short-live', '--mode', 'live', '--execution-confirmed', '--collateral', '500');
    liveKey = (await inlay('keys', 'issue', '--operator', 'short-live', '--json')).json.apiKey;
  });

  test('recorded: how it is confirmed or withdrawn, and that a halted market holds it', async () => {
    const { body: placed } = await place('eve', 'recorded', { executionIntent: 'record_intent' });
    await inlay('markets', 'pause', market.contractId, '--yes');
    const order = await next(placed.orderId);
    expect(order).toMatchObject({ status: 'reserve_pending', settlementState: 'pending' });
    expect(await booked(placed.orderId)).toMatchObject([{ type: 'hold', amount: '10.00' }]);
    const steps = order.next.join('\n');
    expect(steps).toContain(`"inlay orders confirm-reserve ${placed.orderId}"`);
    expect(steps).toContain(`"inlay orders cancel ${placed.orderId}"`);
    expect(steps).toContain(`"inlay markets resume ${market.contractId}"`);
    await inlay('markets', 'resume', market.contractId);
    expect((await next(placed.orderId)).next.join()).not.toMatch(/resume/);
    // the API's board hears of it a moment later
    await until(
      () => place('eve', 'after-the-halt'),
      ({ status }) => status < 300,
    );
  });

  test('too little collateral: how much is missing', async () => {
    const { status, body } = await place('fay', 'short', { reserveReference: 'r' }, liveKey);
    expect([status, body.error]).toEqual([422, 'insufficient_collateral']);
    const order = await next(body.orderId);
    expect(order.status).toBe('reserve_pending');
    expect(order.next.join('\n')).toContain(
      'takes 10.00 of collateral, 5.00 is available: "inlay operators collateral deposit short-live 500"',
    );
    await inlay('operators/collateral', 'deposit', 'short-live', '100000');
    expect((await next(body.orderId)).next.join()).not.toContain('collateral');
  });

  test('refused by the venue: everything is released under the order, nothing is left to do', async () => {
    venue.script = () => ({ outcome: 'rejected', reason: 'insufficient_balance', order: null });
    const { body } = await place('fay', 'refused', { reserveReference: 'r' }, liveKey);
    const order = await next(body.orderId);
    expect(order).toMatchObject({ status: 'rejected', settlementState: 'settled', rejectReason: expect.any(String) });
    expect(await booked(body.orderId)).toMatchObject([
      { type: 'hold', amount: '10.00' },
      { type: 'release', amount: '10.00', key: body.orderId },
    ]);
    expect(order.next).toEqual([]);
  });

  test('filled in part, then sold: debit and release make up the hold, the exit is a credit', async () => {
    await service.request('POST', '/api/v1/sandbox/scenarios', {
      body: { kind: 'partial_fill', fillFraction: 0.5, clientOrderId: 'part' },
    });
    const { body: bought } = await place('gus', 'part');
    expect((await next(bought.orderId)).status).toBe('partially_filled');
    const cents = Object.fromEntries(
      (await booked(bought.orderId)).map(({ type, amount }: { type: string; amount: string }) => [
        type,
        Number(amount.replace('.', '')),
      ]),
    );
    expect(cents['hold']).toBe(cents['debit'] + cents['release']);
    const quote = await service.request('POST', '/api/v1/quotes', {
      user: 'gus',
      body: { marketId: market.contractId, side: 'YES', action: 'sell', contracts: 5 },
    });
    const { body: sold } = await service.request('POST', '/api/v1/orders', {
      user: 'gus',
      body: { quoteId: quote.body.quoteId, clientOrderId: 'sold' },
    });
    expect(await booked(sold.orderId)).toMatchObject([
      { type: 'credit', amount: sold.operatorExitMoney.sellProceeds, key: sold.orderId },
    ]);
  });
});
