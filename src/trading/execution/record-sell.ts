/**
 * What a venue reported of a sell, as a transition of the order. Contracts leave the position once the venue fees of the fills
 * are known; until then they stay held, so that nothing is sold twice (contract 13.12). Pure.
 */

import type { FillMoney } from '../../money/blocks.ts';
import { type ExitPart, exitParts } from '../../money/exit.ts';
import { keepProceeds, liveSellTotals } from '../../money/live.ts';
import type { OrderRow } from '../orders/order.ts';
import type { OrderCommand } from '../orders/order-command.ts';
import { newFills, stateAfter } from '../records/fill-rows.ts';
import { orderAnswered, orderEnded } from '../records/order-rows.ts';
import { type Execution, endingOf, fillRows, NOTHING, sumFills, type Totals } from './execution.ts';
import { publicReason, rejectReason } from './public-reason.ts';
import { type LeavingFill, type SoldPosition, takeExits } from './take-exits.ts';

/** A sell ended with less than was asked for, although the venue filled everything that it was sent. */
const REST_BELOW_STEP = 'rest_below_venue_step';

/** @returns null if nothing is new. */
export function sellExecution(order: OrderRow, execution: Execution, position: SoldPosition): OrderCommand | null {
  const { fills } = execution;
  const totals = totalsOf(order, execution);
  const leaving = leavingFills(order, execution, totals);
  const ending = endingOf(execution, totals.venueFeeKnown);
  const stepped = ending.resolved && fills.length > 0 && execution.askedMicros < order.quotedQuantity;
  const reason = publicReason(execution.reason, order.executionRef) ?? (stepped ? REST_BELOW_STEP : null);
  const recorded = fills.filter((fill) => fill.recorded).length;
  const changed =
    ending.status !== order.status ||
    ending.transmissionState !== order.transmissionState ||
    recorded < fills.length ||
    leaving.length > 0;
  if (!changed) {
    return null;
  }
  const feeKnown = ending.resolved ? true : totals.venueFeeKnown && fills.length > 0;
  const state = stateAfter(order, fills, { ...totals, venueFeeKnown: feeKnown }, ending);
  const taken = takeExits(order, execution, position, leaving);
  const ended = rejectReason(reason, order.executionRef);
  const journal = [
    orderAnswered(state, order.status, execution, reason),
    ...newFills(order, execution, ending, (count) => toldAfter(order, fills.slice(0, count), leaving)),
    ...taken.journal,
    ...orderEnded(order, execution, ending, totals, state, ended, 0n),
  ];
  const { filledMicros: exitedBefore } = sumFills(fills.filter((fill) => fill.feeRecorded));
  const leftHeld = order.quotedQuantity - exitedBefore - taken.quantityMicros;
  return {
    ...state,
    proceedsMinor: proceedsOf(totals),
    exitedFills: order.exitedFills + leaving.length,
    venueGainMinor: (ending.resolved ? execution.gainedMinor : null) ?? order.venueGainMinor,
    rejectReason: ending.status === 'rejected' ? ended : order.rejectReason,
    fills: fillRows(fills),
    positionVersion: position.version,
    takeQuantity: taken.quantityMicros,
    costShareMinor: taken.costShareMinor,
    feeShareMinor: taken.feeShareMinor,
    weightShare: taken.weightShare,
    addRealisedMinor: taken.realisedMinor,
    holdQuantity: -taken.quantityMicros - (ending.resolved ? leftHeld : 0n),
    exposureMinor: execution.mode === 'live' ? -taken.costShareMinor : 0n,
    journal,
  };
}

/** Of the fills whose venue fee is known, and never less than is recorded. */
function totalsOf(order: OrderRow, { fills, simulated }: Execution): Totals {
  if (fills.length === 0) {
    return { ...NOTHING, venueFeeKnown: true, overrunMinor: 0n };
  }
  if (simulated !== undefined) {
    return { ...simulated, venueFeeKnown: true, overrunMinor: 0n };
  }
  const { notionalMinor, ...rest } = keepProceeds(liveSellTotals(fills, order.feeBps), order);
  return { ...rest, tradeMinor: notionalMinor };
}

/** The fills whose venue fee is new, each with its part of the money. */
function leavingFills(order: OrderRow, { fills }: Execution, totals: Totals): LeavingFill[] {
  const leaving = fills.filter((fill) => fill.feeMicros !== null && !fill.feeRecorded);
  const left = fills.filter((fill) => fill.feeRecorded);
  const parts = exitParts(
    order,
    leaving.map((_, place) =>
      place === leaving.length - 1
        ? { ...totals, proceedsMinor: proceedsOf(totals) }
        : liveSellTotals([...left, ...leaving.slice(0, place + 1)], order.feeBps),
    ),
  );
  return leaving.map((fill, place) => ({ ...fill, money: parts[place] as ExitPart }));
}

/** What is told of the order after its first fills: what is recorded, and what leaves with them. */
function toldAfter(order: OrderRow, first: Execution['fills'], leaving: readonly LeavingFill[]) {
  const ids = new Set(first.map((fill) => fill.fillId));
  const parts = leaving.filter((fill) => ids.has(fill.fillId)).map((fill) => fill.money);
  const platformFeeMinor = parts.reduce((sum, part) => sum + part.platformFeeMinor, order.platformFeeMinor);
  const venueFeeMinor = parts.reduce((sum, part) => sum + part.venueFeeMinor, order.venueFeeMinor);
  const proceedsMinor = parts.reduce((sum, part) => sum + part.proceedsMinor, order.proceedsMinor);
  return {
    tradeMinor: proceedsMinor + platformFeeMinor + venueFeeMinor,
    platformFeeMinor,
    venueFeeMinor,
    venueFeeKnown: first.every((fill) => fill.feeMicros !== null),
  };
}

const proceedsOf = ({ tradeMinor, platformFeeMinor, venueFeeMinor }: FillMoney) =>
  tradeMinor - platformFeeMinor - venueFeeMinor;
