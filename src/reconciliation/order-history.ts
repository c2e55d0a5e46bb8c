/** The history of one order as its operator reads it (contract 11.17): no word of it names a venue. Reads only. */
import { refuse } from '../core/errors.ts';
import { minuteOf, nameMarket, withThousands } from '../core/plain-words.ts';
import type { Sql } from '../db/client.ts';
import { fillsOf } from '../ledger/fills.ts';
import { readContractNames } from '../markets/catalogue/names.ts';
import type { OrderRow } from '../trading/orders/order.ts';
import { findOrderByReference, renderOrder } from '../trading/orders/read-orders.ts';
import type { OrderHistory } from '../wire/history.ts';
import type { OrderDetail } from '../wire/order.ts';
import { instructionsOf } from './order-instructions.ts';
import { type OrderStory, readOrderStory, timelineOf } from './order-timeline.ts';

export interface OrderQuestion {
  readonly operatorId: string;
  /** The id of the order, its executionRef in upper or lower case, or, with the customer, the operator's own id of it. */
  readonly reference: string;
  readonly externalUserId: string | undefined;
}

/**
 * @param sql a pool of the tenants' role
 * @throws unknown_order, also for an order of another operator
 */
export async function readOrderHistory(
  sql: Sql,
  { operatorId, reference, externalUserId }: OrderQuestion,
): Promise<OrderHistory> {
  const order = await findOrderByReference(sql, operatorId, reference, externalUserId);
  if (order === undefined) {
    throw refuse('unknown_order');
  }
  const [story, market] = await Promise.all([readOrderStory(sql, order), findMarket(sql, order.contractId)]);
  const { order: shown, sentence, ...rest } = summarize(order, story, market);
  const timeline = timelineOf(order, story).map(({ inside: _inside, ...event }) => event);
  return { order: shown, sentence, timeline, ...rest };
}

/** The names of a contract; null if the catalogue no longer has it. */
export type Market = { readonly title: string; readonly label: string } | null;

export async function findMarket(sql: Sql, contractId: string): Promise<Market> {
  const [name] = await readContractNames(sql, [contractId]);
  return name === undefined ? null : { title: name.title, label: name.label };
}

/** The history without its timeline. */
export function summarize(order: OrderRow, story: OrderStory, market: Market): Omit<OrderHistory, 'timeline'> {
  const shown = renderOrder(order, { intent: true, fills: fillsOf(story.rows) });
  const instructions = instructionsOf(story.rows);
  return {
    order: shown,
    sentence: sentenceOf(shown, story, market, instructions),
    instructions,
    webhooks: [...story.deliveries],
  };
}

/** The state of the customer's money, in words that support can read to the customer. */
function sentenceOf(
  order: OrderDetail,
  { rows }: OrderStory,
  market: Market,
  instructions: OrderHistory['instructions'],
): string {
  const { action, side, externalUserId: user, operatorMoney: buy, operatorExitMoney: sell } = order;
  const what = `${side} of "${market === null ? order.contractId : nameMarket(market.title, market.label)}"`;
  const on = minuteOf(order.createdAt);
  const filled = withThousands(order.filledQuantity);
  if (order.settlementState === 'pending') {
    const asked = buy === null ? `sell ${what}` : `buy ${what} for up to ${withThousands(buy.authorizationAmount)}`;
    const soFar = order.filledQuantity === 0 ? 'nothing is filled so far' : `${filled} contracts are filled so far`;
    return `${user}'s order of ${on} to ${asked} is not final; ${soFar}.`;
  }
  if (order.filledQuantity === 0) {
    const reason = order.rejectReason ?? order.cancelReason;
    const ended = order.status === 'rejected' ? 'was rejected' : 'was withdrawn';
    return `${user}'s order of ${on} to ${action} ${what} ${ended}${reason === null ? '' : ` (${reason})`}; no money moved.`;
  }
  const traded =
    buy === null
      ? `${user} sold ${filled} ${what} for ${withThousands(sell?.sellProceeds ?? '0.00')} on ${on}`
      : `${user} bought ${filled} ${what} for ${withThousands(buy.actualDebit)} on ${on}`;
  const settled = rows.find(({ kind }) => kind === 'position_settled');
  if (settled === undefined) {
    return `${traded}. The position is not settled; nothing is due.`;
  }
  const paid = instructions.find(({ key }) => key !== order.orderId);
  const due =
    paid === undefined ? 'nothing is due' : `${withThousands(paid.amount)} was credited for the whole position`;
  return `${traded}; position ${settled.outcome} on ${minuteOf(settled.recordedAt.toISOString())}; ${due}.`;
}
