/** Webhook events of an order (specification "Webhooks"): pure builders of facts. Its feed items are in order-items.ts. */
import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { operatorExitMoney, operatorMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import { formatMinor } from '../../money/usd.ts';
import { orderMoneyBlock } from '../orders/order.ts';
import type { FillState, OrderState } from './order-items.ts';

function emitted(type: string, dedupeKey: string, data: object): Fact {
  return {
    type: 'webhook.emitted',
    itemId: newId('evn'),
    money: null,
    detail: { eventType: type, dedupeKey },
    event: data,
  };
}

const names = (order: OrderState) => ({
  orderId: order.order_id,
  executionRef: order.execution_ref,
  clientOrderId: order.client_order_id,
  externalUserId: order.external_user_id,
});

/** The money of the fills recorded, cumulative, also while a read still shows 0.00 (rulings 8). */
function recordedMoney(order: OrderState) {
  return order.action === 'buy'
    ? operatorMoney({
        authorizationMinor: order.authorization_minor,
        tradeMinor: order.trade_minor,
        platformFeeMinor: order.platform_fee_minor,
        venueFeeMinor: order.venue_fee_minor,
        venueFeeKnown: order.venue_fee_known,
      })
    : null;
}

function recordedExitMoney(order: OrderState) {
  return order.action === 'sell'
    ? operatorExitMoney({
        notionalMinor: order.trade_minor,
        platformFeeMinor: order.platform_fee_minor,
        venueFeeMinor: order.venue_fee_minor,
        venueFeeKnown: order.venue_fee_known,
      })
    : null;
}

const average = (order: OrderState) =>
  order.filled_quantity === 0n
    ? null
    : jsonNumber(averagePrice(order.price_weight, order.filled_quantity), MICRO_SCALE);

export function intentRecordedEvent(order: OrderState): Fact {
  return emitted('order.intent_recorded', `order.intent_recorded:${order.order_id}`, {
    ...names(order),
    authorizationAmount: formatMinor(order.authorization_minor),
    currency: 'USD',
    transmitted: false,
  });
}

/** Money of one fill, cents: the difference of two cumulatives. */
export interface FillMoney {
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

/** @param partial whether the order ends or stands with less than was asked. */
export function filledEvent(order: OrderState, fill: FillState, fillMoney: FillMoney, partial: boolean): Fact {
  const { tradeMinor, platformFeeMinor, venueFeeMinor } = fillMoney;
  const buys = order.action === 'buy';
  return emitted('order.filled', `order.filled:${order.order_id}:${fill.fillId}`, {
    ...names(order),
    fillId: fill.fillId,
    contractId: order.contract_id,
    side: order.side,
    action: order.action,
    fillQuantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
    fillPrice: jsonNumber(fill.priceMicros, MICRO_SCALE),
    filledQuantity: jsonNumber(order.filled_quantity, MICRO_SCALE),
    averagePrice: average(order),
    status: order.status,
    transmissionState: order.transmission_state,
    operatorMoney: recordedMoney(order),
    operatorExitMoney: recordedExitMoney(order),
    simulated: order.simulated,
    fillSequence: fill.fillNo,
    partial,
    final: order.transmission_state === 'resolved',
    fillMoney: {
      currency: 'USD',
      tradeAmount: formatMinor(tradeMinor),
      platformFee: formatMinor(platformFeeMinor),
      venueFee: formatMinor(venueFeeMinor),
      venueFeeKnown: order.venue_fee_known,
      actualDebit: buys ? formatMinor(tradeMinor + platformFeeMinor + venueFeeMinor) : null,
      sellProceeds: buys ? null : formatMinor(tradeMinor - platformFeeMinor - venueFeeMinor),
    },
  });
}

export function completedEvent(
  order: OrderState,
  outcome: 'complete' | 'closed_partial' | 'closed_unfilled',
  fillCount: number,
): Fact {
  const money = recordedMoney(order);
  return emitted('order.completed', `order.completed:${order.order_id}`, {
    ...names(order),
    contractId: order.contract_id,
    side: order.side,
    action: order.action,
    status: order.status,
    outcome,
    filledQuantity: jsonNumber(order.filled_quantity, MICRO_SCALE),
    averagePrice: average(order),
    fillCount,
    transmissionState: order.transmission_state,
    final: true,
    partial: outcome === 'closed_partial',
    operatorMoney: money,
    operatorExitMoney: recordedExitMoney(order),
    releaseAmount: money?.releaseAmount ?? '0.00',
    currency: 'USD',
    simulated: order.simulated,
  });
}

export function rejectedEvent(order: OrderState, reason: string): Fact {
  return emitted('order.rejected', `order.rejected:${order.order_id}`, {
    ...names(order),
    reason,
    operatorMoney: orderMoneyBlock(order),
  });
}

export function cancelledEvent(order: OrderState, cancellationId: string, reason: string): Fact {
  return emitted('order.cancelled', `order.cancelled:${order.order_id}`, {
    orderId: order.order_id,
    executionRef: order.execution_ref,
    externalUserId: order.external_user_id,
    cancellationId,
    currency: 'USD',
    authorizationAmount: formatMinor(order.authorization_minor),
    actualDebit: '0.00',
    releaseAmount: formatMinor(order.authorization_minor),
    reason,
    transmitted: false,
  });
}
