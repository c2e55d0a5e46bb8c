/** What the fills of a sell take out of a position once their venue fees are known (contract 13.12). Pure. */
import { type ExitPart, exitShare, type Holding } from '../../money/exit.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import type { OrderRow } from '../orders/order.ts';
import type { PositionRow } from '../positions/position.ts';
import { contractsSold } from '../records/fill-rows.ts';
import { agreesWith } from './cross-check-fills.ts';
import type { ExecutedFill, Execution } from './execution.ts';

/** The position that is sold from, as it was read. */
export interface SoldPosition extends Holding {
  readonly positionId: string;
  readonly version: bigint;
  readonly averagePriceMicros: bigint;
}

/** A fill that leaves the position, with its money. */
export interface LeavingFill extends ExecutedFill {
  readonly money: ExitPart;
}

export function takeExits(
  order: OrderRow,
  execution: Execution,
  position: SoldPosition,
  leaving: readonly LeavingFill[],
) {
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
    quantityMicros: row.quantity,
    priceWeight: BigInt(row.priceWeight),
  };
}
