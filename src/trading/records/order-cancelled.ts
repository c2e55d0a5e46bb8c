/** An order is withdrawn before anything was sent: the hold is released, and item and webhook event report it. Pure. */
import type { Fact } from '../../core/fact.ts';
import type { Mode } from '../../core/terms.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { fundsOf, releaseEntry } from '../../ledger/order-entries.ts';
import { formatMinor } from '../../money/usd.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import { stateChanged, stateOf, webhookEvent } from './order-state.ts';

export function orderCancelled(order: OrderForUpdate, mode: Mode, cancellationId: string, reason: string): Fact[] {
  const state = stateOf(order, { status: 'cancelled', transmission_state: 'not_transmitted', venue_fee_known: true });
  return [
    stateChanged(state, order.status, reason),
    ...holdReleased(order, mode),
    webhookEvent('order.cancelled', `order.cancelled:${order.order_id}`, {
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
    }),
  ];
}

/** A wallet holds the amount since the order was recorded, collateral since the reserve was confirmed. */
function holdReleased(order: OrderForUpdate, mode: Mode): Fact[] {
  const held = mode === 'sandbox' || order.reserve_confirmed_at !== null;
  const amountMinor = order.authorization_minor;
  if (order.action === 'sell' || !held || amountMinor === 0n) {
    return [];
  }
  const entry = releaseEntry(order.order_id, fundsOf(mode, false, order.external_user_id), amountMinor);
  if (entry === null) {
    return [];
  }
  return mode === 'live' ? [entry, collateralMoved('release', amountMinor, entry)] : [entry];
}
