/** What a partner trades and supports with from a terminal, against a running API: documents, tables and exit codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCents } from '../../src/cli/flags.ts';
import { orderFacts } from '../../src/cli/print/print-trading.ts';
import type { OrderDetail } from '../../src/client/shapes.ts';
import { seed } from '../catalogue/seed.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
let run: RunCommand;

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('terminal');
  run = await service.commands();
});
afterAll(() => service.close());

const json = (topic: string, command: string, ...argv: string[]) => run(topic, command, ...argv, '--json');

describe('quote, order, buy', () => {
  // contract 40.3
  test('a quote, an order and its replay', async () => {
    const quoted = await json('', 'quote', market.contractId, 'yes', '--stake', '10.00', '--user', 'ana');
    expect(quoted).toMatchObject({ exitCode: 0, json: { side: 'YES', action: 'buy', contracts: 17.192982 } });
    const argv = [quoted.json.quoteId, '--client-order-id', 'a-1', '--user', 'ana'];
    expect((await json('', 'order', ...argv)).json).toMatchObject({ status: 'filled', idempotentReplay: false });
    expect((await json('', 'order', ...argv)).json).toMatchObject({ status: 'filled', idempotentReplay: true });
    const shown = await run('', 'order', ...argv);
    expect(shown.stdout).toMatch(/actual debit +10\.00/);
  });

  // contract 40.3
  test('a sell is sized by contracts', async () => {
    const quoted = await json('', 'quote', market.contractId, 'YES', '--sell', '--contracts', '5', '--user', 'ana');
    expect(quoted.json).toMatchObject({ action: 'sell', stake: null, operatorExitMoney: { sellProceeds: '2.69' } });
    const mixed = await json('', 'quote', market.contractId, 'yes', '--sell', '--stake', '5', '--user', 'ana');
    expect([mixed.exitCode, mixed.json.error]).toEqual([2, 'invalid_usage']);
    expect((await json('', 'quote', market.contractId, 'perhaps', '--stake', '5', '--user', 'ana')).exitCode).toBe(2);
    expect((await json('', 'quote', market.contractId, 'yes', '--stake', 'ten', '--user', 'ana')).exitCode).toBe(2);
    const none = await json('', 'quote', 'ctr_none', 'yes', '--stake', '5', '--user', 'ana');
    expect([none.exitCode, none.json.error]).toEqual([3, 'market_not_found']);
  });

  test('buy does both with --yes, and asks no question without a terminal', async () => {
    const bought = await json('', 'buy', market.contractId, 'no', '--stake', '10', '--user', 'čedo', '--yes');
    expect(bought).toMatchObject({
      exitCode: 0,
      json: { status: 'filled', side: 'NO', quote: { potentialPayout: 21.77 } },
    });
    expect(bought.stderr).toMatch(/clientOrderId [0-9a-f-]{36}/);
    const asked = await json('', 'buy', market.contractId, 'no', '--stake', '10', '--user', 'čedo');
    expect([asked.exitCode, asked.json.error]).toEqual([2, 'invalid_usage']);
    const held = await json('positions', 'list', '--user', 'čedo');
    expect(held.json).toMatchObject({ count: 1, positions: [{ side: 'NO', status: 'open' }] });
    const { positionId } = held.json.positions[0];
    expect((await json('positions', 'show', positionId)).json).toEqual(held.json.positions[0]);
    expect((await run('positions', 'list', '--user', 'čedo')).stdout).toContain(positionId);
    expect((await json('positions', 'show', 'pos_none')).exitCode).toBe(3);
  });
});

test('a value that cannot be is wrong usage in one line, before anything is asked of the service', async () => {
  const line = [market.contractId, 'yes', '--user', 'ana'];
  const wrong: readonly (readonly [string, string, ...string[]])[] = [
    ['', 'quote', ...line, '--stake', '0'],
    ['', 'quote', ...line, '--stake', '-1'],
    ['', 'quote', ...line, '--sell', '--contracts', '0'],
    ['', 'order', 'qt_x', '--user', 'ana', '--client-order-id', 'x', '--max-slippage', '1'],
    ['', 'quote', market.contractId, 'yes', '--stake', '5'],
    ['orders', 'list', '--since', 'yesterday'],
    ['orders', 'list', '--until', '2026-02-30'],
    ['orders', 'list', '--status', 'nonsense'],
    ['orders', 'list', '--limit', '0'],
    ['positions', 'list', '--status', 'nonsense'],
    ['settlements', 'list', '--settled-from', 'never'],
    ['embed-sessions', 'mint', '--user', 'ana', '--ttl', '10'],
    ['embed-sessions', 'mint', '--user', 'ana', '--ttl', '3601'],
    ['limits', 'set', 'ana', '--max-wager', '0'],
    ['limits', 'set', 'ana', '--period-stake', '100', '--period-hours', '9000'],
    ['jurisdiction', 'set', 'ana', 'Croatia'],
    ['sandbox', 'resolve', 'pos_x', 'maybe'],
    ['sandbox/scenarios', 'arm', '--fill-fraction', '1'],
    ['sandbox/scenarios', 'arm', '--fill-amount', '4.5'],
    ['feed', 'tail', '--type', 'nonsense'],
  ];
  for (const [topic, command, ...argv] of wrong) {
    const told = await run(topic, command, ...argv);
    const at = [topic, command, ...argv].join(' ');
    expect([told.exitCode, told.stdout], at).toEqual([2, '']);
    // what is wrong, and where that alone does not say it, what to do next
    expect(told.stderr, at).toMatch(/^invalid_usage: [^\n]+\n([^\n]+\n)?$/);
  }
});

test('an amount may be cents or dollars with both decimals', () => {
  expect([readCents('2000'), readCents('20.00'), readCents('0.05')]).toEqual([2000n, 2000n, 5n]);
  for (const text of ['20.0', '20.001', '-1', '0', '1e3', '']) {
    expect(() => readCents(text), text).toThrow('in cents (2000), or in dollars with both decimals (20.00)');
  }
});

// contract 40.4
test('buy without a terminal and without --yes requests no quote', async () => {
  const asked = await run('', 'buy', market.contractId, 'yes', '--stake', '10', '--user', 'never-seen');
  expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
  expect(asked.stderr).toMatch(/^invalid_usage: .*\nAdd --yes to continue without the question\.\n$/);
  expect((await run('sandbox', 'balance', 'never-seen')).exitCode).toBe(3);
});

describe('orders', () => {
  // contract 40.5
  test('the two steps, listed, found and shown', async () => {
    const bought = await json(
      '',
      'buy',
      market.contractId,
      'yes',
      ...['--stake', '20', '--user', 'dora', '--client-order-id', 'd-1', '--intent', 'record_intent', '--yes'],
    );
    expect(bought.json.status).toBe('reserve_pending');
    const { orderId, executionRef } = bought.json;
    const found = await json('orders', 'show', executionRef);
    expect(found.json).toMatchObject({ orderId, intent: { reserveConfirmedAt: null } });
    expect(await json('orders', 'show', 'inl_Best_00000000000000')).toMatchObject({
      exitCode: 3,
      json: { error: 'unknown_order' },
    });
    const confirmed = await json('orders', 'confirm-reserve', orderId, '--reserve-reference', 'hold-1');
    expect(confirmed.json).toMatchObject({ status: 'pending_venue_execution', intent: { reserveReference: 'hold-1' } });
    const cancelled = await json('orders', 'cancel', orderId, '--yes');
    expect(cancelled.json).toMatchObject({ releaseAmount: '20.00', actualDebit: '0.00' });
    expect((await json('orders', 'cancel', orderId, '--yes')).json).toMatchObject({ idempotentReplay: true });
    const refused = await json('orders', 'confirm-reserve', orderId);
    expect([refused.exitCode, refused.json.error]).toEqual([1, 'order_cancelled']);
    const listed = await json('orders', 'list', '--user', 'dora', '--status', 'cancelled');
    expect(listed.json).toMatchObject({ count: 1, nextCursor: null, hasMore: false, orders: [{ orderId }] });
    const keyed = await json('orders', 'list', '--user', 'dora', '--client-order-id', 'd-1');
    expect(keyed.json.orders[0].intent.cancelledAt).not.toBeNull();
    expect((await run('orders', 'show', orderId)).stdout).toMatch(/status +cancelled/);
  });

  // contract 25.7, contract 40.5
  test('show with fills, all pages, and CSV', async () => {
    for (const key of ['e-1', 'e-2', 'e-3']) {
      await json(
        '',
        'buy',
        market.contractId,
        'yes',
        ...['--stake', '5', '--user', 'eva', '--client-order-id', key, '--yes'],
      );
    }
    const two = await json('orders', 'list', '--user', 'eva', '--limit', '2');
    expect(two.json).toMatchObject({ count: 2, hasMore: true });
    const rest = await json('orders', 'list', '--user', 'eva', '--cursor', two.json.nextCursor, '--all');
    expect(rest.json).toMatchObject({ count: 1, hasMore: false, orders: [{ clientOrderId: 'e-1' }] });
    expect((await run('orders', 'list', '--user', 'eva', '--limit', '2')).stderr).toBe('The next page: --page 2\n');
    const second = await json('orders', 'list', '--user', 'eva', '--limit', '2', '--page', '2');
    expect(second.json).toEqual(rest.json);
    const beyond = await json('orders', 'list', '--user', 'eva', '--limit', '2', '--page', '3');
    expect(beyond.json).toMatchObject({ count: 0, hasMore: false, orders: [] });
    expect((await run('orders', 'list', '--page', '2', '--cursor', two.json.nextCursor)).exitCode).toBe(2);
    const shown = await json('orders', 'show', two.json.orders[0].orderId, '--fills');
    expect(shown.json.fills).toHaveLength(1);
    const csv = await run('orders', 'list', '--user', 'eva', '--output', 'csv');
    expect(csv.stdout.split('\n')).toHaveLength(5);
    expect(csv.stdout).toContain('operatorMoney.actualDebit');
  });

  test('a purchase and a position name the market and its outcome', async () => {
    await seed(service.sql, [
      {
        id: 'cup',
        title: 'Who wins?',
        kind: 'mutually_exclusive',
        contracts: [{ id: 'favourite', label: 'Favourite', bids: [[0.8, 1000]], asks: [[0.82, 1000]] }],
      },
    ]);
    await service.context.board.refresh();
    const bought = await run('', 'buy', 'ctr_favourite', 'yes', '--stake', '5', '--user', 'eva', '--yes');
    expect(bought.stdout).toMatch(/market +Who wins\?: Favourite/);
    const positions = await run('positions', 'list', '--user', 'eva');
    expect(positions.stdout).toContain('Who wins?: Favourite');
    const csv = await run('positions', 'list', '--user', 'eva', '--output', 'csv');
    expect(csv.stdout).not.toContain('market');
  });

  test('a held order says that nothing is to be released', () => {
    const money = { authorizationAmount: '20.00', actualDebit: '0.00', releaseAmount: '20.00' };
    const order = { settlementState: 'pending', operatorMoney: money, operatorExitMoney: null } as OrderDetail;
    expect(orderFacts(order, new Map())['releaseAmount']).toBe('20.00, do not release it: the order is not final');
    expect(orderFacts({ ...order, settlementState: 'settled' }, new Map())['releaseAmount']).toBe('20.00');
  });
});

describe('sandbox', () => {
  // contract 40.8
  test('balance, ledger and fund', async () => {
    expect(await json('sandbox', 'balance', 'fred')).toMatchObject({ exitCode: 3, json: { error: 'unknown_user' } });
    const funded = await json('sandbox', 'fund', 'fred');
    expect(funded.json).toMatchObject({
      status: 'credited',
      creditedAmount: '1000.00',
      balance: { total: '11000.00' },
    });
    expect((await json('sandbox', 'balance', 'fred')).json).toMatchObject({ available: '11000.00', held: '0.00' });
    expect((await json('sandbox', 'ledger', 'fred')).json).toMatchObject({
      count: 2,
      entries: [{ amount: '1000.00' }, {}],
    });
    expect((await run('sandbox', 'ledger', 'fred')).stdout).toContain('SANDBOX_CREDIT');
  });

  // contract 40.8
  test('scenarios and resolutions', async () => {
    const armed = await json('sandbox/scenarios', 'arm', '--fill-fraction', '0.5', '--client-order-id', 'g-1');
    expect(armed.json).toMatchObject({ fillFraction: 0.5, fillAmount: null, clientOrderId: 'g-1' });
    const spare = await json('sandbox/scenarios', 'arm', '--fill-amount', '450', '--client-order-id', 'g-9');
    expect(spare.json.fillAmount).toBe('4.50');
    expect((await json('sandbox/scenarios', 'arm')).exitCode).toBe(2);
    expect((await json('sandbox/scenarios', 'list')).json.scenarios).toHaveLength(2);
    expect((await json('sandbox/scenarios', 'disarm', spare.json.scenarioId)).json.scenarios).toHaveLength(1);
    expect((await json('sandbox/scenarios', 'disarm', spare.json.scenarioId)).exitCode).toBe(3);
    const argv = [market.contractId, 'yes', '--stake', '10', '--user', 'gus', '--client-order-id', 'g-1', '--yes'];
    const bought = await json('', 'buy', ...argv);
    expect(bought.json.status).toBe('partially_filled');
    const { positionId } = (await json('positions', 'list', '--user', 'gus')).json.positions[0];
    const resolved = await json('sandbox', 'resolve', positionId, 'win', '--yes');
    expect(resolved.json).toMatchObject({ resolution: 'WIN', settled: true });
    const told = await run('sandbox', 'resolve', positionId, 'win', '--yes');
    expect(told.stdout).toContain('8.59 paid to gus, profit 3.59\n');
    expect(await json('sandbox', 'resolve', positionId, 'loss', '--yes')).toMatchObject({
      exitCode: 1,
      json: { error: 'resolution_conflict' },
    });
  });

  test('a customer is an argument or a flag', async () => {
    await json('', 'buy', market.contractId, 'yes', '--stake', '5', '--user', 'named', '--yes');
    const byArgument = await run('sandbox', 'balance', 'named', '--json');
    const byFlag = await run('sandbox', 'balance', '--user', 'named', '--json');
    expect(byFlag.json).toEqual(byArgument.json);
    expect(byFlag.json).toMatchObject({ externalUserId: 'named' });
    const both = await run('sandbox', 'balance', 'named', '--user', 'eva', '--json');
    expect([both.exitCode, both.json.error]).toEqual([2, 'invalid_usage']);
  });
});
