/** The order side of a read-only venue. Nothing is ever sent; every order is definitely refused. */
import { oneBucket } from '../core/request-budget.ts';
import type { Venue } from './port.ts';

type OrderSide = Pick<
  Venue,
  'account' | 'limits' | 'lookupIsComplete' | 'takesCostBound' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'
>;

export const readOnlyOrders: OrderSide = {
  // Nothing was sent by us, but orders placed there by other means would not be found.
  lookupIsComplete: false,
  takesCostBound: false,
  account: null,
  limits: oneBucket(10),
  placeOrder: async () => ({ outcome: 'rejected', reason: 'read_only', order: null }),
  findOrder: async () => ({ outcome: 'not_found' }),
  cancelOrder: async () => ({ outcome: 'not_found' }),
  fills: async () => [],
};
