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
  readonly transmission_state: TransmissionState;
  readonly authorization_minor: bigint;
  readonly trade_minor: bigint;
  readonly platform_fee_minor: bigint;
  readonly venue_fee_minor: bigint;
  readonly venue_fee_known: boolean;
}

/** A row of `orders` as it is read. */
export interface OrderRow extends OrderMoney {
  readonly operator_id: string;
  readonly order_id: string;
  readonly external_user_id: string;
  readonly client_order_id: string;
  readonly execution_ref: string;
  readonly quote_id: string;
  readonly contract_id: string;
  readonly side: Side;
  readonly intent: Intent;
  readonly simulated: boolean;
  readonly price_micros: bigint;
  readonly fee_bps: number;
  readonly quoted_fee_minor: bigint;
  readonly quoted_trade_minor: bigint;
  readonly quoted_quantity: bigint;
  readonly filled_quantity: bigint;
  readonly price_weight: string;
  readonly release_minor: bigint;
  readonly debit_minor: bigint;
  readonly proceeds_minor: bigint;
  readonly position_id: string | null;
  readonly reject_reason: string | null;
  readonly cancel_reason: string | null;
  readonly routing_reason: RoutingReason;
  readonly considered_venues: number;
  readonly reserve_reference: string | null;
  readonly reserve_confirmed_at: Date | null;
  readonly cancellation_id: string | null;
  readonly cancelled_at: Date | null;
  readonly created_at: Date;
}

export interface FillRow {
  readonly fill_id: string;
  readonly quantity: bigint;
  readonly price_micros: bigint;
  readonly filled_at: Date;
}

/** Specification "settlementState and transmissionState mapping". */
export function settlementState(order: Pick<OrderMoney, 'status' | 'transmission_state'>): 'settled' | 'pending' {
  switch (order.status) {
    case 'filled':
    case 'rejected':
    case 'cancelled':
      return 'settled';
    case 'partially_filled':
      return order.transmission_state === 'resolved' ? 'settled' : 'pending';
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
    return nothingBooked(order.authorization_minor, false);
  }
  return operatorMoney({
    authorizationMinor: order.authorization_minor,
    tradeMinor: order.trade_minor,
    platformFeeMinor: order.platform_fee_minor,
    venueFeeMinor: order.venue_fee_minor,
    venueFeeKnown: order.venue_fee_known,
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
    notionalMinor: order.trade_minor,
    platformFeeMinor: order.platform_fee_minor,
    venueFeeMinor: order.venue_fee_minor,
    venueFeeKnown: order.venue_fee_known,
  });
}

export function renderOrder(
  order: OrderRow,
  options: { replay?: boolean; intent?: boolean; fills?: readonly FillRow[] } = {},
): OrderDetail {
  const filled = order.filled_quantity > 0n;
  return {
    orderId: order.order_id,
    clientOrderId: order.client_order_id,
    executionRef: order.execution_ref,
    status: order.status,
    contractId: order.contract_id,
    side: order.side,
    action: order.action,
    filledQuantity: jsonNumber(order.filled_quantity, MICRO_SCALE),
    averagePrice: filled
      ? jsonNumber(averagePrice(BigInt(order.price_weight), order.filled_quantity), MICRO_SCALE)
      : null,
    platformFee: jsonNumber(order.quoted_fee_minor, MINOR_SCALE),
    platformFeeBps: order.fee_bps,
    notional: jsonNumber(order.trade_minor, MINOR_SCALE),
    stake: order.action === 'buy' ? jsonNumber(order.authorization_minor, MINOR_SCALE) : null,
    rejectReason: order.reject_reason ?? serviceReason(order),
    simulated: order.simulated,
    createdAt: order.created_at.toISOString(),
    idempotentReplay: options.replay ?? false,
    routing: { reason: order.routing_reason, consideredVenues: order.considered_venues },
    settlementState: settlementState(order),
    transmissionState: order.transmission_state,
    operatorMoney: orderMoneyBlock(order),
    operatorExitMoney: orderExitMoneyBlock(order),
    ...(options.intent ? { intent: renderIntent(order) } : {}),
    ...(options.fills ? { fills: options.fills.map(renderFill) } : {}),
  };
}

/** What an operator's own cancel is recorded with. */
export const OPERATOR_REQUEST = 'operator_request';

/** Why the service withdrew the order; null if its operator cancelled it. */
function serviceReason({ cancel_reason }: OrderRow): string | null {
  return cancel_reason === OPERATOR_REQUEST ? null : cancel_reason;
}

/** Rulings 6: every key is there, null until it applies. */
function renderIntent(order: OrderRow): WireIntent {
  const withdrawn = order.cancellation_id !== null;
  return {
    recordedAt: order.created_at.toISOString(),
    reserveConfirmedAt: order.reserve_confirmed_at?.toISOString() ?? null,
    reserveReference: order.reserve_reference,
    cancellationId: order.cancellation_id,
    releaseAmount: withdrawn ? (orderMoneyBlock(order)?.releaseAmount ?? '0.00') : null,
    cancelledAt: order.cancelled_at?.toISOString() ?? null,
    reason: order.cancel_reason,
  };
}

function renderFill(fill: FillRow): Fill {
  return {
    fillId: fill.fill_id,
    quantity: jsonNumber(fill.quantity, MICRO_SCALE),
    price: jsonNumber(fill.price_micros, MICRO_SCALE),
    filledAt: fill.filled_at.toISOString(),
  };
}
