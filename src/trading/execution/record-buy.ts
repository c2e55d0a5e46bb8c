/**
 * What a venue reported of a buy, as a transition of the order: money as differences of cumulatives, the position, and the
 * release at the end. Pure.
 */
import { newId } from '../../core/ids.ts';
import { liveBuyTotals } from '../../money/live.ts';
import type { OrderRow } from '../orders/order.ts';
import type { OrderCommand } from '../orders/order-command.ts';
import type { PositionRow } from '../positions/position.ts';
import { contractsBought, newFills, stateAfter } from '../records/fill-rows.ts';
import { orderAnswered, orderEnded, present } from '../records/order-rows.ts';
import { type Execution, endingOf, fillRows, subtract, sumFills, type Totals } from './execution.ts';
import { publicReason, rejectReason } from './public-reason.ts';

/**
 * @param position of fills that are all recorded: their fees are cost of what is held, or a loss where nothing is held any more.
 * @returns null if nothing is new.
 */
export function buyExecution(
  order: OrderRow,
  execution: Execution,
  position?: Pick<PositionRow, 'status' | 'version'>,
): OrderCommand | null {
  const terms = {
    authorizationMinor: order.authorizationMinor,
    platformFeeMinor: order.quotedFeeMinor,
    tradeMinor: order.quotedTradeMinor,
  };
  const totalsAfter = (count: number): Totals => {
    if (execution.simulated !== undefined && count === execution.fills.length) {
      return { ...execution.simulated, venueFeeKnown: true, overrunMinor: 0n };
    }
    return liveBuyTotals(execution.fills.slice(0, count), terms);
  };
  const totals = totalsAfter(execution.fills.length);
  const ending = endingOf(execution, totals.venueFeeKnown);
  const reason = publicReason(execution.reason, order.executionRef);
  const recorded = execution.fills.filter((fill) => fill.recorded).length;
  const { filledMicros: filled, priceWeight: weight } = sumFills(execution.fills);
  const debitMinor = totals.tradeMinor + totals.platformFeeMinor + totals.venueFeeMinor;
  const feeKnown = ending.resolved ? true : totals.venueFeeKnown && filled > 0n;
  const state = stateAfter(order, execution.fills, { ...totals, venueFeeKnown: feeKnown }, ending);
  const before = {
    tradeMinor: order.tradeMinor,
    platformFeeMinor: order.platformFeeMinor,
    venueFeeMinor: order.venueFeeMinor,
  };
  const difference = subtract(totals, before);
  const changed =
    ending.status !== order.status ||
    ending.transmissionState !== order.transmissionState ||
    recorded < execution.fills.length;
  if (
    !changed &&
    difference.tradeMinor === 0n &&
    difference.platformFeeMinor === 0n &&
    difference.venueFeeMinor === 0n
  ) {
    return null;
  }
  const spentMinor = difference.tradeMinor + difference.platformFeeMinor + difference.venueFeeMinor;
  const releasedMinor = ending.resolved ? order.authorizationMinor - debitMinor : 0n;
  const ended = rejectReason(reason, order.executionRef);
  const journal = present([
    orderAnswered(state, order.status, execution, reason),
    ...newFills(order, execution, ending, totalsAfter),
    contractsBought(order, execution.mode, difference, position !== undefined && position.status !== 'open'),
    ...orderEnded(order, execution, ending, totals, state, ended, releasedMinor),
  ]);
  return {
    ...state,
    debitMinor,
    releaseMinor: order.authorizationMinor - debitMinor,
    countedStakeMinor: ending.resolved ? debitMinor : order.countedStakeMinor,
    rejectReason: ending.status === 'rejected' ? ended : order.rejectReason,
    fills: fillRows(execution.fills),
    positionVersion: position?.status === 'open' ? position.version : null,
    opensPositionId: newId('pos'),
    addQuantity: filled - order.filledQuantity,
    addCostMinor: spentMinor,
    addFeesMinor: difference.platformFeeMinor + difference.venueFeeMinor,
    addWeight: weight - BigInt(order.priceWeight),
    exposureMinor: execution.mode === 'live' ? spentMinor - (ending.resolved ? order.authorizationMinor : 0n) : 0n,
    journal,
  };
}
