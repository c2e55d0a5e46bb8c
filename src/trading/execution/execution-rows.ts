/**
 * The rows that a transmitted order leaves in the journal: its fills, the contracts that it buys or that leave a position, its answers
 * and its end. Pure.
 */
import { newDigits } from '../../core/ids.ts';
import type { Mode, OrderStatus } from '../../core/terms.ts';
import type { JournalEntry, LateFees } from '../../ledger/journal-row.ts';
import { countItems } from '../../ledger/render/items.ts';
import type { FillMoney } from '../../money/blocks.ts';
import {
  boughtFor,
  type Exit,
  fundsOf,
  orderColumns,
  orderEnds,
  present,
  releaseOf,
  rowOf,
  soldFor,
  stateChanged,
} from '../orders/journal-rows.ts';
import type { NewAttempt, Order, OrderRow } from '../orders/order.ts';
import {
  type Ending,
  type Execution,
  type FilledSums,
  NOTHING,
  plusFill,
  subtract,
  sumFills,
  type Totals,
} from './report.ts';

/** The order after these fills and their cumulative money, which its rows already show while a read still shows 0.00 (contract 26.10). */
export function stateAfter(
  order: Order,
  fills: Execution['fills'],
  totals: Omit<Totals, 'overrunMinor'>,
  ending: Pick<Ending, 'status' | 'transmissionState'>,
): Order {
  return stateWith(order, sumFills(fills), totals, ending);
}

function stateWith(
  order: Order,
  { filledMicros, priceWeight }: FilledSums,
  totals: Omit<Totals, 'overrunMinor'>,
  { status, transmissionState }: Pick<Ending, 'status' | 'transmissionState'>,
): Order {
  return {
    ...order,
    status,
    transmissionState,
    filledQuantityMicros: filledMicros,
    priceWeight: `${priceWeight}`,
    tradeMinor: totals.tradeMinor,
    platformFeeMinor: totals.platformFeeMinor,
    venueFeeMinor: totals.venueFeeMinor,
    venueFeeKnown: totals.venueFeeKnown,
  };
}

const OPEN = { status: 'partially_filled', transmissionState: 'unknown' } as const;

/**
 * A row for each fill that is not recorded yet. Its items have the digits of the fill's id.
 * @param totalsAfter cumulative money after the given number of fills
 */
export function newFills(
  order: Order,
  { fills, askedMicros }: Execution,
  ending: Ending,
  totalsAfter: (count: number) => Omit<Totals, 'overrunMinor'>,
): JournalEntry[] {
  let filled = { filledMicros: 0n, priceWeight: 0n };
  return fills.flatMap((fill, index) => {
    filled = plusFill(filled, fill);
    if (fill.recorded) {
      return [];
    }
    const last = index === fills.length - 1;
    const after = totalsAfter(index + 1);
    const state = stateWith(order, filled, after, last ? ending : OPEN);
    const money = subtract(after, index === 0 ? NOTHING : totalsAfter(index));
    const row = {
      ...orderColumns(state),
      kind: 'order_filled',
      digits: fill.fillId.slice('fil_'.length),
      filledQuantityMicros: filled.filledMicros,
      priceWeight: filled.priceWeight,
      fillNo: index + 1,
      quantityMicros: fill.quantityMicros,
      priceMicros: fill.priceMicros,
      fillTradeMinor: money.tradeMinor,
      fillPlatformFeeMinor: money.platformFeeMinor,
      fillVenueFeeMinor: money.venueFeeMinor,
      fillFeeKnown: fill.feeMicros !== null,
      fillFeeMicros: fill.feeMicros,
      venueFillId: fill.venueFillId,
      earnedMicros: fill.feeMicros === null ? null : (fill.earnedMicros ?? null),
      partial: state.filledQuantityMicros < askedMicros,
    } as const;
    return [{ ...row, items: countItems(row) }];
  });
}

/**
 * The entry of a buy's new fills with their fees.
 * @param money the difference to the amounts that are booked already
 * @param isLoss whether the contracts are gone, so that the fees are a loss and no longer a part of their cost
 */
export function contractsBought(order: Order, mode: Mode, money: FillMoney, isLoss = false): JournalEntry | null {
  const { orderId, externalUserId, feeBps } = order;
  const funds = fundsOf(mode);
  return rowOf({
    kind: 'contracts_bought',
    orderId,
    externalUserId,
    action: 'buy',
    feeBps,
    funds,
    isLoss,
    ...boughtFor(money, 'held'),
  });
}

/** A fill of a sell leaves its position, once its venue fee is known (contract 21.10). */
export function contractsSold(order: Order, mode: Mode, exit: Exit): JournalEntry {
  const { orderId, externalUserId, executionRef, contractId, side, simulated, feeBps } = order;
  const row = {
    kind: 'contracts_sold',
    orderId,
    externalUserId,
    executionRef,
    contractId,
    side,
    action: 'sell',
    simulated,
    feeBps,
    funds: fundsOf(mode),
    quantityMicros: exit.fill.quantityMicros,
    priceMicros: exit.fill.priceMicros,
    ...soldFor(exit),
  } as const;
  return { digits: newDigits(), ...row, items: countItems(row) };
}

/** @param attempt the request to the venue; null if the service fills the order itself */
export function orderSent(order: Order, fromStatus: OrderStatus, attempt: NewAttempt | null): JournalEntry {
  return stateChanged(
    'order_sent',
    order,
    fromStatus,
    attempt === null
      ? {}
      : {
          quantityMicros: attempt.quantityMicros,
          priceMicros: attempt.limitPriceMicros,
          spendMicros: attempt.spendMicros,
          ourId: attempt.ourId,
          validSeconds: attempt.validSeconds,
        },
  );
}

/** The answer to an order that was sent: its state afterwards, and the fees of earlier fills that became known. */
export function orderAnswered(
  state: Order,
  fromStatus: OrderStatus,
  { fills }: Execution,
  reason: string | null,
): JournalEntry {
  const late = fills.flatMap(({ recorded, feeRecorded, feeMicros, earnedMicros = 0n }, index) =>
    recorded && !feeRecorded && feeMicros !== null ? [{ fillNo: index + 1, feeMicros, earnedMicros }] : [],
  );
  const detail: LateFees | null =
    late.length === 0
      ? null
      : {
          fees: Object.fromEntries(late.map(({ fillNo, feeMicros }) => [fillNo, `${feeMicros}`])),
          ...(late.some(({ earnedMicros }) => earnedMicros > 0n) && {
            earned: Object.fromEntries(late.map(({ fillNo, earnedMicros }) => [fillNo, `${earnedMicros}`])),
          }),
        };
  return stateChanged('order_answered', state, fromStatus, { reason, detail });
}

/**
 * The end of an order that was sent: an overrun is posted, the amount that it still held is released, and a webhook event reports the end.
 * @param state the order after the execution
 * @param reason the reason of a rejection, in public words
 * @param releasedMinor cents of a buy that are no longer held
 */
export function orderEnded(
  order: OrderRow,
  execution: Execution,
  ending: Ending,
  totals: Totals,
  state: Order,
  reason: string | null,
  releasedMinor: bigint,
): JournalEntry[] {
  const { orderId, externalUserId } = order;
  const released =
    releasedMinor > 0n
      ? rowOf({ kind: 'authorization_released', orderId, externalUserId, ...releaseOf(execution.mode, releasedMinor) })
      : null;
  return present([overrunPosted(order, execution, ending, totals), released, endOf(execution, ending, state, reason)]);
}

/**
 * The amount that a venue takes beyond the amount sent, or pays beyond the quantity sent, belongs to the service. It is posted once, when
 * the order is final.
 */
function overrunPosted(
  { orderId, externalUserId }: OrderRow,
  { gainedMinor = 0n }: Execution,
  { resolved }: Ending,
  totals: Totals,
): JournalEntry | null {
  const other = resolved ? totals.overrunMinor - gainedMinor : 0n;
  return rowOf({
    kind: 'overrun_posted',
    orderId,
    externalUserId,
    other,
    otherAccount: 'overrun',
    venueFees: -other,
    ...(gainedMinor > 0n && { tradeMinor: gainedMinor }),
  });
}

/**
 * @returns null while the order continues, and if its first answer was final and filled it whole, because the event of that fill then
 * reports the end (contract 26.12)
 */
function endOf(
  { fills, acknowledged = false }: Execution,
  ending: Ending,
  state: Order,
  reason: string | null,
): JournalEntry | null {
  if (ending.status === 'rejected') {
    return orderEnds(state, 0, false, reason);
  }
  if (!ending.resolved || (ending.matched && !acknowledged)) {
    return null;
  }
  return orderEnds(state, fills.length, !ending.matched);
}
