/**
 * What a venue said of an order, as a move of it: new fills, their money as differences of cumulatives, the position, and
 * the end. Pure. It trusts nothing: what does not fit the attempt is evidence and moves no money (rulings 1 "Live fill").
 */

import type { Fact } from '../../core/fact.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import { postEntry } from '../../ledger/entry.ts';
import type { LiveFill } from '../../money/live.ts';
import type { OrderStatus, TransmissionState } from '../orders/order.ts';
import type { NewFill } from '../orders/order-transition.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import type { FillMoney } from '../records/order-events.ts';
import type { CrossCheck } from './cross-check-fills.ts';

/** A fill already recorded, or new with its id at the venue. */
export interface ExecutedFill extends LiveFill {
  readonly fillId: string;
  readonly venueFillId: string | null;
  readonly recorded: boolean;
}

export interface Execution {
  readonly mode: 'sandbox' | 'live';
  /** All fills of the order in their order, those that are recorded first. */
  readonly fills: readonly ExecutedFill[];
  /** The quantity that was asked. */
  readonly askedMicros: bigint;
  /** `working` may still fill; `rejected` only without a fill. */
  readonly state: 'working' | 'closed' | 'rejected';
  readonly reason: string | null;
  /** Money of the fills where the service filled the order itself; else it follows from prices and fees. */
  readonly simulated?: FillMoney;
  /** What a venue paid for more than the sell could deliver, cents: not the customer's. */
  readonly gainedMinor?: bigint;
  /** What the venue's own record tells of the fills of a sell, where it was asked. */
  readonly crossCheck?: CrossCheck | null;
}

/** Cumulative money after some of the fills. */
export interface Totals extends FillMoney {
  readonly venueFeeKnown: boolean;
  readonly overrunMinor: bigint;
}

export interface Ending {
  readonly status: OrderStatus;
  readonly transmissionState: TransmissionState;
  readonly resolved: boolean;
  readonly matched: boolean;
}

/** Where the order stands after what the venue said (specification "Order status", rulings 6 and 11). */
export function endingOf(execution: Execution, feesKnown: boolean): Ending {
  const filled = execution.fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n);
  const matched = filled >= execution.askedMicros;
  const over = matched || execution.state !== 'working';
  if (filled === 0n) {
    const status =
      execution.state === 'working' ? 'submitted' : execution.state === 'rejected' ? 'rejected' : 'cancelled';
    return { status, transmissionState: over ? 'resolved' : 'unknown', resolved: over, matched: false };
  }
  const resolved = over && feesKnown;
  return {
    status: resolved && matched ? 'filled' : 'partially_filled',
    transmissionState: resolved ? 'resolved' : 'unknown',
    resolved,
    matched,
  };
}

export function subtract(after: FillMoney, before: FillMoney): FillMoney {
  return {
    tradeMinor: after.tradeMinor - before.tradeMinor,
    platformFeeMinor: after.platformFeeMinor - before.platformFeeMinor,
    venueFeeMinor: after.venueFeeMinor - before.venueFeeMinor,
  };
}

export function fillRows(fills: readonly ExecutedFill[]): NewFill[] {
  return fills.map((fill, index) => ({
    fillNo: index + 1,
    fillId: fill.fillId,
    quantity: fill.quantityMicros,
    priceMicros: fill.priceMicros,
    feeMicros: fill.feeMicros,
    venueFillId: fill.venueFillId,
  }));
}

/** What the venue took beyond the amount sent is ours to bear, and what it paid beyond is ours; posted once, when the order is final. */
export function overrunEntry(
  order: OrderForUpdate,
  { gainedMinor = 0n }: Execution,
  ending: Ending,
  totals: Totals,
): Fact | null {
  const overrunMinor = totals.overrunMinor - gainedMinor;
  if (!ending.resolved || overrunMinor === 0n) {
    return null;
  }
  return postEntry({
    movementType: 'VENUE_OVERRUN',
    memo:
      overrunMinor > 0n ? 'Taken by the venue beyond the amount sent' : 'Paid by the venue beyond the quantity sent',
    referenceType: 'order',
    referenceId: order.order_id,
    lines: [
      [ACCOUNTS.overrun, overrunMinor],
      [ACCOUNTS.venueFees, -overrunMinor],
    ],
  });
}
