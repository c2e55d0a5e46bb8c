/**
 * Changes of a contract that a tester makes by hand: its book is frozen, made older or thawed, its result is set or withdrawn, its fee is
 * set. Each returns undefined if the contract does not exist.
 */
import type { Level, PaperContract, PaperResolution } from './catalogue/event.ts';
import type { Exchange } from './market/exchange.ts';
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

/**
 * Freezes the current book of a contract and reports it as this many seconds old, until the book is set again or
 * thawed.
 */
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

/** Makes the book follow the price again. */
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

/** @param yesWorth the payout of one YES contract in a split, in millionths of a dollar; null otherwise */
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

/** Withdraws a result. An event that has closed stays open for another hour at least. */
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
 * Sets the fee of a contract, and of its fills whose fee was not known.
 *
 * @param feeBps fee on the cost, in hundredths of a percent; null means that the fee of later fills is not known
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

/**
 * Lets the venue respond to look-ups of silent orders from now on.
 * @returns how many there were
 */
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
