/** What an order is decided on: its quote, the position it would exit, the scenario armed for it, an earlier order of its key. */

import { createBatcher } from '../../core/batcher.ts';
import type { Action, Side } from '../../core/terms.ts';
import { callByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export interface OrderContextRequest {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quoteId: string;
  readonly clientOrderId: string;
  /** Whether it would be filled here and now: such a sell exits a simulated position only. */
  readonly simulates: boolean;
}

/** Columns of the quote are null if this customer has no such quote. */
export interface OrderContext {
  readonly customerSuspended: boolean;
  readonly existingOrderId: string | null;
  readonly quoteId: string | null;
  readonly contractId: string;
  readonly side: Side;
  readonly action: Action;
  readonly priceMicros: bigint;
  readonly feeBps: number;
  readonly authorizationMinor: bigint;
  readonly feeMinor: bigint;
  readonly tradeMinor: bigint;
  readonly quantity: bigint;
  readonly simulated: boolean;
  readonly venue: string;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly positionId: string | null;
  readonly positionQuantity: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly priceWeight: string;
  readonly averagePriceMicros: bigint;
  readonly positionVersion: bigint;
  readonly scenarioId: string | null;
  readonly fillFraction: string | null;
  readonly fillAmountMinor: bigint | null;
}

export type ReadOrderContext = (request: OrderContextRequest) => Promise<OrderContext>;

const MAX_BATCH = 128;
const CONCURRENCY = 2;

/** One round trip for all orders that wait; `order_basis` is one indexed look-up of each part. */
export function createOrderContextReader(sql: Sql): ReadOrderContext {
  return createBatcher<OrderContextRequest, OrderContext>(
    (all) =>
      callByOperator(
        sql,
        all,
        (operatorId, requests) => sql<OrderContext[]>`
          select * from order_basis(
            ${operatorId}, ${requests.map((request) => request.operatorId)}::text[],
            ${requests.map((request) => request.externalUserId)}::text[],
            ${requests.map((request) => request.quoteId)}::text[],
            ${requests.map((request) => request.clientOrderId)}::text[],
            ${requests.map((request) => (request.simulates ? 't' : 'f'))}::text[]::boolean[]) order by number`,
      ),
    { name: 'read for orders', maxBatch: MAX_BATCH, concurrency: CONCURRENCY, retryAlone: true },
  );
}
