/**
 * Turns the execution of an order into its transition: money as differences of cumulative amounts, the position, and the release at the
 * end. Contracts of a sell leave the position once the venue fees of their fills are known (contract 13.12). Pure.
 */
import { newId } from '../../core/ids.ts';
import type { JournalEntry } from '../../ledger/journal-row.ts';
import { proceedsOf } from '../../money/blocks.ts';
import { type ExitPart, exitParts, exitShare, type Holding } from '../../money/exit.ts';
import { keepProceeds, liveBuyTotalsAfterEach, liveSellTotals, liveSellTotalsAfterEach } from '../../money/live.ts';
import { present } from '../orders/journal-rows.ts';
import type { OrderCommand, OrderRow } from '../orders/order.ts';
import type { PositionRow } from '../positions.ts';
import { contractsBought, contractsSold, newFills, orderAnswered, orderEnded, stateAfter } from './execution-rows.ts';
import {
  agreesWith,
  type ExecutedFill,
  type Execution,
  endingOf,
  NOTHING,
  publicReason,
  rejectReason,
  subtract,
  sumFills,
  type Totals,
} from './report.ts';

/**
 * @param position the position if all fills are recorded: late fees are a cost of the contracts held, or a loss if none are held any more
 * @returns null if nothing is new
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
  const afterEach: readonly Totals[] = liveBuyTotalsAfterEach(execution.fills, terms);
  const totalsAfter = (count: number): Totals => {
    if (execution.simulated !== undefined && count === execution.fills.length) {
      return { ...execution.simulated, venueFeeKnown: true, overrunMinor: 0n };
    }
    return afterEach[count] as Totals;
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
    rejectReason: ending.status === 'rejected' ? ended : order.rejectReason,
    positionVersion: position?.status === 'open' ? position.version : null,
    opensPositionId: newId('pos'),
    addQuantityMicros: filled - order.filledQuantityMicros,
    addCostMinor: spentMinor,
    addFeesMinor: difference.platformFeeMinor + difference.venueFeeMinor,
    addWeight: weight - BigInt(order.priceWeight),
    exposureMinor: execution.mode === 'live' ? spentMinor - (ending.resolved ? order.authorizationMinor : 0n) : 0n,
    journal,
  };
}

/** The position that is sold from, as it was read. */
export interface SoldPosition extends Holding {
  readonly positionId: string;
  readonly version: bigint;
  readonly averagePriceMicros: bigint;
}

/** The reason of a sell that ended with less than was ordered, although the venue filled everything that was sent. */
const REST_BELOW_STEP = 'rest_below_venue_step';

/**
 * Contracts stay held until the venue fees of their fills are known, so that nothing is sold twice.
 * @returns null if nothing is new
 */
export function sellExecution(order: OrderRow, execution: Execution, position: SoldPosition): OrderCommand | null {
  const { fills } = execution;
  const totals = totalsOf(order, execution);
  const leaving = leavingFills(order, execution, totals);
  const ending = endingOf(execution, totals.venueFeeKnown);
  const stepped = ending.resolved && fills.length > 0 && execution.askedMicros < order.quotedQuantityMicros;
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
    ...newFills(order, execution, ending, moneyAfterEach(order, fills, leaving)),
    ...taken.journal,
    ...orderEnded(order, execution, ending, totals, state, ended, 0n),
  ];
  const { filledMicros: exitedBefore } = sumFills(fills.filter((fill) => fill.feeRecorded));
  const leftHeld = order.quotedQuantityMicros - exitedBefore - taken.quantityMicros;
  return {
    ...state,
    rejectReason: ending.status === 'rejected' ? ended : order.rejectReason,
    positionVersion: position.version,
    takeQuantityMicros: taken.quantityMicros,
    costShareMinor: taken.costShareMinor,
    feeShareMinor: taken.feeShareMinor,
    weightShare: taken.weightShare,
    addRealisedMinor: taken.realisedMinor,
    holdQuantityMicros: -taken.quantityMicros - (ending.resolved ? leftHeld : 0n),
    exposureMinor: execution.mode === 'live' ? -taken.costShareMinor : 0n,
    journal,
  };
}

/** Cumulative money of the fills whose venue fee is known, and never less than the recorded amounts. */
function totalsOf(order: OrderRow, { fills, simulated }: Execution): Totals {
  if (fills.length === 0) {
    return { ...NOTHING, venueFeeKnown: true, overrunMinor: 0n };
  }
  if (simulated !== undefined) {
    return { ...simulated, venueFeeKnown: true, overrunMinor: 0n };
  }
  const { notionalMinor, ...rest } = keepProceeds(liveSellTotals(fills, order.feeBps), {
    ...order,
    proceedsMinor: proceedsOf(order),
  });
  return { ...rest, tradeMinor: notionalMinor };
}

/** A fill that leaves the position, with its money. */
interface LeavingFill extends ExecutedFill {
  readonly money: ExitPart;
}

/** The fills whose venue fee became known, each with its part of the money. */
function leavingFills(order: OrderRow, { fills }: Execution, totals: Totals): LeavingFill[] {
  const leaving = fills.filter((fill) => fill.feeMicros !== null && !fill.feeRecorded);
  const left = fills.filter((fill) => fill.feeRecorded);
  const afterEach = liveSellTotalsAfterEach([...left, ...leaving], order.feeBps).slice(left.length + 1);
  const parts = exitParts(
    { ...order, proceedsMinor: proceedsOf(order) },
    afterEach.map((after, place) =>
      place === leaving.length - 1 ? { ...totals, proceedsMinor: proceedsOf({ ...order, ...totals }) } : after,
    ),
  );
  return leaving.map((fill, place) => ({ ...fill, money: parts[place] as ExitPart }));
}

/** Cumulative money of the order after its first fills: the recorded money, and that of the fills that leave the position. */
function moneyAfterEach(order: OrderRow, fills: Execution['fills'], leaving: readonly LeavingFill[]) {
  const parts = new Map(leaving.map(({ fillId, money }) => [fillId, money]));
  let { platformFeeMinor, venueFeeMinor } = order;
  let proceedsMinor = proceedsOf(order);
  let venueFeeKnown = true;
  const money = () => ({
    tradeMinor: proceedsMinor + platformFeeMinor + venueFeeMinor,
    platformFeeMinor,
    venueFeeMinor,
    venueFeeKnown,
  });
  const afterEach = [money()];
  for (const { fillId, feeMicros } of fills) {
    const part = parts.get(fillId) ?? { platformFeeMinor: 0n, venueFeeMinor: 0n, proceedsMinor: 0n };
    platformFeeMinor += part.platformFeeMinor;
    venueFeeMinor += part.venueFeeMinor;
    proceedsMinor += part.proceedsMinor;
    venueFeeKnown &&= feeMicros !== null;
    afterEach.push(money());
  }
  return (count: number) => afterEach[count] as ReturnType<typeof money>;
}

/** Takes the leaving fills out of the position one by one, and sums up their shares. */
function takeExits(order: OrderRow, execution: Execution, position: SoldPosition, leaving: readonly LeavingFill[]) {
  const journal: JournalEntry[] = [];
  let holding: Holding = position;
  const sums = { quantityMicros: 0n, costShareMinor: 0n, feeShareMinor: 0n, weightShare: 0n, realisedMinor: 0n };
  for (const fill of leaving) {
    const { money } = fill;
    const share = exitShare(holding, fill.quantityMicros, money.proceedsMinor);
    const venueAgrees = agreesWith(execution.crossCheck, fill);
    const exit = { fill, share, money, entryPriceMicros: position.averagePriceMicros, venueAgrees };
    journal.push(contractsSold(order, execution.mode, exit));
    sums.quantityMicros += fill.quantityMicros;
    sums.costShareMinor += share.costShareMinor;
    sums.feeShareMinor += share.feeShareMinor;
    sums.weightShare += holding.priceWeight - share.remaining.priceWeight;
    sums.realisedMinor += share.realisedPnlMinor;
    holding = share.remaining;
  }
  return { ...sums, journal };
}

export function soldPosition(row: PositionRow): SoldPosition {
  return {
    positionId: row.positionId,
    version: row.version,
    averagePriceMicros: row.averagePriceMicros,
    costBasisMinor: row.costBasisMinor,
    entryFeesMinor: row.entryFeesMinor,
    quantityMicros: row.quantityMicros,
    priceWeight: BigInt(row.priceWeight),
  };
}
