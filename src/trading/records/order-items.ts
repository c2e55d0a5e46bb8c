/** Feed items of an order (specification "Reconciliation feed item"): pure builders of facts. Its events are in order-events.ts. */
import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import { type OrderMoney, type OrderStatus, orderMoneyBlock } from '../orders/order.ts';
import { assertTransition } from '../orders/order-transitions.ts';

/** What the builders need to know of an order: its names, and its state and money after the change. */
export interface OrderState extends OrderMoney {
  readonly order_id: string;
  readonly execution_ref: string;
  readonly client_order_id: string;
  readonly external_user_id: string;
  readonly contract_id: string;
  readonly side: 'YES' | 'NO';
  readonly simulated: boolean;
  readonly fee_bps: number;
  readonly filled_quantity: bigint;
  readonly price_weight: bigint;
}

export interface FillState {
  readonly fillId: string;
  readonly fillNo: number;
  readonly quantityMicros: bigint;
  readonly priceMicros: bigint;
}

/** One move of an order; states are equal where only transmission or final money changed (rulings 8). @throws where no such move is possible. */
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
    },
  };
}

export function fillLanded(order: OrderState, fill: FillState): Fact {
  return {
    type: 'order.filled',
    itemId: fill.fillId,
    money: null,
    detail: {
      quantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
      price: jsonNumber(fill.priceMicros, MICRO_SCALE),
      side: order.side,
    },
  };
}

/** @returns null for a fee of nothing, which is no item (rulings 11). */
export function feeAssessed(kind: 'platform' | 'venue', amountMinor: bigint, bps: number | null): Fact | null {
  if (amountMinor === 0n) {
    return null;
  }
  return {
    type: 'fee.assessed',
    itemId: newId('fee'),
    money: { currency: 'USD', amount: formatMinor(amountMinor) },
    detail: { kind, bps },
  };
}
