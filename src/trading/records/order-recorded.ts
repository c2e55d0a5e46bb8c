/** An intent is recorded, and its reserve is confirmed: the hold, the state and the webhook event. Pure. */
import type { Fact } from '../../core/fact.ts';
import type { Mode } from '../../core/terms.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { fundsOf, holdEntry } from '../../ledger/order-entries.ts';
import { formatMinor } from '../../money/usd.ts';
import type { OrderStatus } from '../orders/order.ts';
import { namesOf, type OrderState, present, stateChanged, webhookEvent } from './order-state.ts';

/** @param commitsMinor collateral that the order commits at once because its reserve comes with it, cents. */
export function orderRecorded(order: OrderState, mode: Mode, commitsMinor: bigint): Fact[] {
  const funds = fundsOf(mode, false, order.externalUserId);
  const holds = mode === 'sandbox' && order.action === 'buy';
  return present([
    stateChanged(order, null),
    holds ? holdEntry(order.orderId, funds, order.authorizationMinor) : null,
    ...collateralCommitted(order, mode, commitsMinor),
    webhookEvent('order.intent_recorded', `order.intent_recorded:${order.orderId}`, {
      ...namesOf(order),
      authorizationAmount: formatMinor(order.authorizationMinor),
      currency: 'USD',
      transmitted: false,
    }),
  ]);
}

/** @param fromState of the order before. @param commitsMinor collateral, cents. */
export function reserveConfirmed(order: OrderState, fromState: OrderStatus, mode: Mode, commitsMinor: bigint): Fact[] {
  return [stateChanged(order, fromState), ...collateralCommitted(order, mode, commitsMinor)];
}

function collateralCommitted(order: OrderState, mode: Mode, commitsMinor: bigint): Fact[] {
  const funds = fundsOf(mode, false, order.externalUserId);
  const entry = commitsMinor > 0n ? holdEntry(order.orderId, funds, commitsMinor) : null;
  return entry === null ? [] : [entry, collateralMoved('commit', commitsMinor, entry)];
}
