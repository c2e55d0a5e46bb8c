/**
 * An order: the columns of its row, each once. What is read, what a money statement takes (`ORDER_ROW`) and what the journal says of
 * an order follow from this list; the functions in SQL take rows of it. A new column of `orders` is added to the
 * table, here, and to update_orders.sql if it changes later (docs/ledger.md, "The write path").
 */
import type { Side } from '../../core/terms.ts';
import { rowType } from '../../db/row-type.ts';
import type { OrderMoney } from '../../money/blocks.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export type Intent = 'record_intent' | 'simulate';

/** Every column that is decided here. Amounts are cents, prices micro-dollars, quantities micro-contracts. */
export interface Order extends OrderMoney {
  readonly operatorId: string;
  readonly orderId: string;
  readonly externalUserId: string;
  readonly clientOrderId: string;
  readonly executionRef: string;
  readonly quoteId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly intent: Intent;
  readonly simulated: boolean;
  readonly priceMicros: bigint;
  readonly slippageMicros: bigint;
  readonly feeBps: number;
  readonly quotedFeeMinor: bigint;
  readonly quotedTradeMinor: bigint;
  readonly quotedQuantity: bigint;
  readonly filledQuantity: bigint;
  /** The sum of price times quantity over its fills, as text. */
  readonly priceWeight: string;
  readonly debitMinor: bigint;
  readonly releaseMinor: bigint;
  readonly proceedsMinor: bigint;
  /** What a venue paid for more than a sell could deliver: the service's own. */
  readonly venueGainMinor: bigint;
  /** What counts against the customer's limit of a period. */
  readonly countedStakeMinor: bigint;
  /** The position that a sell exits, or that a buy is in. */
  readonly positionId: string | null;
  readonly scenarioId: string | null;
  readonly rejectReason: string | null;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly venue: string;
  readonly armed: boolean;
  readonly reserveReference: string | null;
  readonly cancellationId: string | null;
  readonly cancelReason: string | null;
  /** Raised by every transition. */
  readonly version: bigint;
  /** Fills of a sell that have left the position. */
  readonly exitedFills: number;
  /** Whether its one fill is part of its row. */
  readonly filledAtOnce: boolean;
}

/** What the money statements give an order. */
interface OrderTimes {
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly reserveConfirmedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly transmittedAt: Date | null;
}

/** A row of `orders` as it is read. */
export interface OrderRow extends Order, OrderTimes {}

/** The row as the money statements take it: every column of the table, in its order. */
export const ORDER_ROW = rowType<Order & Partial<OrderTimes>>({
  operatorId: 'text',
  orderId: 'text',
  externalUserId: 'text',
  clientOrderId: 'text',
  executionRef: 'text',
  quoteId: 'text',
  contractId: 'text',
  side: 'text',
  action: 'text',
  intent: 'text',
  status: 'text',
  transmissionState: 'text',
  simulated: 'boolean',
  priceMicros: 'bigint',
  slippageMicros: 'bigint',
  feeBps: 'integer',
  authorizationMinor: 'bigint',
  quotedFeeMinor: 'bigint',
  quotedTradeMinor: 'bigint',
  quotedQuantity: 'bigint',
  filledQuantity: 'bigint',
  priceWeight: 'numeric',
  tradeMinor: 'bigint',
  platformFeeMinor: 'bigint',
  venueFeeMinor: 'bigint',
  venueFeeKnown: 'boolean',
  debitMinor: 'bigint',
  releaseMinor: 'bigint',
  proceedsMinor: 'bigint',
  venueGainMinor: 'bigint',
  countedStakeMinor: 'bigint',
  positionId: 'text',
  scenarioId: 'text',
  rejectReason: 'text',
  routingReason: 'text',
  consideredVenues: 'integer',
  venue: 'text',
  armed: 'boolean',
  reserveReference: 'text',
  cancellationId: 'text',
  cancelReason: 'text',
  version: 'bigint',
  exitedFills: 'integer',
  filledAtOnce: 'boolean',
  createdAt: 'timestamp with time zone',
  updatedAt: 'timestamp with time zone',
  reserveConfirmedAt: 'timestamp with time zone',
  cancelledAt: 'timestamp with time zone',
  transmittedAt: 'timestamp with time zone',
});

export interface FillRow {
  readonly fillId: string;
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly filledAt: Date;
}

/** What an operator's own cancel is recorded with. */
export const OPERATOR_REQUEST = 'operator_request';
