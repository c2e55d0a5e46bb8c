/**
 * An order that is filled as it is recorded: its state, its one fill, its money and its event. The ids of these items have the digits
 * of the order's id, and each item has a short form, so that the order and one narrow row of the feed hold all of it (docs/ledger.md).
 * Pure.
 */
import type { Fact } from '../../core/fact.ts';
import { idOf } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import { fillEntry, fundsOf } from '../../ledger/order-entries.ts';
import { formatMinor } from '../../money/usd.ts';
import { orderMoneyBlock } from '../orders/order.ts';
import { filledKey, fillItem } from './order-filled.ts';
import { type FillMoney, type FillState, feeItem, type OrderState, present, stateChanged } from './order-state.ts';

/** @param exited what the fill of a sell takes out of a position. */
export function filledAtOnce(
  order: OrderState,
  mode: Mode,
  fill: Pick<FillState, 'quantityMicros' | 'priceMicros'>,
  money: FillMoney,
  exited: readonly Fact[],
): Fact[] {
  const { available } = fundsOf(mode, true, order.externalUserId);
  return present([
    filledState(order),
    onlyFill(order, fill),
    ...(order.action === 'buy'
      ? [fillEntry(order.orderId, available, money), onlyFee(order, money.platformFeeMinor)]
      : exited),
    onlyEvent(order),
  ]);
}

function filledState(order: OrderState): Fact {
  const money = orderMoneyBlock(order);
  const amounts =
    money === null
      ? []
      : [money.authorizationAmount, money.actualDebit, money.releaseAmount, money.tradeAmount, money.platformFee];
  return {
    ...stateChanged(order, null),
    itemId: idOf('chg', order.orderId),
    short: [
      order.status,
      order.side,
      order.action,
      order.executionRef,
      order.contractId,
      ...amounts,
      `\t${order.clientOrderId}`,
    ],
  };
}

function onlyFill(order: OrderState, fill: Pick<FillState, 'quantityMicros' | 'priceMicros'>): Fact {
  const item = fillItem(order, { ...fill, fillId: idOf('fil', order.orderId) });
  const { quantity, price } = item.detail;
  return { ...item, short: [JSON.stringify(quantity), JSON.stringify(price)] };
}

/** @returns null for a fee of zero, which has no item (contract 21.11). */
function onlyFee({ orderId, feeBps }: OrderState, amountMinor: bigint): Fact | null {
  const amount = formatMinor(amountMinor);
  return amountMinor === 0n
    ? null
    : { ...feeItem(idOf('fee', orderId), 'platform', amount, feeBps), short: [amount, `${feeBps}`] };
}

/** The data of the event are read from the order's row (the view order_events), as `filledEvent` makes them. */
function onlyEvent({ orderId }: OrderState): Fact {
  return {
    type: 'webhook.emitted',
    itemId: idOf('evn', orderId),
    money: null,
    detail: { eventType: 'order.filled', dedupeKey: filledKey(orderId, idOf('fil', orderId)) },
    short: [],
  };
}
