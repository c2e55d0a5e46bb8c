/** What support and service operators met at the terminal and no longer do (audit, "people"); real processes of the command line. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { startInlay } from '../support/process.ts';
import { type RunningService, startRunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let running: RunningService;
beforeAll(async () => {
  running = await startRunningService();
});
afterAll(() => running.close());

const buy = (user: string) =>
  running.json('buy', running.market.contractId, 'yes', '--stake', '5', '--user', user, '--yes');

test('orders lookup names the market', async () => {
  const { json: order } = await buy('ana');
  const { stdout } = await running.run(['orders', 'lookup', order.executionRef.toLowerCase()]);
  expect(stdout).toMatch(/market +Will cli happen\?/);
  expect(stdout).toContain('new to filled, debit 5.00');
});

test('orders lookup reads a reference as people send it, and names the nearest one after a slip', async () => {
  const { json: order } = await buy('typist');
  const digits: string = order.executionRef.slice('inl_Best_'.length);
  const inFours = (digits.match(/.{1,4}/g) ?? []).join(' ').toLowerCase();
  for (const written of [
    digits.toLowerCase(),
    `Ref: ${order.executionRef}`,
    `inl best ${inFours}`,
    digits.slice(0, 8),
  ]) {
    expect((await running.json('orders', 'lookup', written)).json.order?.orderId, written).toBe(order.orderId);
  }
  const slip = `${digits.slice(0, -1)}${digits.endsWith('Z') ? 'Y' : 'Z'}`;
  const missed = await running.run(['orders', 'lookup', slip]);
  expect([missed.code, missed.stderr]).toEqual([3, expect.stringContaining(`${order.executionRef}  `)]);
  const ofCustomer = await running.json('orders', 'lookup', 'no-such-bet', '--user', 'typist');
  expect(ofCustomer.json).toMatchObject({ error: 'unknown_order', nearest: [{ executionRef: order.executionRef }] });
  const later = await running.json('orders', 'lookup', digits, '--since', '2999-01-01');
  expect([later.code, later.json.nearest]).toEqual([3, []]);
});

test('customers show has all that support asks for on one page of 80 columns, and in one document', async () => {
  const { json: order } = await buy('whole');
  await running.json('limits', 'set', 'whole', '--max-wager', '50000', '--note', 'asked by the player');
  const minted = await running.json('embed-sessions', 'mint', '--user', 'whole', '--country', 'HR');
  const reason = 'asked to be excluded until January';
  const why = ['--reason', reason, '--yes'];
  await running.run(['customers', 'suspend', '--operator', 'demo', '--user', 'whole', ...why]);
  const { json } = await running.json('customers', 'show', 'whole');
  expect(json).toMatchObject({
    customer: {
      externalUserId: 'whole',
      operator: 'demo',
      status: 'suspended',
      suspension: { reason, setBy: SERVICE_ROLE },
    },
    wallet: { available: '9995.00', held: '0.00' },
    limits: { effective: { maxWagerMinor: 50_000 } },
    place: { jurisdiction: { country: 'HR' }, policy: 'off', mayBuy: true },
    positions: [{ status: 'open', market: 'Will cli happen?' }],
    orders: [{ executionRef: order.executionRef, market: 'Will cli happen?' }],
    embedSessions: [{ sessionId: minted.json.sessionId }],
  });
  const { stdout } = await running.run(['customers', 'show', '--user', 'whole']);
  for (const part of [
    reason,
    `by ${SERVICE_ROLE}`,
    order.executionRef,
    'Will cli happen?',
    '500.00 USD',
    minted.json.sessionId,
  ]) {
    expect(stdout).toContain(part);
  }
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80 + reason.length);
  await running.run(['customers', 'resume', '--operator', 'demo', '--user', 'whole']);
  const resumed = (await running.json('customers', 'show', 'whole')).json;
  expect(resumed.customer).toMatchObject({ status: 'active', suspension: null });
  expect(resumed.changes.slice(0, 2)).toMatchObject([
    { subject: 'suspension', action: 'resumed', setBy: SERVICE_ROLE, note: null },
    { subject: 'suspension', action: 'suspended', setBy: SERVICE_ROLE, note: reason },
  ]);
});

test('customers show finds the customer without the operator, unless several have that id', async () => {
  await running.run(['customers', 'suspend', '--operator', 'demo', '--user', 'shared', '--yes']);
  expect((await running.json('customers', 'show', 'shared')).json.customer.operator).toBe('demo');
  await running.json('operators', 'create', 'twin', '--mode', 'sandbox');
  await running.run(['customers', 'suspend', '--operator', 'twin', '--user', 'shared', '--yes']);
  const several = await running.json('customers', 'show', 'shared');
  expect([several.code, several.json.operators]).toEqual([2, ['demo', 'twin']]);
  const named = await running.json('customers', 'show', 'shared', '--operator', 'twin');
  expect(named.json.customer).toMatchObject({ operator: 'twin', suspension: { reason: null } });
  const none = await running.json('customers', 'show', 'nobody');
  expect([none.code, none.json.error]).toEqual([3, 'unknown_user']);
});

test('a customer who never traded is suspended, and a wrong id is wrong usage', async () => {
  const who = ['--operator', 'demo', '--user', 'newcomer'];
  const suspended = await running.run(['customers', 'suspend', ...who, '--yes', '--json']);
  expect(suspended.json).toMatchObject({ externalUserId: 'newcomer', status: 'suspended' });
  expect(suspended.stderr).toContain('newcomer has not traded yet');
  expect((await buy('newcomer')).json.error).toBe('user_suspended');
  const wrong = await running.run(['customers', 'suspend', '--operator', 'demo', '--user', ' x', '--yes', '--json']);
  expect([wrong.code, wrong.json.error]).toEqual([2, 'invalid_usage']);
});

test('webhooks listen registers, receives and removes its endpoint; deliveries show their time', async () => {
  const listening = startInlay(['webhooks', 'listen', '--operator', 'demo', '--event', 'order.filled', '--json'], {
    env: running.env,
  });
  await listening.prints(/Registered as whe_/);
  await buy('listener');
  await listening.prints(/"type":"order\.filled"/);
  const during = await running.json('webhooks', 'list', '--operator', 'demo');
  expect(during.json.endpoints).toMatchObject([{ active: true, events: ['order.filled'] }]);
  listening.child.kill('SIGINT');
  const ended = await listening.ended;
  expect(ended.code).toBe(130);
  expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ verified: true });
  expect((await running.json('webhooks', 'list', '--operator', 'demo')).json.endpoints).toEqual([]);
  const { stdout } = await running.run(['webhooks', 'deliveries', '--operator', 'demo']);
  expect(stdout).toMatch(/^created /);
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ /m);
});

// contract 39.23
test('the checks of the books are in one topic, and the earlier names still work', async () => {
  const names = [
    [
      ['reconciliation', 'run', '--operator', 'demo'],
      ['reconcile', 'run', '--operator', 'demo'],
    ],
    [
      ['reconciliation', 'verify'],
      ['ledger', 'verify'],
    ],
  ];
  for (const pair of names) {
    const [one, other] = await Promise.all(pair.map((words) => running.json(...words)));
    expect(one?.json.error).toBeUndefined();
    expect(Object.keys(one?.json ?? {})).toEqual(Object.keys(other?.json ?? {}));
    expect([one?.code, one?.json.ok]).toEqual([other?.code, other?.json.ok]);
  }
});
