/** Puts the trading room together: one batcher for each money statement of this process. */

import type { Deadline } from '../core/batching/deadline.ts';
import type { Clock } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import { type Refusal, refuse } from '../core/errors.ts';
import { canTrade } from '../core/venue-settings.ts';
import type { Sql } from '../db/client.ts';
import type { Board } from '../markets/board/board.ts';
import type { Operator } from '../operators/operator.ts';
import type { RelayWaker } from '../webhooks/relay.ts';
import type { Cancellation } from '../wire/order.ts';
import { sendsAtOnce } from './execution/may-send.ts';
import { createVenueWait, createWake } from './orders/await-venue.ts';
import { confirmReserve } from './orders/confirm-reserve.ts';
import type { OrderRequest } from './orders/decide-order.ts';
import type { OrderRow } from './orders/order.ts';
import { createOrderContextReader } from './orders/order-context.ts';
import { createPlaceOrders } from './orders/orders.ts';
import { type PlacedOrder, placeOrder } from './orders/place-order.ts';
import { createTransitions, readOrderForUpdate } from './orders/transition-orders.ts';
import { cancelOrder } from './orders/withdraw-order.ts';
import { createHoldingVenuesReader } from './positions/positions.ts';
import { issueQuote } from './quotes/issue-quote.ts';
import type { QuoteRequest } from './quotes/price-quote.ts';
import type { Quote } from './quotes/quote.ts';
import { createQuoteMemory } from './quotes/quote-memory.ts';
import { createIssueQuotes } from './quotes/quotes.ts';
import type { Trader } from './trader.ts';

/** What waits for one money statement of this process. */
export type TradingQueue = 'quotes' | 'orders';

export interface Trading {
  /** Keeps a turn for a request with a key of this holder. @returns what it is refused with, if its turn would come too late */
  keepTurn(queue: TradingQueue, holderId: string, deadline: Deadline): Refusal | undefined;
  /** Whether more commands wait than one statement takes. Only then a request is refused for its turn. */
  isCrowded(queue: TradingQueue): boolean;
  /** Takes no turn. @returns the `Retry-After` that a request with a key of this holder is refused with now, if its turn would come too late */
  retryAfter(queue: TradingQueue, holderId: string, deadline: Deadline): number | undefined;
  /** The request has ended: a turn that it did not need is free again. */
  giveUpTurn(queue: TradingQueue, deadline: Deadline): void;
  issueQuote(trader: Trader, request: QuoteRequest): Promise<Quote>;
  /** Waits for the venue where both gates are open. @throws also reconciliation_required, with the orderId. */
  placeOrder(trader: Trader, request: OrderRequest): Promise<PlacedOrder>;
  confirmReserve(operator: Operator, orderId: string, reserveReference: string | null): Promise<OrderRow>;
  cancelOrder(operator: Operator, orderId: string): Promise<Cancellation>;
}

export interface TradingPorts {
  readonly sql: Sql;
  readonly board: Board;
  readonly clock: Clock;
  readonly environment: Pick<Environment, 'venueSettings'>;
  readonly relay: RelayWaker;
}

export function createTrading(ports: TradingPorts): Trading {
  const { sql, environment, relay } = ports;
  const trades = (venue: string) => canTrade(venue, environment.venueSettings);
  const memory = createQuoteMemory();
  const queues = { quotes: createIssueQuotes(sql), orders: createPlaceOrders(sql) };
  const quoting = {
    ...ports,
    trades,
    memory,
    issue: queues.quotes,
    holdingVenues: createHoldingVenuesReader(sql),
  };
  const placing = { ...ports, trades, memory, gather: createOrderContextReader(sql), place: queues.orders };
  const moving = { sql, relay, transition: createTransitions(sql) };
  const awaitVenue = createVenueWait(sql);
  const wake = createWake(sql);

  return {
    keepTurn: (queue, holderId, deadline) => queues[queue].keepTurn(holderId, deadline),
    isCrowded: (queue) => queues[queue].isCrowded(),
    retryAfter: (queue, holderId, deadline) => queues[queue].retryAfter(holderId, deadline),
    giveUpTurn: (queue, deadline) => queues[queue].giveUpTurn(deadline),
    issueQuote: (trader, request) => issueQuote(quoting, trader, request),
    placeOrder: async (trader, request) => {
      const placed = await placeOrder(placing, trader, request);
      const { operator } = trader;
      const goes = placed.order.status === 'pending_venue_execution' && sendsAtOnce(operator);
      if (placed.replay || !goes) {
        return placed;
      }
      wake();
      const { operatorId, orderId } = placed.order;
      const waited = await awaitVenue(operatorId, orderId);
      if (waited?.answered === false && waited.status === 'submitted') {
        throw refuse('reconciliation_required', undefined, { orderId });
      }
      const order = waited ?? (await readOrderForUpdate(sql, operatorId, orderId)) ?? placed.order;
      return { ...placed, order };
    },
    confirmReserve: async (operator, orderId, reserveReference) => {
      const order = await confirmReserve(moving, operator, orderId, reserveReference);
      wake();
      return order;
    },
    cancelOrder: (operator, orderId) => cancelOrder(moving, operator, orderId),
  };
}
