/** An order: its row, and how it reads on the wire (specification "Order" and the state mapping). */
import type { Action, Side } from '../../core/terms.ts';
import { nothingBooked, nothingSold, operatorExitMoney, operatorMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE, MINOR_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import type { Fill, OrderDetail, Intent as WireIntent } from '../../wire/order.ts';
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

/** Specification "settlementState and transmissionState mapping". */
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

/** The block of a buy; null on a sell. Unresolved, rejected and cancelled orders read as nothing booked (rulings 11). */
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

/** The block of a sell; null on a buy. */
export function orderExitMoneyBlock(order: OrderMoney) {
  if (order.action === 'buy') {
    return null;
  }
  if (settlementState(order) === 'pending') {
    return nothingSold(false);
  }
  return operatorExitMoney({
    notionalMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
    venueFeeKnown: order.venueFeeKnown,
  });
}

export function renderOrder(
  order: OrderRow,
  options: { replay?: boolean; intent?: boolean; fills?: readonly FillRow[] } = {},
): OrderDetail {
  const filled = order.filledQuantity > 0n;
  return {
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    executionRef: order.executionRef,
    status: order.status,
    contractId: order.contractId,
    side: order.side,
    action: order.action,
    filledQuantity: jsonNumber(order.filledQuantity, MICRO_SCALE),
    averagePrice: filled
      ? jsonNumber(averagePrice(BigInt(order.priceWeight), order.filledQuantity), MICRO_SCALE)
      : null,
    platformFee: jsonNumber(order.quotedFeeMinor, MINOR_SCALE),
    platformFeeBps: order.feeBps,
    notional: jsonNumber(order.tradeMinor, MINOR_SCALE),
    stake: order.action === 'buy' ? jsonNumber(order.authorizationMinor, MINOR_SCALE) : null,
    rejectReason: order.rejectReason ?? serviceReason(order),
    simulated: order.simulated,
    createdAt: order.createdAt.toISOString(),
    idempotentReplay: options.replay ?? false,
    routing: { reason: order.routingReason, consideredVenues: order.consideredVenues },
    settlementState: settlementState(order),
    transmissionState: order.transmissionState,
    operatorMoney: orderMoneyBlock(order),
    operatorExitMoney: orderExitMoneyBlock(order),
    ...(options.intent ? { intent: renderIntent(order) } : {}),
    ...(options.fills ? { fills: options.fills.map(renderFill) } : {}),
  };
}

/** What an operator's own cancel is recorded with. */
export const OPERATOR_REQUEST = 'operator_request';

/** Why the service withdrew the order; null if its operator cancelled it. */
function serviceReason({ cancelReason }: OrderRow): string | null {
  return cancelReason === OPERATOR_REQUEST ? null : cancelReason;
}

/** Rulings 6: every key is there, null until it applies. */
function renderIntent(order: OrderRow): WireIntent {
  const withdrawn = order.cancellationId !== null;
  return {
    recordedAt: order.createdAt.toISOString(),
    reserveConfirmedAt: order.reserveConfirmedAt?.toISOString() ?? null,
    reserveReference: order.reserveReference,
    cancellationId: order.cancellationId,
    releaseAmount: withdrawn ? (orderMoneyBlock(order)?.releaseAmount ?? '0.00') : null,
    cancelledAt: order.cancelledAt?.toISOString() ?? null,
    reason: order.cancelReason,
  };
}

function renderFill(fill: FillRow): Fill {
  return {
    fillId: fill.fillId,
    quantity: jsonNumber(fill.quantity, MICRO_SCALE),
    price: jsonNumber(fill.priceMicros, MICRO_SCALE),
    filledAt: fill.filledAt.toISOString(),
  };
}
