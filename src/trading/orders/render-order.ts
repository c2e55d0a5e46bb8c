/** An order as it reads on the wire (contract chapter 11), with its intent and its fills. Pure. */

import { orderExitMoneyBlock, orderMoneyBlock, settlementState } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE, MINOR_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import type { Fill, OrderDetail, Intent as WireIntent } from '../../wire/order.ts';
import type { FillRow, OrderRow } from './order.ts';

export function renderOrder(
  order: OrderRow,
  options: { replay?: boolean; intent?: boolean; fills?: readonly FillRow[] } = {},
): OrderDetail {
  const filled = order.filledQuantity > 0n;
  return {
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    externalUserId: order.externalUserId,
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
    rejectReason: order.rejectReason,
    cancelReason: cancelReason(order),
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

/** A cancelled order without a reason of ours was closed by the venue (contract 11.6). */
function cancelReason(order: OrderRow): string | null {
  return order.status === 'cancelled' ? (order.cancelReason ?? 'closed_unfilled') : null;
}

/** Contract 11.9: every key is there, null until it applies. */
function renderIntent(order: OrderRow): WireIntent {
  const withdrawn = order.cancellationId !== null;
  return {
    recordedAt: order.createdAt.toISOString(),
    reserveConfirmedAt: order.reserveConfirmedAt?.toISOString() ?? null,
    reserveReference: order.reserveReference,
    cancellationId: order.cancellationId,
    releaseAmount: withdrawn ? (orderMoneyBlock(order)?.releaseAmount ?? '0.00') : null,
    cancelledAt: order.cancelledAt?.toISOString() ?? null,
    reason: cancelReason(order),
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
