/**
 * Matches orders at the emulated exchange and advances their trades: a buy spends dollars, a sale gives shares, each at its worst price or
 * better, for the documented fee; trades become final with time, and resolved markets pay.
 */
import { countOf, DOLLAR, takeLevels } from '../../exchange/ladder.ts';
import type { Account, ExchangeState, MakerPart, Order, Trade } from './state.ts';

export interface Ids {
  next(): string;
  /** 32 bytes as hexadecimal digits after `0x`. */
  word(): string;
}

/** Matches the order against the current book, and cancels the rest. */
export function matchOrder(state: ExchangeState, account: Account, order: Order, now: Date, ids: Ids): void {
  const parts = takeParts(order, ids);
  const matched = countOf(parts);
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

/** A buy gives dollars for shares at its worst price or better, a sale gives shares for dollars. */
function takeParts({ market, token, side, makerAmount, takerAmount, mostCount }: Order, ids: Ids): MakerPart[] {
  const buys = side === 'BUY';
  const mirrored = token !== market.tokens[0];
  // a buy of one outcome is a sale of the other at the complement
  const levels = buys === mirrored ? 'bids' : 'asks';
  let dollars = makerAmount;
  const { taken, rest } = takeLevels(market[levels], {
    buys,
    limit: buys ? (makerAmount * DOLLAR) / takerAmount : ceil(takerAmount * DOLLAR, makerAmount),
    count: buys ? (mostCount ?? makerAmount * DOLLAR) : least(makerAmount, mostCount ?? makerAmount),
    mirrored,
    accept(offered, price) {
      const count = buys ? least(offered, (dollars * DOLLAR) / price) : offered;
      dollars -= costOf(count, price);
      return count;
    },
  });
  market[levels] = rest;
  return taken.map((level) => ({ orderId: ids.word(), ...level }));
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

/** Micro-dollars that a buyer pays, rounded up. */
function costOf(count: bigint, price: bigint): bigint {
  return ceil(count * price, DOLLAR);
}

export function costOfTrade({ parts }: Trade): bigint {
  return parts.reduce((sum, { count, price }) => sum + costOf(count, price), 0n);
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
    move(account, trade.token, -countOf(trade.parts));
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
      move(account, trade.token, countOf(trade.parts));
    }
  } else if (bought) {
    move(account, trade.token, countOf(trade.parts));
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

/** @returns the share of a builder in micro-dollars, rounded down like the fee. No document states how the exchange rounds it. */
export function builderFeeOf(bps: bigint, price: bigint, count: bigint): bigint {
  const exact = (count * price * bps) / (DOLLAR * 10_000n);
  return (exact / FEE_STEP) * FEE_STEP;
}
