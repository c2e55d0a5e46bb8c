/** Puts the trading room together: one batcher for each money statement of this process. */
import type { Clock } from '../core/clock.ts';
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import type { Board } from '../markets/board.ts';
import type { Operator } from '../operators/operator.ts';
import type { Cancellation } from '../wire/order.ts';
import { hasAnswer, openAwaitVenue } from './await-venue.ts';
import { confirmReserve } from './confirm-reserve.ts';
import type { OrderRequest } from './decide-order.ts';
import { issueQuote, type Trader } from './issue-quote.ts';
import type { OrderRow } from './order.ts';
import { openOrderBasis } from './order-basis.ts';
import { openMoves, readMovable } from './order-move.ts';
import { openOrders } from './orders.ts';
import { placeOrder } from './place-order.ts';
import { openHoldingVenues } from './positions.ts';
import type { QuoteRequest } from './price-quote.ts';
import type { Quote } from './quote.ts';
import { openQuoteMemory } from './quote-memory.ts';
import { openQuotes } from './quotes.ts';
import type { PlacedOrder } from './replay-order.ts';
import { openWake } from './wake.ts';
import { cancelOrder } from './withdraw-order.ts';

export interface Trading {
  issueQuote(trader: Trader, request: QuoteRequest): Promise<Quote>;
  /** Waits for the venue where both gates are open. @throws also reconciliation_required, with the orderId. */
  placeOrder(trader: Trader, request: OrderRequest): Promise<PlacedOrder>;
  confirmReserve(operator: Operator, orderId: string, reserveReference: string | null): Promise<OrderRow>;
  cancelOrder(operator: Operator, orderId: string): Promise<Cancellation>;
}

export function openTrading(ports: { sql: Sql; board: Board; clock: Clock }): Trading {
  const { sql } = ports;
  const memory = openQuoteMemory();
  const quoting = { ...ports, memory, issue: openQuotes(sql), holdingVenues: openHoldingVenues(sql) };
  const placing = { ...ports, memory, gather: openOrderBasis(sql), place: openOrders(sql) };
  const moving = { sql, move: openMoves(sql) };
  const awaitVenue = openAwaitVenue(sql);
  const wake = openWake(sql, 'transmit');

  return {
    issueQuote: (trader, request) => issueQuote(quoting, trader, request),
    placeOrder: async (trader, request) => {
      const placed = await placeOrder(placing, trader, request);
      const { operator } = trader;
      const goes =
        placed.order.status === 'pending_venue_execution' &&
        operator.executionConfirmed &&
        operator.arming === 'automatic';
      if (placed.replay || !goes) {
        return placed;
      }
      wake();
      const { operator_id: operatorId, order_id: orderId } = placed.order;
      const progress = await awaitVenue(operatorId, orderId);
      if (progress !== null && !hasAnswer(progress) && progress.status === 'submitted') {
        throw refuse('reconciliation_required', undefined, { orderId });
      }
      return { ...placed, order: (await readMovable(sql, operatorId, orderId)) ?? placed.order };
    },
    confirmReserve: async (operator, orderId, reserveReference) => {
      const order = await confirmReserve(moving, operator, orderId, reserveReference);
      wake();
      return order;
    },
    cancelOrder: (operator, orderId) => cancelOrder(moving, operator, orderId),
  };
}
