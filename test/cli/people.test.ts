/** What people met at the terminal and no longer do (audit, "people"). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readCents } from '../../src/cli/flags.ts';
import { orderFacts, positionColumns } from '../../src/cli/print/print-trading.ts';
import { tapSummary } from '../../src/cli/scenarios/report.ts';
import { renderTable } from '../../src/cli/terminal/table.ts';
import type { OrderDetail, Position } from '../../src/client/shapes.ts';
import { readExecutionRef } from '../../src/core/ids.ts';
import { seed } from '../catalogue/seed.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let run: RunCommand;
let folder: string;

beforeAll(async () => {
  service = await openWorld();
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
  run = await service.commands();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('the leading outcome of a list is the most probable one', async () => {
  const { stdout } = await run('events', 'list', '--search', 'Who wins', '--output', 'csv');
  const [header = '', row = ''] = stdout.trim().split('\n');
  const cells = Object.fromEntries(header.split(',').map((name, at) => [name, row.split(',')[at]]));
  expect(cells).toMatchObject({
    'leader.label': 'Favourite',
    'leader.probability': '0.81',
    'leader.executableYesCents': '82',
  });
});

test('events list --all reads every page', async () => {
  const { json } = await run('events', 'list', '--all', '--json');
  expect(json.data).toHaveLength(102);
  expect(new Set(json.data.map(({ id }: { id: string }) => id)).size).toBe(102);
});

test('your own file may be called yours', async () => {
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

// contract 38.8, contract 40.5
test('a support reference is found as somebody wrote it down', async () => {
  const order = await placeOrder('c-1');
  const written = ` ${order.executionRef.toLowerCase()}`;
  const found = await service.request('GET', `/api/v1/orders?executionRef=${encodeURIComponent(written)}`);
  expect(found.body.orders).toMatchObject([{ orderId: order.orderId }]);
  expect(readExecutionRef('INL_BEST_ol1il0abcdefgh')).toBe('inl_Best_011110ABCDEFGH');
  expect(readExecutionRef('ord_1')).toBe('ord_1');
});

test('price history, book and names of contracts are in the API, and a scenario is disarmed by DELETE', async () => {
  const book = await service.request('GET', '/api/v1/contracts/ctr_favourite/book');
  expect(book.body).toMatchObject({
    bids: [{ price: 0.8, contracts: 1000 }],
    asks: [{ price: 0.82, contracts: 1000 }],
  });
  const history = await service.request('GET', '/api/v1/events/evt_people/history?contracts=ctr_favourite');
  expect(history.body.data.series).toMatchObject([
    { label: 'Favourite', points: [[expect.any(Number), 0.81, expect.any(String)]] },
  ]);
  const names = await service.request('GET', '/api/v1/contracts?ids=ctr_favourite,ctr_none');
  expect(names.body.data).toEqual([
    { id: 'ctr_favourite', label: 'Favourite', eventId: 'evt_people', title: 'Who wins?' },
  ]);
  const armed = await run('sandbox/scenarios', 'arm', '--fill-fraction', '0.5', '--json');
  const path = `/api/v1/sandbox/scenarios/${armed.json.scenarioId}`;
  expect((await service.request('DELETE', path)).body).toEqual({ scenarios: [] });
  expect((await service.request('DELETE', path)).body.error).toBe('scenario_not_found');
});

test('a purchase, an order and a position name the market', async () => {
  const bought = await run('', 'buy', 'ctr_favourite', 'yes', '--stake', '5', '--user', 'eva', '--yes');
  expect(bought.stdout).toMatch(/market +Who wins\?: Favourite/);
  const positions = await run('positions', 'list', '--user', 'eva');
  expect(positions.stdout).toContain('Who wins?: Favourite');
  const csv = await run('positions', 'list', '--user', 'eva', '--output', 'csv');
  expect(csv.stdout).not.toContain('market');
});

test('a customer is an argument or a flag', async () => {
  await placeOrder('c-28');
  const byArgument = await run('sandbox', 'balance', 'ana', '--json');
  const byFlag = await run('sandbox', 'balance', '--user', 'ana', '--json');
  expect(byFlag.json).toEqual(byArgument.json);
  expect(byFlag.json).toMatchObject({ externalUserId: 'ana' });
  const both = await run('sandbox', 'balance', 'ana', '--user', 'eva', '--json');
  expect([both.exitCode, both.json.error]).toEqual([2, 'invalid_usage']);
});

test('feed tail --last starts near the end', async () => {
  await placeOrder('c-25');
  const all = (await run('feed', 'tail', '--json')).stdout.trim().split('\n');
  const last = (await run('feed', 'tail', '--last', '2', '--json')).stdout.trim().split('\n');
  expect(last).toEqual(all.slice(-2));
  const filtered = (await run('feed', 'tail', '--last', '1', '--type', 'order.filled', '--json')).stdout.trim();
  expect(filtered).toBe(
    all.findLast((line) => line.includes('"order.filled"') && line.includes('"type":"order.filled"')),
  );
});

test('an amount may be cents or dollars with both decimals', () => {
  expect([readCents('2000'), readCents('20.00'), readCents('0.05')]).toEqual([2000n, 2000n, 5n]);
  for (const text of ['20.0', '20.001', '-1', '0', '1e3', '']) {
    expect(() => readCents(text), text).toThrow('in cents (2000), or in dollars with both decimals (20.00)');
  }
});

test('a held order says that nothing is to be released', () => {
  const money = { authorizationAmount: '20.00', actualDebit: '0.00', releaseAmount: '20.00' };
  const order = { settlementState: 'pending', operatorMoney: money, operatorExitMoney: null } as OrderDetail;
  expect(orderFacts(order, new Map())['releaseAmount']).toBe('20.00, do not release it: the order is not final');
  expect(orderFacts({ ...order, settlementState: 'settled' }, new Map())['releaseAmount']).toBe('20.00');
});

test('at 80 and 120 columns titles stay, ids are shortened, and who, what and price are shown', async () => {
  const position = {
    positionId: 'pos_01a2046e364c74c38f0f2f09fb10c675',
    externalUserId: 'player-17',
    contractId: 'ctr_favourite',
    side: 'YES',
    status: 'open',
    quantity: 1234567.5,
    averagePrice: 0.55,
    openedAt: '2026-11-01T12:00:00.000Z',
    operatorMoney: { costBasis: '12345.67', realisedPnl: '0.00' },
  } as Position;
  const columns = positionColumns(new Map([['ctr_favourite', 'Who wins?: Favourite']]));
  for (const width of [80, 120]) {
    const { text } = await renderTable([position], columns, (_, shown) => shown, width);
    expect(text, `${width}`).toContain('player-17');
    expect(text, `${width}`).toContain('Who wins?: Favourite');
    expect(text, `${width}`).toMatch(/open +1,234,567\.5 +0\.55 +12,345\.67 +0\.00/);
    expect(Math.max(...text.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(width);
  }
  const { text: narrow } = await renderTable([position], columns, (_, shown) => shown, 80);
  expect(narrow).toMatch(/pos_0…\w{6}/);
});

test('TAP ends with a summary', () => {
  const report = { ok: true, passed: 3, failed: 1, skipped: 0, durationMs: 1234, files: [] };
  expect(tapSummary(report)).toBe('# 3 passed, 1 failed, 0 skipped in 1.234 s');
});

test('status shows service, key and catalogue, and works without a key', async () => {
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

test('every command that takes an order takes any of its references', async () => {
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
