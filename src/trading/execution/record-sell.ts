/**
 * What a venue reported of a sell, as a transition of the order. Contracts leave the position once the venue fees of the fills
 * are known; until then they stay held, so that nothing is sold twice (rulings 8). Pure.
 */
import { liveSellTotals } from '../../money/live.ts';
import type { OrderTransition } from '../orders/order-transition.ts';
import { type OrderForUpdate, transitionOf } from '../orders/transition-orders.ts';
import { orderEnded } from '../records/order-ended.ts';
import { newFills, stateAfter } from '../records/order-filled.ts';
import { stateChanged } from '../records/order-state.ts';
import { type Execution, endingOf, fillRows, NOTHING, sumFills, type Totals } from './execution.ts';
import { publicReason, rejectReason } from './public-reason.ts';
import { type SoldPosition, takeExits } from './take-exits.ts';

/** A sell ended with less than was asked for, although the venue filled everything that it was sent. */
const REST_BELOW_STEP = 'rest_below_venue_step';

/** @returns null if nothing is new. */
export function sellExecution(
  order: OrderForUpdate,
  execution: Execution,
  position: SoldPosition,
): OrderTransition | null {
  const { fills } = execution;
  const totalsAfter = (count: number): Totals => {
    if (count === 0) {
      return { ...NOTHING, venueFeeKnown: true, overrunMinor: 0n };
    }
    if (execution.simulated !== undefined) {
      return { ...execution.simulated, venueFeeKnown: true, overrunMinor: 0n };
    }
    const { notionalMinor, ...rest } = liveSellTotals(fills.slice(0, count), order.feeBps);
    return { ...rest, tradeMinor: notionalMinor };
  };
  const totals = totalsAfter(fills.length);
  const ending = endingOf(execution, totals.venueFeeKnown);
  const stepped = ending.resolved && fills.length > 0 && execution.askedMicros < order.quotedQuantity;
  const reason = publicReason(execution.reason, order.executionRef) ?? (stepped ? REST_BELOW_STEP : null);
  const recorded = fills.filter((fill) => fill.recorded).length;
  const exits = totals.venueFeeKnown ? fills.length : order.exitedFills;
  const changed =
    ending.status !== order.status ||
    ending.transmissionState !== order.transmissionState ||
    recorded < fills.length ||
    exits > order.exitedFills;
  if (!changed) {
    return null;
  }
  const { filledMicros: filled, priceWeight: weight } = sumFills(fills);
  const booked = exits > order.exitedFills ? totals : totalsAfter(order.exitedFills);
  const feeKnown = ending.resolved ? true : totals.venueFeeKnown && filled > 0n;
  const state = stateAfter(order, fills, { ...booked, venueFeeKnown: feeKnown }, ending);
  const taken = takeExits(order, execution, position, exits, totalsAfter);
  const facts = [
    stateChanged(state, order.status, reason),
    ...newFills(order, execution, ending, totalsAfter),
    ...taken.facts,
    ...orderEnded(order, execution, ending, totals, state, reason, 0n),
  ];
  const { filledMicros: exitedBefore } = sumFills(fills.slice(0, order.exitedFills));
  const leftHeld = order.quotedQuantity - exitedBefore - taken.quantityMicros;
  return {
    ...transitionOf(order),
    status: ending.status,
    transmissionState: ending.transmissionState,
    filledQuantity: filled,
    priceWeight: weight,
    tradeMinor: booked.tradeMinor,
    platformFeeMinor: booked.platformFeeMinor,
    venueFeeMinor: booked.venueFeeMinor,
    venueFeeKnown: feeKnown,
    proceedsMinor: booked.tradeMinor - booked.platformFeeMinor - booked.venueFeeMinor,
    exitedFills: exits,
    rejectReason: ending.status === 'rejected' ? rejectReason(reason, order.executionRef) : null,
    fills: fillRows(fills),
    positionId: position.positionId,
    positionVersion: position.version,
    takeQuantity: taken.quantityMicros,
    costShareMinor: taken.costShareMinor,
    feeShareMinor: taken.feeShareMinor,
    weightShare: taken.weightShare,
    addRealisedMinor: taken.realisedMinor,
    unholdQuantity: taken.quantityMicros + (ending.resolved ? leftHeld : 0n),
    exposureMinor: execution.mode === 'live' ? -taken.costShareMinor : 0n,
    facts,
  };
}
