/** An order ends after it was sent or filled: what it still held is released, an overrun is posted, and a webhook event reports the end. Pure. */
import type { Fact } from '../../core/fact.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { fundsOf, overrunEntry, releaseEntry } from '../../ledger/order-entries.ts';
import type { Ending, Execution, Totals } from '../execution/execution.ts';
import { rejectReason } from '../execution/public-reason.ts';
import { orderMoneyBlock } from '../orders/order.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import { namesOf, type OrderState, present, stateChanged, tradedSoFar, webhookEvent } from './order-state.ts';

/**
 * What an execution ends.
 * @param state of the order after the execution. @param releasedMinor cents of a buy that are no longer held.
 */
export function orderEnded(
  order: OrderForUpdate,
  execution: Execution,
  ending: Ending,
  totals: Totals,
  state: OrderState,
  reason: string | null,
  releasedMinor: bigint,
): Fact[] {
  const funds = fundsOf(execution.mode, false, order.externalUserId);
  const release = releasedMinor > 0n ? releaseEntry(order.orderId, funds, releasedMinor) : null;
  return present([
    overrunPosted(order, execution, ending, totals),
    release,
    release !== null && execution.mode === 'live' ? collateralMoved('release', releasedMinor, release) : null,
    endingEvent(execution, ending, state, reason),
  ]);
}

/** What a venue takes beyond the amount sent, or pays beyond the quantity sent, is the service's own. Posted once, when the order is final. */
export function overrunPosted(
  order: OrderForUpdate,
  { gainedMinor = 0n }: Execution,
  { resolved }: Ending,
  totals: Totals,
): Fact | null {
  const overrunMinor = totals.overrunMinor - gainedMinor;
  return resolved && overrunMinor !== 0n ? overrunEntry(order.orderId, overrunMinor) : null;
}

/** @returns null while the order continues, and if its first answer was final and filled it whole: the event of that fill says so (contract 26.12). */
export function endingEvent(
  { fills, acknowledged = false }: Execution,
  ending: Ending,
  state: OrderState,
  reason: string | null,
): Fact | null {
  if (ending.status === 'rejected') {
    return rejectedEvent(state, rejectReason(reason, state.executionRef));
  }
  if (!ending.resolved || (ending.matched && !acknowledged)) {
    return null;
  }
  const outcome = fills.length === 0 ? 'closed_unfilled' : ending.matched ? 'complete' : 'closed_partial';
  return completedEvent(state, outcome, fills.length);
}

/** A simulated order whose book moved past the accepted price. */
export function orderRejected(order: OrderState, reason: string | null): Fact[] {
  return [stateChanged(order, null, 'price_moved'), rejectedEvent(order, reason ?? 'price_moved')];
}

export function completedEvent(
  order: OrderState,
  outcome: 'complete' | 'closed_partial' | 'closed_unfilled',
  fillCount: number,
): Fact {
  const { filledQuantity, averagePrice, operatorMoney, operatorExitMoney } = tradedSoFar(order);
  return webhookEvent('order.completed', `order.completed:${order.orderId}`, {
    ...namesOf(order),
    contractId: order.contractId,
    side: order.side,
    action: order.action,
    status: order.status,
    outcome,
    filledQuantity,
    averagePrice,
    fillCount,
    transmissionState: order.transmissionState,
    final: true,
    partial: outcome === 'closed_partial',
    operatorMoney,
    operatorExitMoney,
    releaseAmount: operatorMoney?.releaseAmount ?? '0.00',
    currency: 'USD',
    simulated: order.simulated,
  });
}

function rejectedEvent(order: OrderState, reason: string): Fact {
  return webhookEvent('order.rejected', `order.rejected:${order.orderId}`, {
    ...namesOf(order),
    reason,
    operatorMoney: orderMoneyBlock(order),
  });
}
