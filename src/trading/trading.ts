/** Everything that a process can do with quotes and orders, with one batcher for each money statement. */
import type { Environment } from '../core/environment.ts';
import { refuse } from '../core/errors.ts';
import type { Clock } from '../core/time.ts';
import { canTrade } from '../core/venue-settings.ts';
import type { Sql } from '../db/client.ts';
import type { Board } from '../markets/board/board.ts';
import { type Operator, sendsAtOnce } from '../operators/operator.ts';
import type { RelayWaker } from '../webhooks/relay.ts';
import type { Cancellation } from '../wire/order.ts';
import { type AwaitVenue, createAnswerNotice, createWake } from './execution/await-answer.ts';
import { cancelOrder, confirmReserve } from './orders/change-order.ts';
import type { OrderRequest } from './orders/decide-order.ts';
import type { OrderRow } from './orders/order.ts';
import { createOrderContextReader, createPlaceOrders, createTransitions, readOrderForUpdate } from './orders/orders.ts';
import { type PlacedOrder, placeOrder } from './orders/place-order.ts';
import { createHoldingVenuesReader } from './positions.ts';
import { createIssueQuotes, createQuoteMemory, issueQuote, type Trader } from './quotes/issue-quote.ts';
import type { Quote, QuoteRequest } from './quotes/price-quote.ts';

export interface Trading {
  issueQuote(trader: Trader, request: QuoteRequest): Promise<Quote>;
  /**
   * Waits for the venue's answer if the order is sent at once.
   * @param onRecorded called before that wait, which takes no capacity from other orders
   * @throws also reconciliation_required with the orderId, if the venue has not answered in time
   */
  placeOrder(trader: Trader, request: OrderRequest, onRecorded?: () => void): Promise<PlacedOrder>;
  confirmReserve(operator: Operator, orderId: string, reserveReference: string | null): Promise<OrderRow>;
  cancelOrder(operator: Operator, orderId: string): Promise<Cancellation>;
}

export interface TradingPorts {
  readonly sql: Sql;
  readonly board: Board;
  readonly clock: Clock;
  readonly environment: Pick<Environment, 'venueSettings'>;
  readonly relay: RelayWaker;
  readonly awaitVenue: AwaitVenue;
}

export function createTrading(ports: TradingPorts): Trading {
  const { sql, environment, relay, awaitVenue } = ports;
  const trades = (venue: string) => canTrade(venue, environment.venueSettings);
  const memory = createQuoteMemory();
  const quoting = {
    ...ports,
    trades,
    memory,
    issue: createIssueQuotes(sql),
    holdingVenues: createHoldingVenuesReader(sql),
  };
  const placing = {
    ...ports,
    trades,
    memory,
    gather: createOrderContextReader(sql),
    place: createPlaceOrders(sql, relay),
  };
  const moving = { sql, transition: createTransitions(sql, createAnswerNotice(sql), relay) };
  const wake = createWake(sql);

  return {
    issueQuote: (trader, request) => issueQuote(quoting, trader, request),
    placeOrder: async (trader, request, onRecorded = () => {}) => {
      const placed = await placeOrder(placing, trader, request);
      const { operator } = trader;
      const goes = placed.order.status === 'pending_venue_execution' && sendsAtOnce(operator);
      if (placed.replay || !goes) {
        return placed;
      }
      onRecorded();
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
