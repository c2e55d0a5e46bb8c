/** Takes an order at the emulated exchange: checks it as the exchange would, matches it against the book, and books its fills; and pays a market that is final. */
import { countOf, DOLLAR, takeLevels } from '../../exchange/ladder.ts';
import { multiplierBps, takerFee } from './series.ts';
import { type Account, addCash, type ExchangeState, type Fill, type Market, type Order } from './state.ts';

const SMALLEST = 10_000n;

interface NewOrder {
  readonly ticker: string;
  readonly side: 'bid' | 'ask';
  readonly count: bigint;
  readonly yesPrice: bigint;
  readonly timeInForce: 'fill_or_kill' | 'good_till_canceled' | 'immediate_or_cancel';
  readonly clientOrderId: string;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export type Taken = { readonly order: Order } | { readonly refusal: Refusal };

export interface Ids {
  next(): string;
}

/** @param mostCount of an armed fault: at most this much is matched, in micro-contracts */
export function takeOrder(
  state: ExchangeState,
  account: Account,
  wanted: NewOrder,
  now: Date,
  ids: Ids,
  mostCount?: bigint,
): Taken {
  const listed = state.markets.get(wanted.ticker);
  const market = listed?.vanished === true ? undefined : listed;
  const refusal = refusalOf(state, account, market, wanted, now);
  if (refusal !== null || market === undefined) {
    return { refusal: refusal ?? { status: 400, code: 'market_not_found', message: 'market not found' } };
  }
  const buys = wanted.side === 'bid';
  // the book has only bids: a bid takes those of NO, whose complements are prices of YES, and an ask takes those of YES
  const bids = buys ? 'noBids' : 'yesBids';
  const { taken, rest } = takeLevels(market[bids], {
    buys,
    limit: wanted.yesPrice,
    count: least(wanted.count, mostCount ?? wanted.count),
    mirrored: buys,
  });
  const filled = countOf(taken);
  if (wanted.timeInForce === 'fill_or_kill' && filled < wanted.count) {
    const code = 'fill_or_kill_insufficient_resting_volume';
    return { refusal: { status: 400, code, message: 'fill or kill insufficient resting volume' } };
  }
  const order: Order = {
    orderId: ids.next(),
    clientOrderId: wanted.clientOrderId,
    ticker: wanted.ticker,
    exchangeIndex: market.exchangeIndex,
    subaccount: account.subaccount,
    side: wanted.side,
    yesPrice: wanted.yesPrice,
    count: wanted.count,
    filled,
    status: filled === wanted.count ? 'executed' : wanted.timeInForce === 'good_till_canceled' ? 'resting' : 'canceled',
    createdAt: now,
    updatedAt: now,
  };
  market[bids] = rest;
  account.orders.set(order.orderId, order);
  for (const part of taken) {
    const fill: Fill = {
      fillId: ids.next(),
      orderId: order.orderId,
      ticker: market.ticker,
      exchangeIndex: market.exchangeIndex,
      subaccount: account.subaccount,
      side: wanted.side,
      count: part.count,
      yesPrice: part.price,
      fee: takerFee({ count: part.count, yesPrice: part.price, side: wanted.side }, multiplierBps(state, market, now)),
      at: now,
    };
    book(account, market, fill);
  }
  return { order };
}

function refusalOf(
  state: ExchangeState,
  account: Account,
  market: Market | undefined,
  wanted: NewOrder,
  now: Date,
): Refusal | null {
  if (market === undefined) {
    return { status: 400, code: 'market_not_found', message: 'market not found' };
  }
  if ([...account.orders.values()].some((order) => order.clientOrderId === wanted.clientOrderId)) {
    const message = 'order with this client_order_id already exists';
    return { status: 409, code: 'order_already_exists', message };
  }
  if (!state.tradingActive || state.pausedParts.has(market.exchangeIndex)) {
    return { status: 409, code: 'trading_is_paused', message: 'trading is paused' };
  }
  if (market.status !== 'active' || market.closeTime <= now) {
    return { status: 400, code: 'market_inactive', message: 'MARKET_INACTIVE' };
  }
  if (wanted.count < SMALLEST || wanted.count % SMALLEST !== 0n) {
    return { status: 400, code: 'invalid_order_size', message: 'count is not a multiple of 0.01' };
  }
  if (wanted.yesPrice <= 0n || wanted.yesPrice >= DOLLAR || wanted.yesPrice % market.tick !== 0n) {
    return { status: 400, code: 'invalid_price', message: 'price is not on the market price grid' };
  }
  const price = wanted.side === 'bid' ? wanted.yesPrice : DOLLAR - wanted.yesPrice;
  const held = account.positions.get(market.ticker) ?? 0n;
  const offset = wanted.side === 'bid' ? least(wanted.count, -held) : least(wanted.count, held);
  const worst =
    (wanted.count * price) / DOLLAR -
    offset +
    takerFee({ count: wanted.count, yesPrice: wanted.yesPrice, side: wanted.side }, multiplierBps(state, market, now));
  const cash = account.cash.get(market.exchangeIndex) ?? 0n;
  return worst > cash ? { status: 400, code: 'insufficient_balance', message: 'insufficient balance' } : null;
}

/** Contracts of YES and NO offset each other at once: a pair pays a dollar. */
function book(account: Account, market: Market, fill: Fill): void {
  const held = account.positions.get(market.ticker) ?? 0n;
  const price = fill.side === 'bid' ? fill.yesPrice : DOLLAR - fill.yesPrice;
  const pairs = fill.side === 'bid' ? least(fill.count, -held) : least(fill.count, held);
  addCash(account, market.exchangeIndex, pairs - (fill.count * price) / DOLLAR - fill.fee);
  account.positions.set(market.ticker, fill.side === 'bid' ? held + fill.count : held - fill.count);
  account.fills.push(fill);
  market.volume += fill.count;
  market.lastPrice = fill.yesPrice;
}

function least(count: bigint, other: bigint): bigint {
  return other <= 0n ? 0n : other < count ? other : count;
}

/** Pays every account for its contracts of a final market. @returns the sum in micro-dollars */
export function settle(state: ExchangeState, market: Market): bigint {
  let paid = 0n;
  const worth = market.settlementValue ?? 0n;
  for (const account of state.accounts.values()) {
    const held = account.positions.get(market.ticker) ?? 0n;
    const value = held > 0n ? (held * worth) / DOLLAR : (-held * (DOLLAR - worth)) / DOLLAR;
    addCash(account, market.exchangeIndex, value);
    if (held !== 0n) {
      account.settlements.push({ ticker: market.ticker, held, paid: value, at: market.settledAt ?? new Date() });
    }
    account.positions.delete(market.ticker);
    paid += value;
  }
  return paid;
}
