/** Buying and selling with a question in between, while the market moves: nobody pays a price that was not agreed to. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tradeWithConsent } from '../../src/cli/trade.ts';
import { createClient, type InlayClient } from '../../src/client/create-client.ts';
import type { Quote } from '../../src/client/shapes.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
let client: InlayClient;
let run: RunCommand;

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('consent');
  client = createClient({ baseUrl: service.url, apiKey: service.key });
  run = await service.commands();
});
afterAll(() => service.close());

async function ask(price: string): Promise<void> {
  await setBook(service.sql, market, { bids: [['0.40', '10000']], asks: [[price, '10000']] });
  await service.context.board.refresh();
}

describe('a purchase', () => {
  const buyWhileItMoves = async (options: { clientOrderId?: string; canAskAgain: boolean }) => {
    await ask('0.50');
    const offered: number[] = [];
    const order = tradeWithConsent({
      client,
      user: 'ana',
      sized: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
      flags: {},
      clientOrderId: options.clientOrderId,
      canAskAgain: options.canAskAgain,
      ask: async (quote: Quote) => {
        offered.push(quote.executionPrice);
        if (offered.length === 1) {
          await ask('0.60');
        }
      },
      note: () => undefined,
    });
    return { offered, order };
  };

  test('offers the new price if the market moved before the answer', async () => {
    const { offered, order } = await buyWhileItMoves({ canAskAgain: true });
    expect(await order).toMatchObject({ status: 'filled', averagePrice: 0.6, quote: { executionPrice: 0.6 } });
    expect(offered).toEqual([0.5, 0.6]);
  });

  test('is refused once if there is no terminal to ask on, or under an id of the caller', async () => {
    for (const options of [{ canAskAgain: false }, { canAskAgain: true, clientOrderId: 'mine' }]) {
      const { offered, order } = await buyWhileItMoves(options);
      await expect(order).rejects.toMatchObject({ code: 'price_moved' });
      expect(offered).toEqual([0.5]);
    }
  });
});

// contract 40.4
test('sell takes a position, all of it or a part', async () => {
  await ask('0.50');
  const bought = await run('', 'buy', market.contractId, 'yes', '--stake', '10', '--user', 'sol', '--yes', '--json');
  expect(bought.exitCode).toBe(0);
  const { json: held } = await run('positions', 'list', '--user', 'sol', '--json');
  const [{ positionId, quantity }] = held.positions;
  const part = await run('', 'sell', positionId, '--contracts', '5', '--user', 'sol', '--yes', '--json');
  expect(part.json).toMatchObject({ action: 'sell', status: 'filled', filledQuantity: 5 });
  const rest = await run('', 'sell', positionId, '--contracts', 'all', '--user', 'sol', '--yes', '--json');
  expect(rest.json.filledQuantity).toBeCloseTo(quantity - 5, 6);
  const none = await run('', 'sell', positionId, '--contracts', 'some', '--user', 'sol', '--yes', '--json');
  expect([none.exitCode, none.json.error]).toEqual([2, 'invalid_usage']);
  expect((await run('', 'sell', positionId, '--contracts', 'all', '--user', 'sol', '--json')).exitCode).toBe(2);
});

// contract 40.14
test('whoami names the operator, the scopes and the budget of the key', async () => {
  const { json, exitCode } = await run('', 'whoami', '--json');
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({ slug: 'demo', mode: 'sandbox', operatorId: service.operator.operatorId });
  expect(json.scopes).toContain('orders:write');
  expect(json.rateLimit.limit).toBe(6000);
  const { apiKey } = await service.issueKey(service.operator, { scopes: [] });
  const bare = await service.request('GET', '/api/v1/whoami', { key: apiKey });
  expect([bare.status, bare.body.scopes]).toEqual([200, []]);
  expect((await service.request('GET', '/api/v1/whoami', { key: 'pk_test_none' })).status).toBe(401);
});

// contract 40.14
test('open says where the page is', async () => {
  expect((await run('', 'open', 'docs')).stdout).toBe(`${service.url}/docs\n`);
  expect((await run('', 'open', 'demo', '--json')).json).toEqual({ url: `${service.url}/demo` });
});
