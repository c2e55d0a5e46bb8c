/** Plans the one attempt of an order against the book as it is now: limit, quantity and bound on cost. Pure. */

import { otherSide } from '../../core/terms.ts';
import type { Board } from '../../markets/board/board.ts';
import type { Book } from '../../markets/event.ts';
import { askLadder, bidLadder } from '../../money/book.ts';
import { type PlanRefusal, planLiveBuy, planLiveSell, takerFee } from '../../money/live-plan.ts';
import type { OrderToPlace, Venue } from '../../venues/port.ts';
import type { OrderRow } from '../orders/order.ts';
import { partIsPaused } from '../quotes/can-take.ts';
import { classifyFreshness } from '../quotes/freshness.ts';

/** What is sent, but for its expiry, which is on the database's clock. */
export type PlannedOrder = Omit<OrderToPlace, 'expiresAt'>;

export type Plan =
  | { readonly order: PlannedOrder }
  /** The order is withdrawn unsent with this code. */
  | { readonly withdraw: PlanRefusal['code'] | 'line_not_available' }
  /** There is no fresh book now; the order keeps waiting. */
  | { readonly wait: string };

/** The book of the order's contract at its venue; undefined if it has none now. */
export function bookAt(board: Board, order: Pick<OrderRow, 'contractId' | 'venue'>): Book | undefined {
  return board.contracts.get(order.contractId)?.books.find((candidate) => candidate.venue === order.venue);
}

export function planAttempt(board: Board, venue: Venue, order: OrderRow, ourId: string, now: Date): Plan {
  const contract = board.contracts.get(order.contractId);
  const book = bookAt(board, order);
  if (contract === undefined || book === undefined) {
    return { wait: 'no book of the contract' };
  }
  if (order.action === 'buy' && book.matched && !contract.routable) {
    // The match ended after the order was placed: nothing more is bought there.
    return { withdraw: 'line_not_available' };
  }
  if (partIsPaused(board, book)) {
    return { wait: 'the venue has paused trading on this part' };
  }
  const classified = classifyFreshness(board, contract, book, order.authorizationMinor, now);
  if ('refusal' in classified) {
    // An old price is no reason to withdraw (contract 12.15 lists them): the order waits until the feed is back.
    return { wait: classified.refusal.code };
  }
  const steps = {
    stepMicros: book.quantityStepMicros,
    minimumMicros: venue.minimumQuantityMicros,
    quotedPriceMicros: order.priceMicros,
    maxSlippageMicros: order.slippageMicros,
  };
  const head = {
    ourId,
    listingId: book.listingId,
    side: book.inverse ? otherSide(order.side) : order.side,
    ...(book.part === null ? {} : { part: book.part }),
    fee: book.fee,
  };
  if (order.action === 'sell') {
    const ladder = bidLadder(order.side, book.bids, book.asks);
    const plan = planLiveSell({ ...steps, ladder, contractsMicros: order.quotedQuantity });
    return plan.ok
      ? {
          order: {
            ...head,
            action: 'SELL',
            quantityMicros: plan.quantityMicros,
            limitPriceMicros: plan.limitPriceMicros,
          },
        }
      : { withdraw: plan.code };
  }
  const plan = planLiveBuy({
    ...steps,
    minimumCostMinor: venue.minimumAmountMinor,
    ladder: askLadder(order.side, book.bids, book.asks),
    tradeMinor: order.quotedTradeMinor,
    takerFee: takerFee(book.fee),
    ...(venue.feeStepMicros === undefined ? {} : { feeStepMicros: venue.feeStepMicros }),
    boundsCost: venue.takesCostBound,
    takesDollars: venue.takesDollars === true,
  });
  if (!plan.ok) {
    return { withdraw: plan.code };
  }
  return {
    order: {
      ...head,
      action: 'BUY',
      quantityMicros: plan.quantityMicros,
      limitPriceMicros: plan.limitPriceMicros,
      ...(venue.takesCostBound ? { maxCostMicros: plan.maxCostMicros } : {}),
      ...(plan.spendMicros === undefined ? {} : { spendMicros: plan.spendMicros }),
    },
  };
}
