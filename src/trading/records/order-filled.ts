/** An order is filled: the item and the webhook event of each fill, and for a buy the ledger entry with its fees. Pure. */
import type { Fact } from '../../core/fact.ts';
import type { Mode } from '../../core/terms.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { fillEntry, fundsOf } from '../../ledger/order-entries.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import { type Ending, type Execution, NOTHING, subtract, sumFills, type Totals } from '../execution/execution.ts';
import type { OrderForUpdate } from '../orders/transition-orders.ts';
import {
  type FillMoney,
  type FillState,
  feeAssessed,
  namesOf,
  type OrderState,
  present,
  stateOf,
  tradedSoFar,
  webhookEvent,
} from './order-state.ts';

const OPEN = { status: 'partially_filled', transmissionState: 'unknown' } as const;

/** The order after these fills and their cumulative money, even while a read still shows 0.00 (contract 26.10). */
export function stateAfter(
  order: OrderForUpdate,
  fills: Execution['fills'],
  totals: Omit<Totals, 'overrunMinor'>,
  { status, transmissionState }: Pick<Ending, 'status' | 'transmissionState'>,
): OrderState {
  const { filledMicros, priceWeight } = sumFills(fills);
  return stateOf(order, {
    status,
    transmissionState,
    filledQuantity: filledMicros,
    priceWeight,
    tradeMinor: totals.tradeMinor,
    platformFeeMinor: totals.platformFeeMinor,
    venueFeeMinor: totals.venueFeeMinor,
    venueFeeKnown: totals.venueFeeKnown,
  });
}

/** Item and event of each fill that is not recorded yet. */
export function newFills(
  order: OrderForUpdate,
  { fills, askedMicros }: Execution,
  ending: Ending,
  totalsAfter: (count: number) => Omit<Totals, 'overrunMinor'>,
): Fact[] {
  return fills.flatMap((fill, index) => {
    if (fill.recorded) {
      return [];
    }
    const last = index === fills.length - 1;
    const after = totalsAfter(index + 1);
    const state = stateAfter(order, fills.slice(0, index + 1), after, last ? ending : OPEN);
    const numbered = { ...fill, fillNo: index + 1, feeKnown: fill.feeMicros !== null };
    const money = subtract(after, index === 0 ? NOTHING : totalsAfter(index));
    return [fillItem(state, numbered), filledEvent(state, numbered, money, state.filledQuantity < askedMicros)];
  });
}

/**
 * The entry of a buy's new fills with their fees.
 * @param money the difference to what is booked already.
 * @param isLoss nothing is held any more that the fees could be a cost of.
 */
export function contractsBought(order: OrderForUpdate, mode: Mode, money: FillMoney, isLoss = false): Fact[] {
  const entry = fillEntry(order.orderId, fundsOf(mode, false, order.externalUserId).held, money);
  const spentMinor = money.tradeMinor + money.platformFeeMinor + money.venueFeeMinor;
  return present([
    entry,
    entry !== null && mode === 'live' && spentMinor !== 0n ? collateralMoved('spend', spentMinor, entry) : null,
    feeAssessed('platform', money.platformFeeMinor, order.feeBps, isLoss),
    feeAssessed('venue', money.venueFeeMinor, null, isLoss),
  ]);
}

export function fillItem(order: OrderState, fill: Pick<FillState, 'fillId' | 'quantityMicros' | 'priceMicros'>) {
  return {
    type: 'order.filled',
    itemId: fill.fillId,
    money: null,
    detail: {
      quantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
      price: jsonNumber(fill.priceMicros, MICRO_SCALE),
      side: order.side,
      executionRef: order.executionRef,
    },
  } satisfies Fact;
}

export const filledKey = (orderId: string, fillId: string) => `order.filled:${orderId}:${fillId}`;

/** @param partial whether less is matched than was asked for. */
export function filledEvent(order: OrderState, fill: FillState, fillMoney: FillMoney, partial: boolean): Fact {
  const { tradeMinor, platformFeeMinor, venueFeeMinor } = fillMoney;
  const buys = order.action === 'buy';
  const { filledQuantity, averagePrice, operatorMoney, operatorExitMoney } = tradedSoFar(order);
  return webhookEvent('order.filled', filledKey(order.orderId, fill.fillId), {
    ...namesOf(order),
    fillId: fill.fillId,
    contractId: order.contractId,
    side: order.side,
    action: order.action,
    fillQuantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
    fillPrice: jsonNumber(fill.priceMicros, MICRO_SCALE),
    filledQuantity,
    averagePrice,
    status: order.status,
    transmissionState: order.transmissionState,
    operatorMoney,
    operatorExitMoney,
    simulated: order.simulated,
    fillSequence: fill.fillNo,
    partial,
    final: order.transmissionState === 'resolved',
    fillMoney: {
      currency: 'USD',
      tradeAmount: formatMinor(tradeMinor),
      platformFee: formatMinor(platformFeeMinor),
      venueFee: formatMinor(venueFeeMinor),
      venueFeeKnown: fill.feeKnown,
      actualDebit: buys ? formatMinor(tradeMinor + platformFeeMinor + venueFeeMinor) : null,
      sellProceeds: buys ? null : formatMinor(tradeMinor - platformFeeMinor - venueFeeMinor),
    },
  });
}
