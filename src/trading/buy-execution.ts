/** What a venue said of a buy, as a move of it: money as differences of cumulatives, the position, and the release at the end. Pure. */
import type { Fact } from '../core/fact.ts';
import { newId } from '../core/ids.ts';
import { collateralMoved } from '../ledger/collateral.ts';
import { liveBuyTotals } from '../money/live.ts';
import { type Execution, endingOf, fillRows, overrunEntry, subtract, type Totals } from './execution.ts';
import { completedEvent, type FillMoney, filledEvent, rejectedEvent } from './order-events.ts';
import { feeAssessed, fillLanded, stateChanged } from './order-items.ts';
import { fillEntry, fundsOf, releaseEntry } from './order-ledger.ts';
import { type MovableOrder, moveOf, type OrderMove } from './order-move.ts';
import { stateOf } from './order-state.ts';
import { publicReason } from './public-reason.ts';

const NOTHING: FillMoney = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };

/** @returns the move of a buy; null where nothing is new. */
export function buyExecution(order: MovableOrder, execution: Execution): OrderMove | null {
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
  const state = stateOf(order, {
    status: ending.status,
    transmission_state: ending.transmissionState,
    filled_quantity: filled,
    price_weight: weight,
    trade_minor: totals.tradeMinor,
    platform_fee_minor: totals.platformFeeMinor,
    venue_fee_minor: totals.venueFeeMinor,
    venue_fee_known: feeKnown,
  });
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
  const firstAnswer = order.status === 'submitted' && recorded === 0;
  const facts: (Fact | null | false)[] = [
    stateChanged(state, order.status, reason),
    ...execution.fills.flatMap((fill, index) => {
      if (fill.recorded) {
        return [];
      }
      const last = index === execution.fills.length - 1;
      const after = totalsAfter(index + 1);
      const sofar = execution.fills.slice(0, index + 1);
      const at = last
        ? state
        : stateOf(order, {
            status: 'partially_filled',
            transmission_state: 'unknown',
            filled_quantity: sofar.reduce((sum, one) => sum + one.quantityMicros, 0n),
            price_weight: sofar.reduce((sum, one) => sum + one.priceMicros * one.quantityMicros, 0n),
            trade_minor: after.tradeMinor,
            platform_fee_minor: after.platformFeeMinor,
            venue_fee_minor: after.venueFeeMinor,
            venue_fee_known: after.venueFeeKnown,
          });
      const landed = {
        fillId: fill.fillId,
        fillNo: index + 1,
        quantityMicros: fill.quantityMicros,
        priceMicros: fill.priceMicros,
      };
      const money = subtract(after, index === 0 ? NOTHING : totalsAfter(index));
      return [fillLanded(at, landed), filledEvent(at, landed, money, !(last && ending.matched))];
    }),
    entry,
    entry !== null && live && spentMinor !== 0n && collateralMoved('spend', spentMinor, entry),
    feeAssessed('platform', difference.platformFeeMinor, order.fee_bps),
    feeAssessed('venue', difference.venueFeeMinor, null),
    overrunEntry(order, ending, totals),
    release,
    release !== null && live && collateralMoved('release', releasedMinor, release),
    ending.status === 'rejected' && rejectedEvent(state, reason ?? 'rejected'),
    ending.resolved && ending.status !== 'rejected' && !(firstAnswer && ending.matched)
      ? completedEvent(
          state,
          filled === 0n ? 'closed_unfilled' : ending.matched ? 'complete' : 'closed_partial',
          execution.fills.length,
        )
      : null,
  ];
  return {
    ...moveOf(order),
    status: ending.status,
    transmission_state: ending.transmissionState,
    filled_quantity: `${filled}`,
    price_weight: `${weight}`,
    trade_minor: `${totals.tradeMinor}`,
    platform_fee_minor: `${totals.platformFeeMinor}`,
    venue_fee_minor: `${totals.venueFeeMinor}`,
    venue_fee_known: feeKnown,
    debit_minor: `${debitMinor}`,
    release_minor: `${order.authorization_minor - debitMinor}`,
    counted_stake_minor: ending.resolved ? `${debitMinor}` : null,
    reject_reason: ending.status === 'rejected' ? `${reason ?? 'rejected'} (${order.execution_ref})` : null,
    fills: fillRows(execution.fills),
    position_id: newId('pos'),
    add_quantity: `${filled - order.filled_quantity}`,
    add_cost_minor: `${spentMinor}`,
    add_fees_minor: `${difference.platformFeeMinor + difference.venueFeeMinor}`,
    add_weight: `${weight - BigInt(order.price_weight)}`,
    exposure_minor: live ? `${spentMinor - (ending.resolved ? order.authorization_minor : 0n)}` : '0',
    facts: facts.filter((fact): fact is Fact => fact !== null && fact !== false),
  };
}
