/** A fill of a sell leaves its position: the ledger entry, the fees and the `position.exited` item, once the venue fee is known (contract 21.10). Pure. */
import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { collateralFunds, type Funds } from '../../ledger/accounts.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { exitEntry } from '../../ledger/order-entries.ts';
import { fillExitMoney } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import type { ExitShare } from '../../money/exit.ts';
import type { ExitPart } from '../../money/exit-parts.ts';
import { formatMinor } from '../../money/usd.ts';
import { type FillState, feeAssessed, type OrderState, present } from './order-state.ts';

export interface Exit {
  readonly fill: Pick<FillState, 'quantityMicros' | 'priceMicros'>;
  /** What leaves the position. */
  readonly share: ExitShare;
  /** Money of this fill, cents. */
  readonly money: ExitPart;
  readonly entryPriceMicros: bigint;
  /** Whether the venue's own record of the fill agrees; null if there is none. */
  readonly venueAgrees: boolean | null;
}

/** @param funds where the proceeds go. */
export function positionExited(
  order: Pick<OrderState, 'orderId' | 'executionRef' | 'contractId' | 'side' | 'simulated' | 'feeBps'>,
  funds: Funds,
  { fill, share, money, entryPriceMicros, venueAgrees }: Exit,
): Fact[] {
  const { proceedsMinor, platformFeeMinor, venueFeeMinor } = money;
  const stakeShareMinor = share.costShareMinor - share.feeShareMinor;
  const entry = exitEntry(order.orderId, funds.available, { ...money, stakeShareMinor });
  const returns = entry !== null && funds === collateralFunds && proceedsMinor !== 0n;
  return present([
    entry,
    returns ? collateralMoved('return', proceedsMinor, entry) : null,
    feeAssessed('platform', platformFeeMinor, order.feeBps),
    feeAssessed('venue', venueFeeMinor, null),
    {
      type: 'position.exited',
      itemId: newId('exi'),
      money: fillExitMoney(money),
      detail: {
        side: order.side,
        quantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
        quantityRemaining: jsonNumber(share.remaining.quantityMicros, MICRO_SCALE),
        exitPrice: jsonNumber(fill.priceMicros, MICRO_SCALE),
        entryPrice: jsonNumber(entryPriceMicros, MICRO_SCALE),
        simulated: order.simulated,
        venueAgrees,
        venueFeeKnown: true,
        costBasis: formatMinor(share.costShareMinor),
        entryFeeShare: formatMinor(share.feeShareMinor),
        realisedPnl: formatMinor(share.realisedPnlMinor),
        executionRef: order.executionRef,
        contractId: order.contractId,
      },
    },
  ]);
}
