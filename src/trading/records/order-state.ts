/** A recorded order as the builders of facts see it, and as it will stand after a move. */

import type { OrderForUpdate } from '../orders/transition-orders.ts';
import type { OrderState } from './order-items.ts';

export function stateOf(order: OrderForUpdate, changes: Partial<OrderState> = {}): OrderState {
  return { ...order, price_weight: BigInt(order.price_weight), ...changes };
}
