/** An order: its row, its state as the operator reads it, and its money blocks (contract chapter 11 and the state mapping). Pure. */
import type { Action, Side } from '../../core/terms.ts';
import { nothingBooked, operatorExitMoney, operatorMoney } from '../../money/blocks.ts';
import type { RoutingReason } from '../quotes/routing.ts';

export type OrderStatus =
  | 'reserve_pending'
  | 'pending_venue_execution'
  | 'submitted'
  | 'partially_filled'
  | 'filled'
  | 'rejected'
  | 'cancelled'
  | 'pending';
export type TransmissionState = 'not_transmitted' | 'unknown' | 'resolved';
export type Intent = 'record_intent' | 'simulate';

/** The money of an order: cents of the parts that a read shows. */
export interface OrderMoney {
  readonly action: Action;
  readonly status: OrderStatus;
  readonly transmissionState: TransmissionState;
  readonly authorizationMinor: bigint;
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly venueFeeKnown: boolean;
}

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

/** Contract 12.16. */
export function settlementState(order: Pick<OrderMoney, 'status' | 'transmissionState'>): 'settled' | 'pending' {
  switch (order.status) {
    case 'filled':
    case 'rejected':
    case 'cancelled':
      return 'settled';
    case 'partially_filled':
      return order.transmissionState === 'resolved' ? 'settled' : 'pending';
    default:
      return 'pending';
  }
}

/** The block of a buy; null on a sell. Unresolved, rejected and cancelled orders read as nothing booked (contract 11.11). */
export function orderMoneyBlock(order: OrderMoney) {
  if (order.action === 'sell') {
    return null;
  }
  if (settlementState(order) === 'pending') {
    return nothingBooked(order.authorizationMinor, false);
  }
  return operatorMoney({
    authorizationMinor: order.authorizationMinor,
    tradeMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
    venueFeeKnown: order.venueFeeKnown,
  });
}

/** The block of a sell: the fills whose venue fee is known (contract 13.12); null on a buy. */
export function orderExitMoneyBlock(order: OrderMoney) {
  if (order.action === 'buy') {
    return null;
  }
  return operatorExitMoney({
    notionalMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
    venueFeeKnown: order.venueFeeKnown,
  });
}

/** What an operator's own cancel is recorded with. */
export const OPERATOR_REQUEST = 'operator_request';
