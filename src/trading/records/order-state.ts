/** A recorded order as the builders of facts see it, and as it will stand after a move. */

import type { MovableOrder } from '../orders/transition-orders.ts';
import type { OrderState } from './order-items.ts';

export function stateOf(order: MovableOrder, changes: Partial<OrderState> = {}): OrderState {
  return { ...order, price_weight: BigInt(order.price_weight), ...changes };
}
