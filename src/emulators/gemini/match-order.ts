/**
 * Takes an order at the emulated exchange: refuses the orders that the exchange refuses, and matches the rest against the book; and pays a
 * settled contract.
 */
import { DOLLAR, takeLevels } from '../../exchange/ladder.ts';
import type { OrderRequest } from './requests.ts';
import type { Account, Contract, ExchangeState, Order } from './state.ts';

const CENT = 10_000n;
/** Rate of takers, in hundredths. */
const RATE = 7n;

export interface Ids {
  next(): bigint;
  /** The id that the exchange gives to an order in place of its sender's. */
  clientId(at: Date): string;
}

export type Taken = { readonly order: Order } | { readonly status: 400 | 422; readonly error: string };

/** The word that the exchange's clients expect, in the form of a failed authentication. */
export const TERMS_REQUIRED = 'AcceptTermsRequired';

/** @param mostCount of an armed fault: at most this much is matched, in micro-contracts */
export function takeOrder(
  state: ExchangeState,
  account: Account,
  sent: OrderRequest,
  now: Date,
  ids: Ids,
  mostCount: bigint | undefined,
): Taken {
  const contract = state.contracts.get(sent.symbol);
  if (!account.acceptedTerms) {
    return { status: 400, error: TERMS_REQUIRED };
  }
  if (contract === undefined) {
    return { status: 400, error: 'UnknownInstrument' };
  }
  const error = refusalOf(contract, account, sent);
  if (error !== null) {
    return error;
  }
  const order: Order = {
    orderId: ids.next(),
    clientOrderId: clientIdOf(state, sent, now, ids),
    sentId: sent.clientOrderId ?? null,
    symbol: sent.symbol,
    side: sent.side,
    outcome: sent.outcome,
    price: sent.price,
    count: sent.quantity,
    createdAt: now,
    filled: 0n,
    paid: 0n,
    status: 'open',
    endedAt: null,
  };
  account.orders.set(order.orderId, order);
  match(contract, account, order, now, ids, mostCount ?? order.count);
  order.status = order.filled === order.count ? 'filled' : 'cancelled';
  order.endedAt = now;
  return { order };
}

function clientIdOf({ clientIds }: ExchangeState, sent: OrderRequest, now: Date, ids: Ids): string | null {
  if (clientIds === 'none') {
    return null;
  }
  return (clientIds === 'sender' ? sent.clientOrderId : undefined) ?? ids.clientId(now);
}

function refusalOf(contract: Contract, account: Account, sent: OrderRequest): Taken | null {
  const { price, quantity, clientOrderId } = sent;
  if (clientOrderId !== undefined && [...account.orders.values()].some((one) => one.clientOrderId === clientOrderId)) {
    return { status: 422, error: 'DuplicateOrder' };
  }
  if (sent.timeInForce !== 'immediate-or-cancel') {
    // other orders could rest on the book, which the emulator does not keep for its clients
    return { status: 400, error: 'InvalidInput' };
  }
  if (contract.status !== 'active' || contract.marketState !== 'open') {
    return { status: 422, error: 'MarketNotOpen' };
  }
  if (price <= 0n || price >= DOLLAR) {
    return { status: 400, error: 'InvalidPrice' };
  }
  if (price % contract.priceStep !== 0n) {
    return { status: 400, error: 'LimitPriceOffTick' };
  }
  if (quantity < contract.quantityMinimum || quantity % contract.quantityStep !== 0n) {
    return { status: 400, error: 'InvalidQuantity' };
  }
  return account.cash < neededFor(account, sent) ? { status: 422, error: 'InsufficientFunds' } : null;
}

/** The most that an order may cost. A held contract of the other side pays a dollar together with it, and a sale of more than is held buys the other side. */
function neededFor(account: Account, sent: OrderRequest): bigint {
  const raises = (sent.outcome === 'yes') === (sent.side === 'buy');
  const held = account.positions.get(sent.symbol) ?? 0n;
  const against = raises ? (held < 0n ? -held : 0n) : held > 0n ? held : 0n;
  const opens = sent.quantity > against ? sent.quantity - against : 0n;
  const price = sent.side === 'buy' ? sent.price : DOLLAR - sent.price;
  return opens === 0n ? 0n : (opens * price) / DOLLAR + feeOf(sent.price, sent.quantity) / DOLLAR / DOLLAR;
}

/** @returns 1e-18 dollars, not rounded */
function feeOf(price: bigint, count: bigint): bigint {
  return (RATE * count * price * (DOLLAR - price)) / 100n;
}

/** The fee of the whole order is rounded up to a cent, and each trade carries its part. */
function match(contract: Contract, account: Account, order: Order, now: Date, ids: Ids, most: bigint): void {
  const raises = (order.outcome === 'yes') === (order.side === 'buy');
  const side = raises ? 'asks' : 'bids';
  const mirrored = order.outcome === 'no';
  const { taken, rest } = takeLevels(contract[side], {
    buys: order.side === 'buy',
    limit: order.price,
    count: most,
    mirrored,
  });
  contract[side] = rest;
  let fees = 0n;
  let charged = 0n;
  for (const { price, count } of taken) {
    fees += feeOf(price, count);
    const fee = ceil(fees, CENT * DOLLAR * DOLLAR) * CENT - charged;
    charged += fee;
    order.filled += count;
    order.paid += price * count;
    account.trades.push({
      id: ids.next(),
      orderId: order.orderId,
      symbol: order.symbol,
      side: order.side,
      price,
      count,
      fee,
      at: now,
    });
    contract.lastPrice = mirrored ? DOLLAR - price : price;
    book(account, order, raises ? count : -count, price, fee);
  }
}

/** A contract of YES and one of NO pay a dollar together at once. */
function book(account: Account, order: Order, change: bigint, price: bigint, fee: bigint): void {
  const before = account.positions.get(order.symbol) ?? 0n;
  const after = before + change;
  const size = (value: bigint) => (value < 0n ? -value : value);
  const pairs = before < 0n === change < 0n ? 0n : size(before) < size(change) ? size(before) : size(change);
  // selling one side is buying the other at the complement
  const bought = order.side === 'buy' ? price : DOLLAR - price;
  account.cash += pairs - ceil(size(change) * bought, DOLLAR) - fee;
  if (after === 0n) {
    account.positions.delete(order.symbol);
  } else {
    account.positions.set(order.symbol, after);
  }
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

/** Pays the worth of a settled contract. */
export function settle(state: ExchangeState, contract: Contract, winner: 'yes' | 'no', at: Date): void {
  for (const account of state.accounts.values()) {
    const position = account.positions.get(contract.symbol);
    if (position !== undefined) {
      const won = winner === 'yes' ? position : -position;
      account.cash += won > 0n ? won : 0n;
      account.positions.delete(contract.symbol);
      account.settled.push({ symbol: contract.symbol, position, winner, at });
    }
  }
}
