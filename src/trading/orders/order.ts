/** An order and its fills: their rows as they are read. */
import type { Side } from '../../core/terms.ts';
import type { OrderMoney } from '../../money/order-money.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export type Intent = 'record_intent' | 'simulate';

/** A row of `orders` as it is read. */
export interface OrderRow extends OrderMoney {
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
  readonly feeBps: number;
  readonly quotedFeeMinor: bigint;
  readonly quotedTradeMinor: bigint;
  readonly quotedQuantity: bigint;
  readonly filledQuantity: bigint;
  readonly priceWeight: string;
  readonly releaseMinor: bigint;
  readonly debitMinor: bigint;
  readonly proceedsMinor: bigint;
  readonly positionId: string | null;
  readonly rejectReason: string | null;
  readonly cancelReason: string | null;
  readonly routingReason: RoutingReason;
  readonly consideredVenues: number;
  readonly reserveReference: string | null;
  readonly reserveConfirmedAt: Date | null;
  readonly cancellationId: string | null;
  readonly cancelledAt: Date | null;
  readonly createdAt: Date;
}

export interface FillRow {
  readonly fillId: string;
  readonly quantity: bigint;
  readonly priceMicros: bigint;
  readonly filledAt: Date;
}

/** What an operator's own cancel is recorded with. */
export const OPERATOR_REQUEST = 'operator_request';
