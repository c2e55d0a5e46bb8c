/** What support and service operators met at the terminal and no longer do (audit, "people"); real processes of the command line. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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
