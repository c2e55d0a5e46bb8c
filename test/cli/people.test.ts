/** What people met at the terminal and no longer do (audit, "people"). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readExecutionRef } from '../../src/core/ids.ts';
import { seed } from '../catalogue/seed.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let run: RunCommand;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  await seed(service.sql, [
    {
      id: 'people',
      title: 'Who wins?',
      kind: 'mutually_exclusive',
      contracts: [
        { id: 'outsider', label: 'Outsider', volume24h: 900, bids: [[0.1, 1000]], asks: [[0.12, 1000]] },
        { id: 'favourite', label: 'Favourite', volume24h: 10, bids: [[0.8, 1000]], asks: [[0.82, 1000]] },
      ],
    },
    ...Array.from({ length: 101 }, (_, n) => ({ id: `more-${n}`, contracts: [{ id: `more-${n}` }] })),
  ]);
  await service.context.board.refresh();
  folder = await mkdtemp(join(tmpdir(), 'inlay-people-'));
  run = await commandRunner({
    INLAY_API_URL: service.url,
    INLAY_API_KEY: service.key,
    XDG_CONFIG_HOME: '/nonexistent',
    NO_COLOR: '1',
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('people 4: the leading outcome of a list is the most probable one', async () => {
  const { stdout } = await run('events', 'list', '--search', 'Who wins', '--output', 'csv');
  const [header = '', row = ''] = stdout.trim().split('\n');
  const cells = Object.fromEntries(header.split(',').map((name, at) => [name, row.split(',')[at]]));
  expect(cells).toMatchObject({
    'leader.label': 'Favourite',
    'leader.probability': '0.81',
    'leader.executableYesCents': '82',
  });
});

test('people 7: events list --all reads every page', async () => {
  const { json } = await run('events', 'list', '--all', '--json');
  expect(json.data).toHaveLength(102);
  expect(new Set(json.data.map(({ id }: { id: string }) => id)).size).toBe(102);
});

test('people 15: your own file may be called yours', async () => {
  const file = join(folder, 'mine.csv');
  await writeFile(file, 'orderId,operatorMoney.actualDebit\n');
  expect((await run('reconciliation', 'compare', '--mine', file, '--json')).exitCode).toBe(0);
});

/** An order of ana; the caller's own id of it is the argument. */
async function placeOrder(clientOrderId: string) {
  const user = 'ana';
  const quote = await service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: 'ctr_favourite', side: 'YES', action: 'buy', stake: 10 },
  });
  const order = await service.request('POST', '/api/v1/orders', {
    user,
    body: { quoteId: quote.body.quoteId, clientOrderId },
  });
  return order.body;
}

test('people 21: a support reference is found as somebody wrote it down', async () => {
  const order = await placeOrder('c-1');
  const written = ` ${order.executionRef.toLowerCase()}`;
  const found = await service.request('GET', `/api/v1/orders?executionRef=${encodeURIComponent(written)}`);
  expect(found.body.orders).toMatchObject([{ orderId: order.orderId }]);
  expect(readExecutionRef('INL_BEST_ol1il0abcdefgh')).toBe('inl_Best_011110ABCDEFGH');
  expect(readExecutionRef('ord_1')).toBe('ord_1');
});

test('people 7: status shows service, key and catalogue, and works without a key', async () => {
  const { json, stdout } = await run('', 'status', '--json');
  expect(json).toMatchObject({
    service: { url: service.url, database: 'up' },
    markets: { open: 103 },
    key: { slug: 'demo' },
  });
  expect(stdout).not.toContain(service.key);
  vi.stubEnv('INLAY_API_KEY', '');
  try {
    expect((await run('', 'status', '--json')).json).toMatchObject({ key: null, service: { database: 'up' } });
  } finally {
    vi.unstubAllEnvs();
  }
});

test('people 19: every command that takes an order takes any of its references', async () => {
  const order = await placeOrder('bet-4711');
  const references = [[order.orderId], [order.executionRef.toLowerCase()], ['bet-4711', '--user', 'ana']];
  for (const reference of references) {
    for (const command of ['show', 'find']) {
      const { json } = await run('orders', command, ...reference, '--json');
      expect(json, `${command} ${reference}`).toMatchObject({ orderId: order.orderId });
    }
    for (const command of ['cancel', 'confirm-reserve']) {
      const { json } = await run('orders', command, ...reference, '--yes', '--json');
      // found, and refused because it is final
      expect(json.error, `${command} ${reference}`).toMatch(/^(order_not_cancellable|not_an_intent)$/);
    }
  }
  const unknown = await run('orders', 'show', 'bet-4711');
  expect(unknown.exitCode).toBe(3);
  expect(unknown.stderr).toContain('name the customer with --user');
});
