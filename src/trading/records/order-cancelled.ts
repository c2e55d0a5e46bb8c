/** An order is withdrawn before anything was sent: the hold is released, and item and webhook event report it. Pure. */
import type { Fact } from '../../core/fact.ts';
import type { Mode } from '../../core/terms.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { fundsOf, releaseEntry } from '../../ledger/order-entries.ts';
import { formatMinor } from '../../money/usd.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import { namesOf, stateChanged, stateOf, webhookEvent } from './order-state.ts';

export function orderCancelled(order: OrderForUpdate, mode: Mode, cancellationId: string, reason: string): Fact[] {
  const state = stateOf(order, { status: 'cancelled', transmissionState: 'not_transmitted', venueFeeKnown: true });
  return [
    stateChanged(state, order.status, reason),
    ...holdReleased(order, mode),
    webhookEvent('order.cancelled', `order.cancelled:${order.orderId}`, {
      ...namesOf(state),
      action: order.action,
      cancellationId,
      currency: 'USD',
      authorizationAmount: formatMinor(order.authorizationMinor),
      actualDebit: '0.00',
      releaseAmount: formatMinor(order.authorizationMinor),
      reason,
      transmitted: false,
    }),
  ];
}

/** A wallet holds the amount since the order was recorded, collateral since the reserve was confirmed. */
function holdReleased(order: OrderForUpdate, mode: Mode): Fact[] {
  const held = mode === 'sandbox' || order.reserveConfirmedAt !== null;
  const amountMinor = order.authorizationMinor;
  if (order.action === 'sell' || !held || amountMinor === 0n) {
    return [];
  }
  const entry = releaseEntry(order.orderId, fundsOf(mode, false, order.externalUserId), amountMinor);
  if (entry === null) {
    return [];
  }
  return mode === 'live' ? [entry, collateralMoved('release', amountMinor, entry)] : [entry];
}
