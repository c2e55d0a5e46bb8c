/** `position.exited`: one item a sell fill, written once its venue fee is known (rulings 8). */
import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { fillExitMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import type { ExitShare } from '../../money/exit.ts';
import type { ExitPart } from '../../money/exit-parts.ts';
import { formatMinor } from '../../money/usd.ts';
import type { FillState, OrderState } from './order-items.ts';

/**
 * @param money of this fill, the difference of two cumulatives, cents.
 * @param venueAgrees whether the venue's own record agrees; null where it was not asked or there is none.
 */
export function exitedFact(
  order: Pick<OrderState, 'side' | 'simulated'>,
  fill: FillState,
  exit: ExitShare,
  money: ExitPart,
  entryPriceMicros: bigint,
  venueAgrees: boolean | null = null,
): Fact {
  return {
    type: 'position.exited',
    itemId: newId('exi'),
    money: fillExitMoney(money),
    detail: {
      side: order.side,
      quantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
      quantityRemaining: jsonNumber(exit.remaining.quantityMicros, MICRO_SCALE),
      exitPrice: jsonNumber(fill.priceMicros, MICRO_SCALE),
      entryPrice: jsonNumber(entryPriceMicros, MICRO_SCALE),
      simulated: order.simulated,
      venueAgrees,
      venueFeeKnown: true,
      costBasis: formatMinor(exit.costShareMinor),
      entryFeeShare: formatMinor(exit.feeShareMinor),
      realisedPnl: formatMinor(exit.realisedPnlMinor),
    },
  };
}
