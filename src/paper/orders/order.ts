/** An order at the paper venue and what it takes from a book. Pure; integers throughout, costs as bigint. */

import type { Side } from '../../core/terms.ts';
import type { Level, PaperBook } from '../catalogue/question.ts';
import { DOLLAR } from '../micros.ts';

export interface PaperFill {
  fillId: string;
  quantity: number;
  /** Of the traded side. */
  price: number;
  /** Millionths of a dollar; null until the fee is known. */
  fee: number | null;
  at: number;
}

export interface OrderRequest {
  ourId: string;
  listingId: string;
  side: Side;
  action: 'BUY' | 'SELL';
  quantity: number;
  limitPrice: number;
  maxCost: number | null;
  expiresAt: number;
}

export interface PaperOrder extends OrderRequest {
  orderId: string;
  state: 'working' | 'closed' | 'rejected';
  reason: string | null;
  fills: PaperFill[];
  receivedAt: number;
  /** How often an order with this id arrived; above 1 means that it was sent twice. */
  arrivals: number;
  /** What its script did, for the record. */
  script: string | null;
  /** Rises each time it is recorded. */
  revision: number;
  /** Look-ups are not answered, or answered "not found". */
  lookup: 'open' | 'silent' | 'forgotten';
}

const BPS = 10_000;

export interface Taken {
  readonly quantity: number;
  readonly price: number;
  /** Index of the level in the book side it came from, -1 for none. */
  readonly level: number;
}

/** The side of the YES book that an order takes from, with prices of the traded side, best first. */
export function opposite(book: PaperBook, order: Pick<OrderRequest, 'side' | 'action'>): Level[] {
  const takesAsks = (order.side === 'YES') === (order.action === 'BUY');
  const levels = takesAsks ? book.asks : book.bids;
  return order.side === 'YES' ? levels : levels.map(({ price, quantity }) => ({ price: DOLLAR - price, quantity }));
}

/**
 * Takes levels within limit, quantity and cost bound; one item for each level.
 * @param beyond whether to fill what the book lacks at the limit price, for scripted fills
 */
export function take(
  order: OrderRequest,
  levels: readonly Level[],
  quantity: number,
  step: number,
  feeBps: number | null,
  beyond: boolean,
): Taken[] {
  const taken: Taken[] = [];
  let left = quantity;
  let money = order.action === 'BUY' ? order.maxCost : null;
  const accept = (offered: number, price: number, level: number) => {
    let amount = Math.min(left, offered);
    amount -= amount % step;
    if (money !== null) {
      amount = Math.min(amount, affordable(money, price, feeBps ?? 0, step));
    }
    if (amount > 0) {
      taken.push({ quantity: amount, price, level });
      left -= amount;
      if (money !== null) {
        money -= Number(costOf(amount, price)) + feeOf(amount, price, feeBps ?? 0);
      }
    }
  };
  for (const [index, level] of levels.entries()) {
    const good = order.action === 'BUY' ? level.price <= order.limitPrice : level.price >= order.limitPrice;
    if (!good || left <= 0) {
      break;
    }
    accept(level.quantity, level.price, index);
  }
  if (beyond && left > 0) {
    accept(left, order.limitPrice, -1);
  }
  return taken;
}

/** The largest quantity whose cost and fee, each rounded up, are within `money`. */
function affordable(money: number, price: number, feeBps: number, step: number): number {
  if (price === 0) {
    return Number.MAX_SAFE_INTEGER;
  }
  const most = (BigInt(money) * BigInt(DOLLAR) * BigInt(BPS)) / (BigInt(price) * BigInt(BPS + feeBps));
  let amount = Number(most - (most % BigInt(step)));
  while (amount > 0 && Number(costOf(amount, price)) + feeOf(amount, price, feeBps) > money) {
    amount -= step;
  }
  return Math.max(0, amount);
}

/** Millionths of a dollar, rounded up. */
function costOf(quantity: number, price: number): bigint {
  const product = BigInt(quantity) * BigInt(price);
  return (product + BigInt(DOLLAR) - 1n) / BigInt(DOLLAR);
}

/** Millionths of a dollar, rounded up. */
export function feeOf(quantity: number, price: number, feeBps: number): number {
  const product = BigInt(quantity) * BigInt(price) * BigInt(feeBps);
  const unit = BigInt(DOLLAR) * BigInt(BPS);
  return Number((product + unit - 1n) / unit);
}
