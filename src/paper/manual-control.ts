/**
 * Manual changes of a contract by a person or a test (control.ts): freeze its book, make it older, resolve it, reopen
 * it.
 */

import type { Level, PaperContract, PaperResolution } from './catalogue/question.ts';
import type { Exchange } from './exchange.ts';
import { feeOf } from './orders/order.ts';
import type { OrderBookService } from './orders/order-book-service.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;

/** Keeps the book of a contract exactly as given until `thaw`. */
export function freeze(exchange: Exchange, id: string, bids: Level[], asks: Level[]): PaperContract | undefined {
  const entry = exchange.find(id);
  if (entry === undefined) {
    return undefined;
  }
  entry.contract.frozen = true;
  exchange.setSides(entry.contract, bids, asks);
  exchange.keep(entry.event);
  return entry.contract;
}

/** Keeps the current book of a contract and reports it as this many seconds old, until it is set again or thawed. */
export function age(exchange: Exchange, id: string, seconds: number): PaperContract | undefined {
  const entry = exchange.find(id);
  if (entry === undefined) {
    return undefined;
  }
  entry.contract.frozen = true;
  const { bids, asks } = entry.contract.book;
  exchange.setSides(entry.contract, bids, asks, exchange.now() - seconds * SECOND);
  exchange.keep(entry.event);
  return entry.contract;
}

export function thaw(exchange: Exchange, id: string): PaperContract | undefined {
  const entry = exchange.find(id);
  if (entry === undefined) {
    return undefined;
  }
  entry.contract.frozen = false;
  exchange.setSides(entry.contract, [], []);
  exchange.refresh(entry.event);
  exchange.keep(entry.event);
  return entry.contract;
}

/** @param yesWorth for a split, what one YES contract pays, in micros */
export function resolve(
  exchange: Exchange,
  id: string,
  outcome: PaperResolution['outcome'],
  yesWorth: number | null,
): PaperContract | undefined {
  return exchange.amend(id, (contract) => {
    contract.status = outcome === 'VOID' ? 'voided' : 'resolved';
    contract.resolution = { outcome, yesWorth, at: exchange.now() };
  });
}

export function reopen(exchange: Exchange, id: string): PaperContract | undefined {
  const reopened = exchange.amend(id, (contract, event) => {
    contract.status = 'open';
    contract.resolution = null;
    if (event.closedAt !== null) {
      event.closedAt = null;
      event.endedAt = null;
      event.closesAt = Math.max(event.closesAt, exchange.now() + HOUR);
    }
  });
  const entry = exchange.find(id);
  if (entry !== undefined) {
    exchange.refresh(entry.event);
  }
  return reopened;
}

/**
 * Sets the fee of a contract, and of its fills that had none.
 * @param feeBps fee on the cost, in hundredths of a percent; null leaves the fee of later fills open
 */
export function setFee(
  orderBook: OrderBookService,
  listingId: string,
  feeBps: number | null,
): PaperContract | undefined {
  const contract = orderBook.exchange.amend(listingId, (one) => {
    one.feeBps = feeBps;
  });
  if (contract !== undefined && feeBps !== null) {
    for (const order of orderBook.orders.values()) {
      const open = order.listingId === listingId && order.fills.some((fill) => fill.fee === null);
      if (open) {
        for (const fill of order.fills) {
          fill.fee ??= feeOf(fill.quantity, fill.price, feeBps);
        }
        orderBook.record(order);
      }
    }
  }
  return contract;
}

/** Look-ups of silent orders are answered from now on. @returns how many there were */
export function speak(orderBook: OrderBookService): number {
  let count = 0;
  for (const order of orderBook.orders.values()) {
    if (order.lookup === 'silent') {
      order.lookup = 'open';
      orderBook.record(order);
      count += 1;
    }
  }
  return count;
}
