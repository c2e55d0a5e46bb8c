/** Puts the trading room together: one batcher for each money statement of this process. */
import type { Clock } from '../core/clock.ts';
import type { Sql } from '../db/client.ts';
import type { Board } from '../markets/board.ts';
import type { OrderRequest } from './decide-order.ts';
import { issueQuote, type Trader } from './issue-quote.ts';
import { openOrderBasis } from './order-basis.ts';
import { openOrders } from './orders.ts';
import { type PlacedOrder, placeOrder } from './place-order.ts';
import { openHoldingVenues } from './positions.ts';
import type { QuoteRequest } from './price-quote.ts';
import type { Quote } from './quote.ts';
import { openQuotes } from './quotes.ts';

export interface Trading {
  issueQuote(trader: Trader, request: QuoteRequest): Promise<Quote>;
  placeOrder(trader: Trader, request: OrderRequest): Promise<PlacedOrder>;
}

export function openTrading(ports: { sql: Sql; board: Board; clock: Clock }): Trading {
  const quoting = { ...ports, issue: openQuotes(ports.sql), holdingVenues: openHoldingVenues(ports.sql) };
  const placing = { ...ports, gather: openOrderBasis(ports.sql), place: openOrders(ports.sql) };
  return {
    issueQuote: (trader, request) => issueQuote(quoting, trader, request),
    placeOrder: (trader, request) => placeOrder(placing, trader, request),
  };
}
