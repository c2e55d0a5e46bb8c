/** What the fills of a sell take out of a position once their venue fees are known (rulings 8). Pure. */
import type { Fact } from '../../core/fact.ts';
import { fundsOf } from '../../ledger/order-entries.ts';
import { exitShare, type Holding } from '../../money/exit.ts';
import { type ExitPart, exitParts } from '../../money/exit-parts.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import type { PositionRow } from '../positions/position.ts';
import { positionExited } from '../records/position-exited.ts';
import { agreesWith } from './cross-check-fills.ts';
import type { Execution, Totals } from './execution.ts';

/** The position that is sold from, as it was read. */
export interface SoldPosition extends Holding {
  readonly positionId: string;
  readonly version: bigint;
  readonly averagePriceMicros: bigint;
}

/** @param exits how many fills have left the position after this; those before `order.exited_fills` left it earlier. */
export function takeExits(
  order: OrderForUpdate,
  execution: Execution,
  position: SoldPosition,
  exits: number,
  totalsAfter: (count: number) => Totals,
) {
  const funds = fundsOf(execution.mode, false, order.externalUserId);
  const facts: Fact[] = [];
  let holding: Holding = position;
  const sums = { quantityMicros: 0n, costShareMinor: 0n, feeShareMinor: 0n, weightShare: 0n, realisedMinor: 0n };
  const leaving = execution.fills.slice(order.exitedFills, exits);
  const partAfter = (count: number) => asPart(totalsAfter(count));
  const parts = exitParts(
    partAfter(order.exitedFills),
    leaving.map((_, place) => partAfter(order.exitedFills + place + 1)),
  );
  for (const [place, fill] of leaving.entries()) {
    const money = parts[place] as ExitPart;
    const share = exitShare(holding, fill.quantityMicros, money.proceedsMinor);
    const venueAgrees = agreesWith(execution.crossCheck, fill);
    const exit = { fill, share, money, entryPriceMicros: position.averagePriceMicros, venueAgrees };
    facts.push(...positionExited(order, funds, exit));
    sums.quantityMicros += fill.quantityMicros;
    sums.costShareMinor += share.costShareMinor;
    sums.feeShareMinor += share.feeShareMinor;
    sums.weightShare += holding.priceWeight - share.remaining.priceWeight;
    sums.realisedMinor += share.realisedPnlMinor;
    holding = share.remaining;
  }
  return { ...sums, facts };
}

function asPart({ tradeMinor, platformFeeMinor, venueFeeMinor }: Totals): ExitPart {
  return { proceedsMinor: tradeMinor - platformFeeMinor - venueFeeMinor, platformFeeMinor, venueFeeMinor };
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
