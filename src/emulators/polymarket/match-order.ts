/**
 * Matches orders at the emulated exchange and advances their trades: a buy spends dollars, a sale gives shares, each at its worst price or
 * better, for the documented fee; trades become final with time, and resolved markets pay.
 */
import {
  type Account,
  bookOf,
  DOLLAR,
  type ExchangeState,
  type MakerPart,
  type Order,
  type Trade,
  takeBest,
} from './state.ts';

export interface Ids {
  next(): string;
  /** 32 bytes as hexadecimal digits after `0x`. */
  word(): string;
}

/** Matches the order with what the book holds now, and cancels the rest. */
export function matchOrder(state: ExchangeState, account: Account, order: Order, now: Date, ids: Ids): void {
  const parts = takeParts(order, ids);
  const matched = parts.reduce((sum, part) => sum + part.count, 0n);
  order.matched = matched;
  order.status = matched > 0n ? 'MATCHED' : 'CANCELED';
  if (matched === 0n) {
    return;
  }
  const bps = state.builders.get(order.builder) ?? 0n;
  const builderFee = parts.reduce((sum, part) => sum + builderFeeOf(bps, part.price, part.count), 0n);
  const fee = parts.reduce((sum, part) => sum + takerFee(order.market.feeRate, part.price, part.count), builderFee);
  const trade: Trade = {
    id: ids.next(),
    orderHash: order.hash,
    market: order.market,
    token: order.token,
    side: order.side,
    parts,
    fee,
    builderFee,
    builder: order.builder,
    at: now,
    transactionHash: ids.word(),
    status: 'MATCHED_NOT_BROADCASTED',
    minedAt: now.getTime() + state.minedMs,
    finalAt: now.getTime() + state.finalMs,
    fails: order.tradesFail,
  };
  order.trades.push(trade.id);
  account.trades.push(trade);
  order.market.lastPrice = parts[0]?.price ?? null;
  hold(account, trade);
}

function takeParts(order: Order, ids: Ids): MakerPart[] {
  const { market, token, side, makerAmount, takerAmount } = order;
  const from = side === 'BUY' ? 'asks' : 'bids';
  const parts: MakerPart[] = [];
  let left = makerAmount;
  let most = order.mostCount ?? makerAmount * DOLLAR;
  for (;;) {
    const best = bookOf(market, token)[from][0];
    const fits =
      best !== undefined &&
      (side === 'BUY'
        ? best.price * takerAmount <= makerAmount * DOLLAR
        : best.price * makerAmount >= takerAmount * DOLLAR);
    if (!fits) {
      return parts;
    }
    const affordable = side === 'BUY' ? (left * DOLLAR) / best.price : left;
    const count = [best.count, affordable, most].reduce((least, one) => (one < least ? one : least));
    if (count <= 0n) {
      return parts;
    }
    parts.push({ orderId: ids.word(), price: best.price, count });
    takeBest(market, token, from, count);
    left -= side === 'BUY' ? costOf(count, best.price) : count;
    most -= count;
  }
}

/** Micro-dollars that a buyer pays, rounded up. */
function costOf(count: bigint, price: bigint): bigint {
  return (count * price + DOLLAR - 1n) / DOLLAR;
}

export function costOfTrade({ parts }: Trade): bigint {
  return parts.reduce((sum, { count, price }) => sum + costOf(count, price), 0n);
}

export function countOf({ parts }: Trade): bigint {
  return parts.reduce((sum, { count }) => sum + count, 0n);
}

function proceedsOf({ parts, fee }: Trade): bigint {
  return parts.reduce((sum, { count, price }) => sum + (count * price) / DOLLAR, 0n) - fee;
}

function move(account: Account, token: string, count: bigint): void {
  const held = (account.shares.get(token) ?? 0n) + count;
  if (held === 0n) {
    account.shares.delete(token);
  } else {
    account.shares.set(token, held);
  }
}

function hold(account: Account, trade: Trade): void {
  if (trade.side === 'BUY') {
    account.cash -= costOfTrade(trade) + trade.fee;
  } else {
    move(account, trade.token, -countOf(trade));
  }
}

/**
 * Advances trades: each is broadcast half way to being mined, then mined, then confirmed or failed. Also matches orders whose delay has
 * passed, and lets the redeemer pay.
 */
export function advance(state: ExchangeState, now: Date, ids: Ids): void {
  redeem(state, now.getTime() - state.redeemMs);
  for (const account of state.accounts.values()) {
    for (const order of account.orders.values()) {
      if (order.status === 'DELAYED' && order.matchesAt <= now.getTime()) {
        matchOrder(state, account, order, now, ids);
      }
    }
    for (const trade of account.trades) {
      if (trade.status === 'MATCHED_NOT_BROADCASTED' && (trade.at.getTime() + trade.minedAt) / 2 <= now.getTime()) {
        trade.status = 'MATCHED';
      }
      if (trade.status === 'MATCHED' && trade.minedAt <= now.getTime()) {
        trade.status = 'MINED';
      }
      if (trade.status === 'MINED' && trade.finalAt <= now.getTime()) {
        finish(account, trade);
      }
    }
  }
}

function finish(account: Account, trade: Trade): void {
  trade.status = trade.fails ? 'FAILED' : 'CONFIRMED';
  const bought = trade.side === 'BUY';
  if (trade.fails) {
    if (bought) {
      account.cash += costOfTrade(trade) + trade.fee;
    } else {
      move(account, trade.token, countOf(trade));
    }
  } else if (bought) {
    move(account, trade.token, countOf(trade));
  } else {
    account.cash += proceedsOf(trade);
  }
}

/**
 * Pays for the shares of resolved markets.
 *
 * @param resolvedBy time in milliseconds; pays only for markets that ended by then, and only to wallets that allow the redeemer
 */
export function redeem(state: ExchangeState, resolvedBy?: number): void {
  const accounts = [...state.accounts.values()].filter(({ redeemer }) => resolvedBy === undefined || redeemer);
  for (const account of accounts) {
    for (const market of state.markets.values()) {
      market.tokens.forEach((token, index) => {
        const closedMs = market.closedAt?.getTime() ?? Number.POSITIVE_INFINITY;
        if (market.payout !== null && (resolvedBy === undefined || closedMs <= resolvedBy)) {
          account.cash += ((account.shares.get(token) ?? 0n) * (market.payout[index] ?? 0n)) / DOLLAR;
          account.shares.delete(token);
        }
      });
    }
  }
}

const FEE_STEP = 10n;

/**
 * The taker's fee: shares * rate * p * (1 - p), rounded down to 0.00001 dollars.
 *
 * @param rate millionths
 * @returns micro-dollars
 */
export function takerFee(rate: bigint, price: bigint, count: bigint): bigint {
  const exact = (count * rate * price * (DOLLAR - price)) / (DOLLAR * DOLLAR * DOLLAR);
  return (exact / FEE_STEP) * FEE_STEP;
}

/** @returns what a builder earns, in micro-dollars, rounded down like the fee. No document says how the exchange rounds it. */
export function builderFeeOf(bps: bigint, price: bigint, count: bigint): bigint {
  const exact = (count * price * bps) / (DOLLAR * 10_000n);
  return (exact / FEE_STEP) * FEE_STEP;
}
