/** The local fill of a recorded intent that is due: whole, or as much as its scenario fills. Pure. */

import { newId } from '../../core/ids.ts';
import type { Action, Side } from '../../core/terms.ts';
import type { BoardContract } from '../../markets/event.ts';
import { type ScenarioPart, simulate } from '../orders/simulate-fill.ts';
import type { ExecutionReport } from './record-execution.ts';

/** A simulated fill of a recorded intent against the book as it is now, and the quantity that was asked for; null if the book moved past the accepted price. */
export function fillLocally(
  contract: BoardContract | undefined,
  order: ScenarioPart & {
    readonly action: Action;
    readonly side: Side;
    readonly venue: string;
    readonly priceMicros: bigint;
    readonly feeBps: number;
    readonly authorizationMinor: bigint;
    readonly quotedFeeMinor: bigint;
    readonly quotedTradeMinor: bigint;
    readonly quotedQuantity: bigint;
    readonly slippageMicros: bigint;
    readonly executionRef: string;
  },
) {
  const line = {
    ...order,
    tradeMinor: order.quotedTradeMinor,
    feeMinor: order.quotedFeeMinor,
    quantity: order.quotedQuantity,
  };
  const outcome = simulate(contract, line, order.slippageMicros, order.executionRef);
  if (outcome.status === 'rejected') {
    return null;
  }
  const money = { tradeMinor: outcome.tradeMinor, platformFeeMinor: outcome.platformFeeMinor, venueFeeMinor: 0n };
  const { status, fillPriceMicros: priceMicros, filledMicros } = outcome;
  // a whole fill within the slippage has other contracts than were quoted
  const askedMicros = status === 'filled' ? filledMicros : order.quotedQuantity;
  return { priceMicros, filledMicros, askedMicros, money };
}

/** The fill as the service's own report of it. */
export function simulatedReport(outcome: ReturnType<typeof fillLocally>): ExecutionReport {
  if (outcome === null) {
    return { from: 'refusal', reason: 'price_moved' };
  }
  const { priceMicros, filledMicros, askedMicros, money } = outcome;
  const fill =
    priceMicros === null
      ? null
      : {
          fillId: newId('fil'),
          venueFillId: null,
          recorded: false,
          feeRecorded: false,
          priceMicros,
          quantityMicros: filledMicros,
          feeMicros: 0n,
        };
  return { from: 'service', fill, askedMicros, money };
}
