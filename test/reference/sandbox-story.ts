/** An operator that tries everything in the sandbox: trades, refusals, limits, wallets, scripted outcomes. */
import type { ErrorCode } from '../../src/core/errors.ts';
import type { AnyJson } from '../support/any-json.ts';
import { MARKETS } from './catalogue.ts';
import type { Recording, Sender } from './recording.ts';
import type { Stage } from './stage.ts';

export const PLAYER = 'player-1';

/** Quotes and orders of a customer under keys of its own. */
export interface Trader {
  /** A quote that is not kept. */
  quote(body?: object): Promise<AnyJson>;
  /** Quotes, and keeps the order. */
  order(summary: string, asked?: { refused?: ErrorCode; [field: string]: unknown }, quoted?: object): Promise<AnyJson>;
  buy(body?: object): object;
}

export function traderOf(recording: Recording, by: Sender, user: string, firstOrder: number): Trader {
  let last = firstOrder - 1;
  const buy = (body: object = {}) => ({
    marketId: MARKETS.rates.contractId,
    side: 'YES',
    action: 'buy',
    stake: 20,
    ...body,
  });
  const trader: Trader = {
    buy,
    quote: (body) => recording.ask('createQuote', { by, user, body: buy(body) }),
    order: async (summary, { refused, ...body } = {}, quoted = {}) => {
      const { quoteId } = await trader.quote(quoted);
      last += 1;
      const clientOrderId = `order-${last}`;
      return recording.keep('createOrder', summary, {
        by,
        user,
        body: { quoteId, clientOrderId, ...body },
        ...(refused && { refused }),
      });
    },
  };
  return trader;
}

export const sellOf = (contracts: number) => ({ action: 'sell', stake: undefined, contracts });

export async function tellSandbox(stage: Stage): Promise<void> {
  const { recording, casino } = stage;
  const by = { key: casino.key };
  const trader = traderOf(recording, by, PLAYER, 1001);
  const { keep } = recording;
  const read = (summary: string, orderId: string, query?: Record<string, string>) =>
    keep('getOrder', summary, { by, path: { id: orderId }, ...(query && { query }) });

  const quoted = await keep('createQuote', 'A buy, by stake', { by, user: PLAYER, body: trader.buy() });
  const body = { quoteId: quoted.quoteId, clientOrderId: 'order-1000' };
  const filled = await keep('createOrder', 'Filled', { by, user: PLAYER, body });
  await keep('createOrder', 'The same order again', { by, user: PLAYER, body });
  await read('Filled, with its fills', filled.orderId, { fills: 'true' });
  await stage.keepEvent('order.filled', 'A buy, filled', { orderId: filled.orderId });
  await keep('createOrder', 'A quote that another order has spent', {
    by,
    user: PLAYER,
    body: { ...body, clientOrderId: 'order-1000b' },
    refused: 'quote_already_used',
  });
  await keep('createOrder', 'Another quote under the same clientOrderId', {
    by,
    user: PLAYER,
    body: { ...body, quoteId: (await trader.quote()).quoteId },
    refused: 'idempotency_conflict',
  });

  await keep('armScenario', 'Two fifths of the next order', {
    by,
    body: { kind: 'partial_fill', fillFraction: 0.4 },
  });
  const inPart = await trader.order('Filled in part');
  await read('Filled in part', inPart.orderId, { fills: 'true' });

  const held = await trader.order('Recorded, waits for your reserve', { executionIntent: 'record_intent' });
  await read('Recorded, waits for your reserve', held.orderId);
  await keep('cancelOrder', 'Cancelled', { by, path: { id: held.orderId } });
  await keep('cancelOrder', 'The same call again', { by, path: { id: held.orderId } });
  await read('Cancelled by you', held.orderId);
  await stage.keepEvent('order.cancelled', 'Cancelled by you', { orderId: held.orderId });
  await keep('confirmReserve', 'An order that was cancelled', {
    by,
    path: { id: held.orderId },
    refused: 'order_cancelled',
  });
  await keep('cancelOrder', 'An order that was filled', {
    by,
    path: { id: filled.orderId },
    refused: 'order_not_cancellable',
  });

  await keep('createQuote', 'A sell, by contracts', { by, user: PLAYER, body: trader.buy(sellOf(10)) });
  const sold = await trader.order('A sell, filled', {}, sellOf(10));
  await read('A sell, filled', sold.orderId, { fills: 'true' });

  const moved = await trader.quote({ marketId: MARKETS.launch.contractId });
  await recording.meanwhile(() => stage.setPrices(MARKETS.launch, '0.66', '0.68'));
  const refusedOrder = await keep('createOrder', 'The book moved off the quoted price', {
    by,
    user: PLAYER,
    body: { quoteId: moved.quoteId, clientOrderId: 'order-2001' },
    refused: 'price_moved',
  });
  await read('Rejected: the book moved', refusedOrder.orderId);
  await recording.meanwhile(() => stage.setPrices(MARKETS.launch, '0.62', '0.64'));

  await tellRefusals(stage, trader, by);
  await tellPositions(stage, trader, by, filled.orderId);
}

async function tellRefusals({ recording }: Stage, trader: Trader, by: Sender): Promise<void> {
  const quote = (summary: string, body: object, refused: ErrorCode) =>
    recording.keep('createQuote', summary, { by, user: PLAYER, body, refused });
  await quote('A side that does not exist', trader.buy({ side: 'UP' }), 'invalid_request');
  await quote('An unknown contract', trader.buy({ marketId: 'ctr_00000000000000000000000000' }), 'market_not_found');
  await quote('More than the book holds', trader.buy({ stake: 50_000 }), 'stake_exceeds_available_depth');
  await quote('Less than can be traded', trader.buy({ stake: 0.5 }), 'below_venue_minimum');
  await quote('More contracts than are held', trader.buy(sellOf(5_000)), 'insufficient_position');
  await recording.keep('createQuote', 'Without the header of the customer', {
    by,
    body: trader.buy(),
    refused: 'missing_user',
  });
  await recording.keep('getOrder', 'An unknown order', {
    by,
    path: { id: 'ord_00000000000070008000000000000000' },
    refused: 'unknown_order',
  });
  await recording.keep('listOrders', 'A clientOrderId without its customer', {
    by,
    query: { clientOrderId: 'order-1000' },
    refused: 'invalid_request',
  });
}

async function tellPositions({ recording }: Stage, trader: Trader, by: Sender, orderId: string): Promise<void> {
  const { keep } = recording;
  const rain = MARKETS.rain.contractId;
  await trader.order('Another market', {}, { marketId: rain });
  const page = await keep('listOrders', 'A page', { by, query: { externalUserId: PLAYER, limit: '2' } });
  await keep('listOrders', 'The page after it', {
    by,
    query: { externalUserId: PLAYER, limit: '2', cursor: page.nextCursor },
  });
  await keep('listOrders', 'Looked up by your own id', {
    by,
    query: { externalUserId: PLAYER, clientOrderId: 'order-1000' },
  });
  await keep('listOrders', 'A customer who never traded', { by, query: { externalUserId: 'nobody' } });
  const { positions } = await keep('listPositions', 'Of one customer', { by, query: { externalUserId: PLAYER } });
  const rates = positions.find((one: AnyJson) => one.contractId === MARKETS.rates.contractId);
  const other = positions.find((one: AnyJson) => one.contractId === rain);
  await keep('getPosition', 'Open', { by, path: { id: rates.positionId } });
  await keep('getPosition', 'An unknown position', {
    by,
    path: { id: 'pos_00000000000070008000000000000000' },
    refused: 'position_not_found',
  });
  await trader.order('Everything sold', {}, { marketId: rain, ...sellOf(other.quantity) });
  await keep('getPosition', 'Closed: everything was sold', { by, path: { id: other.positionId } });
  await keep('resolvePosition', 'Won', { by, body: { positionId: rates.positionId, resolution: 'WIN' } });
  await keep('resolvePosition', 'The same call again', {
    by,
    body: { positionId: rates.positionId, resolution: 'WIN' },
  });
  await keep('resolvePosition', 'Another result', {
    by,
    body: { positionId: rates.positionId, resolution: 'LOSS' },
    refused: 'resolution_conflict',
  });
  await keep('resolvePosition', 'A position that was sold', {
    by,
    body: { positionId: other.positionId, resolution: 'WIN' },
    refused: 'position_not_open',
  });
  await keep('getPosition', 'Settled', { by, path: { id: rates.positionId } });
  await keep('getOrder', 'Filled, its position settled', { by, path: { id: orderId } });
}

/** Wallet, test money and scripts. */
export async function tellTestTools({ recording, casino, live }: Stage): Promise<void> {
  const by = { key: casino.key };
  const { keep } = recording;
  const user = 'player-4';
  await keep('listSupportedAssets', 'One asset on its chains', { by, query: { symbol: 'USDC' } });
  const { depositId } = await keep('createDepositAddress', 'USDC on Ethereum', {
    by,
    user,
    body: { symbol: 'USDC', chainId: 1 },
  });
  await keep('createDepositAddress', 'An asset that the chain does not have', {
    by,
    user,
    body: { symbol: 'USDT', chainId: 8453 },
    refused: 'unsupported_asset',
  });
  await keep('getDeposit', 'Not asked for yet', { by, path: { id: depositId }, query: { sync: 'false' } });
  await keep('getDeposit', 'On its way', { by, path: { id: depositId } });
  await keep('getDeposit', 'Credited', { by, path: { id: depositId } });
  await keep('getBalance', 'A customer who has bought', { by, path: { id: PLAYER } });
  await keep('getBalance', 'A customer who never traded', { by, path: { id: 'nobody' }, refused: 'unknown_user' });
  await keep('getBalance', 'A live operator has no test wallets', {
    by: { key: live.key },
    path: { id: PLAYER },
    refused: 'sandbox_only',
  });
  const page = await keep('listWalletEntries', 'The first page', { by, path: { id: PLAYER }, query: { limit: '3' } });
  await keep('listWalletEntries', 'The page after it', {
    by,
    path: { id: PLAYER },
    query: { limit: '3', cursor: page.nextCursor },
  });
  await keep('listWalletEntries', 'The opening balance and a deposit', { by, path: { id: user } });
  const armed = await keep('armScenario', 'An amount of one order', {
    by,
    body: { kind: 'partial_fill', fillAmountMinor: 500, clientOrderId: 'order-9001' },
  });
  await keep('armScenario', 'A fraction and an amount', {
    by,
    body: { kind: 'partial_fill', fillFraction: 0.5, fillAmountMinor: 500 },
    refused: 'scenario_invalid',
  });
  await keep('listScenarios', 'One is armed', { by });
  await keep('disarmScenario', 'None is left', { by, path: { id: armed.scenarioId } });
  await keep('disarmScenario', 'It is not armed any more', {
    by,
    path: { id: armed.scenarioId },
    refused: 'scenario_not_found',
  });
}

export async function tellCustomers({ recording, casino }: Stage): Promise<void> {
  const by = { key: casino.key };
  const { keep } = recording;
  const path = { id: 'player-2' };
  await keep('getCustomerLimits', 'A customer without limits', { by, path });
  await keep('putCustomerLimits', 'On one wager, and on a day', {
    by,
    path,
    body: { maxWagerMinor: 5_000, periodStakeMinor: 8_000, periodHours: 24, note: 'asked for by the customer' },
  });
  await keep('getCustomerLimits', 'With the limits that you set', { by, path });
  await keep('putCustomerLimits', 'A sum without its period', {
    by,
    path,
    body: { periodStakeMinor: 8_000 },
    refused: 'invalid_request',
  });
  const trader = traderOf(recording, by, path.id, 5001);
  await keep('createQuote', 'Above the limit on one wager', {
    by,
    user: path.id,
    body: trader.buy({ stake: 60 }),
    refused: 'over_wager_limit',
  });
  await trader.order('Within the limits', {}, { stake: 50 });
  await keep('createQuote', 'Above what is left of the day', {
    by,
    user: path.id,
    body: trader.buy({ stake: 40 }),
    refused: 'over_period_limit',
  });
  await keep('deleteCustomerLimits', 'Only the limits of the operator remain', { by, path });
  await keep('putJurisdiction', 'A state of the United States', {
    by,
    path,
    body: { country: 'US', subdivision: 'NJ' },
  });
  await keep('putJurisdiction', 'A country that is not two letters', {
    by,
    path,
    body: { country: 'USA' },
    refused: 'invalid_jurisdiction',
  });
  await keep('getJurisdiction', 'What you stated', { by, path });
  await keep('getJurisdiction', 'Nothing was stated', { by, path: { id: 'player-9' } });
}
