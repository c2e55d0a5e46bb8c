/**
 * Every transition that an order can make (contract 12.2 to 12.15), checked before a transition is written. The
 * table `order_transitions` has the same list, and the database checks it again.
 */
import type { OrderStatus } from '../../core/terms.ts';

/** By the state before; '' is the state of an order that is not recorded yet. */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus | '', readonly OrderStatus[]>> = {
  '': ['reserve_pending', 'pending_venue_execution', 'filled', 'partially_filled', 'rejected', 'cancelled'],
  reserve_pending: ['pending_venue_execution', 'cancelled'],
  pending_venue_execution: ['cancelled', 'submitted'],
  submitted: ['partially_filled', 'filled', 'rejected', 'cancelled'],
  partially_filled: ['filled'],
  filled: [],
  rejected: [],
  cancelled: [],
  pending: [],
};

/** An order may stay in its state while its transmission or its money goes on. @throws where nothing leads from one to the other. */
export function assertTransition(from: OrderStatus | null, to: OrderStatus): void {
  if (from !== to && !ORDER_TRANSITIONS[from ?? ''].includes(to)) {
    throw new Error(`no transition of an order from ${from ?? 'none'} to ${to}`);
  }
}
