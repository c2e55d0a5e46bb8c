/**
 * What a venue reported of an order: the fills that are accepted, and where the order is after them (contract 13.9).
 * Reports that contradict the attempt are stored as evidence and move no money. Pure.
 */

import type { Mode, OrderStatus, TransmissionState } from '../../core/terms.ts';
import type { FillMoney } from '../../money/blocks.ts';
import type { LiveFill } from '../../money/live.ts';
import type { NewFill } from '../orders/order-command.ts';
import type { CrossCheck } from './cross-check-fills.ts';

/** A fill already recorded, or new with its id at the venue. */
export interface ExecutedFill extends LiveFill {
  readonly fillId: string;
  readonly venueFillId: string | null;
  readonly recorded: boolean;
  /** Whether its fee is recorded too: contracts of a sell have then left the position. */
  readonly feeRecorded: boolean;
  /** The part of the fee that the venue collects for the service operator; missing where there is none. */
  readonly earnedMicros?: bigint | undefined;
}

export interface Execution {
  readonly mode: Mode;
  /** All fills of the order: the recorded ones first, in their order. */
  readonly fills: readonly ExecutedFill[];
  /** The quantity that was asked for. */
  readonly askedMicros: bigint;
  /** `working` may still fill; `rejected` only without a fill. */
  readonly state: 'working' | 'closed' | 'rejected';
  readonly reason: string | null;
  /** The venue had already said that it has the order. */
  readonly acknowledged?: boolean;
  /** Money of the fills if the service filled the order itself; otherwise it follows from prices and fees. */
  readonly simulated?: FillMoney;
  /** What a venue paid for more than the sell could deliver, cents: not the customer's. */
  readonly gainedMinor?: bigint;
  /** The venue's own record of the fills of a sell, if it was read. */
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

/** The state of the order after what the venue reported (contract 12.8 to 12.11). */
export function endingOf(execution: Execution, feesKnown: boolean): Ending {
  const { filledMicros } = sumFills(execution.fills);
  const matched = filledMicros >= execution.askedMicros;
  const over = matched || execution.state !== 'working';
  if (filledMicros === 0n) {
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

export const NOTHING: FillMoney = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };

export function subtract(after: FillMoney, before: FillMoney): FillMoney {
  return {
    tradeMinor: after.tradeMinor - before.tradeMinor,
    platformFeeMinor: after.platformFeeMinor - before.platformFeeMinor,
    venueFeeMinor: after.venueFeeMinor - before.venueFeeMinor,
  };
}

/** Micro-contracts, and the sum of price times quantity. */
export function sumFills(fills: readonly Pick<ExecutedFill, 'quantityMicros' | 'priceMicros'>[]): {
  filledMicros: bigint;
  priceWeight: bigint;
} {
  return {
    filledMicros: fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n),
    priceWeight: fills.reduce((sum, fill) => sum + fill.priceMicros * fill.quantityMicros, 0n),
  };
}

export function fillRows(fills: readonly ExecutedFill[]): NewFill[] {
  return fills.map((fill, index) => ({
    fillNo: index + 1,
    fillId: fill.fillId,
    quantity: fill.quantityMicros,
    priceMicros: fill.priceMicros,
    feeMicros: fill.feeMicros,
    earnedMicros: fill.earnedMicros ?? 0n,
    venueFillId: fill.venueFillId,
  }));
}
