/** An order as the facts of an event report it, and what all events share: its state item, its fees, and the frame of a webhook. Pure. */
import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import type { Side } from '../../core/terms.ts';
import { operatorExitMoney, operatorMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import { formatMinor } from '../../money/usd.ts';
import { type OrderMoney, type OrderStatus, orderMoneyBlock, settlementState } from '../orders/order.ts';
import { assertTransition } from '../orders/order-transitions.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';

/** The names of an order, and its state and money after the change. */
export interface OrderState extends OrderMoney {
  readonly orderId: string;
  readonly executionRef: string;
  readonly clientOrderId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly simulated: boolean;
  readonly feeBps: number;
  readonly filledQuantity: bigint;
  readonly priceWeight: bigint;
}

export interface FillState {
  readonly fillId: string;
  readonly fillNo: number;
  /** Whether the venue's fee on it is known. */
  readonly feeKnown: boolean;
  readonly quantityMicros: bigint;
  readonly priceMicros: bigint;
}

/** Money of one fill, cents: the difference of two cumulatives. */
export interface FillMoney {
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly venueFeeMinor: bigint;
}

/** A recorded order with what a transition changes. */
export function stateOf(order: OrderForUpdate, changes: Partial<OrderState> = {}): OrderState {
  return { ...order, priceWeight: BigInt(order.priceWeight), ...changes };
}

/**
 * The item of one transition. Both states are equal if only transmission or final money changed (contract 21.8).
 * @throws if an order cannot make this transition.
 */
export function stateChanged(order: OrderState, fromState: OrderStatus | null, reason: string | null = null): Fact {
  assertTransition(fromState, order.status);
  return {
    type: 'order.state_changed',
    itemId: newId('chg'),
    money: orderMoneyBlock(order),
    detail: {
      fromState,
      toState: order.status,
      reason,
      side: order.side,
      action: order.action,
      orderStatus: order.status,
      simulated: order.simulated,
      executionRef: order.executionRef,
      settlementState: settlementState(order),
      transmissionState: order.transmissionState,
      clientOrderId: order.clientOrderId,
      contractId: order.contractId,
    },
  };
}

/**
 * @param isLoss it lowers the profit of a position that holds nothing any more (contract 13.13).
 * @returns null for a fee of zero, which has no item (contract 21.11).
 */
export function feeAssessed(
  kind: 'platform' | 'venue',
  amountMinor: bigint,
  bps: number | null,
  isLoss = false,
): Fact | null {
  if (amountMinor === 0n) {
    return null;
  }
  const item = feeItem(newId('fee'), kind, formatMinor(amountMinor), bps);
  return isLoss ? { ...item, detail: { ...item.detail, realisedPnl: formatMinor(-amountMinor) } } : item;
}

export function feeItem(itemId: string, kind: 'platform' | 'venue', amount: string, bps: number | null): Fact {
  return { type: 'fee.assessed', itemId, money: { currency: 'USD', amount }, detail: { kind, bps } };
}

/** The item that announces a webhook event, with the data of the event (contract chapter 26). */
export function webhookEvent(type: string, dedupeKey: string, data: object): Fact {
  return {
    type: 'webhook.emitted',
    itemId: newId('evn'),
    money: null,
    detail: { eventType: type, dedupeKey },
    event: data,
  };
}

export const namesOf = (order: OrderState) => ({
  orderId: order.orderId,
  executionRef: order.executionRef,
  clientOrderId: order.clientOrderId,
  externalUserId: order.externalUserId,
});

/** What was traded so far, cumulative, even while a read of the order still shows 0.00 (contract 26.10). */
export function tradedSoFar(order: OrderState) {
  const { filledQuantity: filled, venueFeeMinor, venueFeeKnown } = order;
  const fees = { platformFeeMinor: order.platformFeeMinor, venueFeeMinor, venueFeeKnown };
  const buys = order.action === 'buy';
  return {
    filledQuantity: jsonNumber(filled, MICRO_SCALE),
    averagePrice: filled === 0n ? null : jsonNumber(averagePrice(order.priceWeight, filled), MICRO_SCALE),
    operatorMoney: buys
      ? operatorMoney({ authorizationMinor: order.authorizationMinor, tradeMinor: order.tradeMinor, ...fees })
      : null,
    operatorExitMoney: buys ? null : operatorExitMoney({ notionalMinor: order.tradeMinor, ...fees }),
  };
}

/** The facts that there are. */
export function present(facts: readonly (Fact | null)[]): Fact[] {
  return facts.filter((fact) => fact !== null);
}
