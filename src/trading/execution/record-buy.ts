/** What a venue said of a buy, as a move of it: money as differences of cumulatives, the position, and the release at the end. Pure. */
import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { liveBuyTotals } from '../../money/live.ts';
import type { OrderTransition } from '../orders/order-transition.ts';
import { type OrderForUpdate, transitionOf } from '../orders/transition-orders.ts';
import { endingEvent, landedFacts, stateAfter } from '../records/execution-facts.ts';
import { feeAssessed, stateChanged } from '../records/order-items.ts';
import { fillEntry, fundsOf, releaseEntry } from '../records/order-ledger.ts';
import { type Execution, endingOf, fillRows, overrunEntry, subtract, type Totals } from './execution.ts';
import { publicReason, rejectReason } from './public-reason.ts';

/** @returns the move of a buy; null where nothing is new. */
export function buyExecution(order: OrderForUpdate, execution: Execution): OrderTransition | null {
  const terms = {
    authorizationMinor: order.authorization_minor,
    platformFeeMinor: order.quoted_fee_minor,
    tradeMinor: order.quoted_trade_minor,
  };
  const totalsAfter = (count: number): Totals => {
    if (execution.simulated !== undefined && count === execution.fills.length) {
      return { ...execution.simulated, venueFeeKnown: true, overrunMinor: 0n };
    }
    return liveBuyTotals(execution.fills.slice(0, count), terms);
  };
  const totals = totalsAfter(execution.fills.length);
  const ending = endingOf(execution, totals.venueFeeKnown);
  const reason = publicReason(execution.reason, order.execution_ref);
  const funds = fundsOf(execution.mode, false, order.external_user_id);
  const recorded = execution.fills.filter((fill) => fill.recorded).length;
  const weight = execution.fills.reduce((sum, fill) => sum + fill.priceMicros * fill.quantityMicros, 0n);
  const filled = execution.fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n);
  const debitMinor = totals.tradeMinor + totals.platformFeeMinor + totals.venueFeeMinor;
  const feeKnown = ending.resolved ? true : totals.venueFeeKnown && filled > 0n;
  const state = stateAfter(order, execution.fills, { ...totals, venueFeeKnown: feeKnown }, ending);
  const before = {
    tradeMinor: order.trade_minor,
    platformFeeMinor: order.platform_fee_minor,
    venueFeeMinor: order.venue_fee_minor,
  };
  const difference = subtract(totals, before);
  const changed =
    ending.status !== order.status ||
    ending.transmissionState !== order.transmission_state ||
    recorded < execution.fills.length;
  if (
    !changed &&
    difference.tradeMinor === 0n &&
    difference.platformFeeMinor === 0n &&
    difference.venueFeeMinor === 0n
  ) {
    return null;
  }
  const entry = fillEntry(order.order_id, funds.held, difference);
  const spentMinor = difference.tradeMinor + difference.platformFeeMinor + difference.venueFeeMinor;
  const releasedMinor = ending.resolved ? order.authorization_minor - debitMinor : 0n;
  const release = releasedMinor > 0n ? releaseEntry(order.order_id, funds, releasedMinor) : null;
  const live = execution.mode === 'live';
  const facts: (Fact | null | false)[] = [
    stateChanged(state, order.status, reason),
    ...landedFacts(order, execution, ending, totalsAfter),
    entry,
    entry !== null && live && spentMinor !== 0n && collateralMoved('spend', spentMinor, entry),
    feeAssessed('platform', difference.platformFeeMinor, order.fee_bps),
    feeAssessed('venue', difference.venueFeeMinor, null),
    overrunEntry(order, execution, ending, totals),
    release,
    release !== null && live && collateralMoved('release', releasedMinor, release),
    endingEvent(order, execution, ending, state, reason),
  ];
  return {
    ...transitionOf(order),
    status: ending.status,
    transmissionState: ending.transmissionState,
    filledQuantity: filled,
    priceWeight: weight,
    tradeMinor: totals.tradeMinor,
    platformFeeMinor: totals.platformFeeMinor,
    venueFeeMinor: totals.venueFeeMinor,
    venueFeeKnown: feeKnown,
    debitMinor: debitMinor,
    releaseMinor: order.authorization_minor - debitMinor,
    countedStakeMinor: ending.resolved ? debitMinor : null,
    rejectReason: ending.status === 'rejected' ? rejectReason(reason, order.execution_ref) : null,
    fills: fillRows(execution.fills),
    positionId: newId('pos'),
    addQuantity: filled - order.filled_quantity,
    addCostMinor: spentMinor,
    addFeesMinor: difference.platformFeeMinor + difference.venueFeeMinor,
    addWeight: weight - BigInt(order.price_weight),
    exposureMinor: live ? spentMinor - (ending.resolved ? order.authorization_minor : 0n) : 0n,
    facts: facts.filter((fact): fact is Fact => fact !== null && fact !== false),
  };
}
