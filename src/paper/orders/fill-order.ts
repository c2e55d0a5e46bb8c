/** Fills an order from the book of its contract: one fill for each level, its fee if known, and the levels used up. */

import type { Level, PaperContract } from '../catalogue/question.ts';
import type { Exchange } from '../exchange.ts';
import { DOLLAR } from '../micros.ts';
import { feeOf, opposite, type PaperFill, type PaperOrder, take } from './order.ts';

/**
 * @param quantity the maximum in micro-contracts; the limit and the cost bound may allow less
 * @param step fills are multiples of this many micro-contracts
 * @param beyond whether to fill what the book lacks at the limit price
 */
export function fillOrder(
  exchange: Exchange,
  order: PaperOrder,
  contract: PaperContract,
  { quantity, step, beyond }: { quantity: number; step: number; beyond: boolean },
): void {
  const levels = opposite(contract.book, order);
  const taken = take(order, levels, quantity, step, contract.feeBps, beyond);
  if (taken.length === 0) {
    return;
  }
  const left = levels.map((level) => ({ ...level }));
  for (const { quantity: amount, price, level } of taken) {
    const fill: PaperFill = {
      fillId: `${order.orderId}-${order.fills.length + 1}`,
      quantity: amount,
      price,
      fee: contract.feeBps === null ? null : feeOf(amount, price, contract.feeBps),
      at: exchange.now(),
    };
    order.fills.push(fill);
    const rest = left[level];
    if (rest !== undefined) {
      rest.quantity -= amount;
    }
    exchange.traded(contract, amount, order.side === 'YES' ? price : DOLLAR - price);
  }
  takeAway(exchange, order, contract, left);
}

function takeAway(exchange: Exchange, order: PaperOrder, contract: PaperContract, left: readonly Level[]): void {
  const entry = exchange.find(contract.id);
  if (entry === undefined) {
    return;
  }
  const yes = left
    .filter((level) => level.quantity > 0)
    .map((level) => (order.side === 'YES' ? level : { ...level, price: DOLLAR - level.price }));
  const tookAsks = (order.side === 'YES') === (order.action === 'BUY');
  const { bids, asks } = contract.book;
  exchange.consume(entry, tookAsks ? bids : yes, tookAsks ? yes : asks);
}
