/**
 * Decides an order on its context and the board: pure. A simulated order is filled, part filled, left unfilled or rejected
 * here; a recorded intent waits. The money statement verifies what it was decided on and writes it, or answers what has changed.
 */
import { type Refusal, refuse } from '../../core/errors.ts';
import { newExecutionRef, newId } from '../../core/ids.ts';
import type { Board } from '../../markets/board/board.ts';
import { areHalted, type HaltedVenues } from '../../markets/board/board-state.ts';
import type { BoardContract } from '../../markets/event.ts';
import { simulateCeilingMinor } from '../../operators/operator.ts';
import { checkOffering } from '../../risk/offering.ts';
import { classifyFreshness } from '../quotes/freshness.ts';
import { candidateBooks } from '../quotes/routing.ts';
import type { Trader } from '../trader.ts';
import type { Intent } from './order.ts';
import type { OrderContext } from './order-context.ts';
import { type FillOutcome, NOTHING_FILLED, reject, simulate } from './simulate-fill.ts';

export interface OrderRequest {
  readonly quoteId: string;
  readonly clientOrderId: string;
  readonly intent: Intent;
  readonly reserveReference: string | null;
  readonly slippageMicros: bigint;
}

export interface DecidedOrder {
  readonly orderId: string;
  readonly executionRef: string;
  readonly contract: BoardContract | undefined;
  /** What the market refuses; reported after the refusals that concern the quote itself. */
  readonly refusal: Refusal | null;
  /** Reported after limits and before funds. */
  readonly lateRefusal: Refusal | null;
  readonly outcome: FillOutcome;
}

/** @param halted venues to which a live operator's orders may not be sent now; null if there are none */
export function decideOrder(
  board: Board,
  trader: Trader,
  request: OrderRequest,
  context: OrderContext,
  ids: { readonly orderId: string; readonly executionRef: string },
  now: Date,
  halted: HaltedVenues | null,
): DecidedOrder {
  const contract = board.contracts.get(context.contractId);
  // A quote may have been issued before the offer was narrowed, or outside the book of this session.
  const unoffered =
    contract === undefined
      ? null
      : (checkOffering(trader.offering, contract) ?? checkHalted(contract, context, halted));
  if (request.intent === 'record_intent') {
    const status = request.reserveReference === null ? 'reserve_pending' : 'pending_venue_execution';
    const outcome = { ...NOTHING_FILLED, status, rejectReason: null } as const;
    return { ...ids, contract, refusal: unoffered, lateRefusal: null, outcome };
  }
  const size = context.action === 'buy' ? context.authorizationMinor : context.tradeMinor;
  const ceiling = simulateCeilingMinor(trader.operator);
  const lateRefusal =
    size > ceiling ? refuse('simulation_not_permitted', undefined, { maxStake: Number(ceiling) / 100 }) : null;
  const refusal = unoffered ?? validateMarket(board, contract, context, now);
  const outcome =
    refusal === null ? simulate(contract, context, request.slippageMicros, ids.executionRef) : reject(ids.executionRef);
  return { ...ids, contract, refusal, lateRefusal, outcome };
}

export function newOrderIds(): { orderId: string; executionRef: string } {
  return { orderId: newId('ord'), executionRef: newExecutionRef() };
}

function checkHalted(
  contract: BoardContract,
  { action, venue }: OrderContext,
  halted: HaltedVenues | null,
): Refusal | null {
  const books =
    action === 'buy' ? candidateBooks(contract).books : contract.books.filter((book) => book.venue === venue);
  return halted !== null && areHalted(books, halted) ? refuse('trading_paused') : null;
}

function validateMarket(
  board: Board,
  contract: BoardContract | undefined,
  context: OrderContext,
  now: Date,
): Refusal | null {
  if (contract === undefined) {
    return refuse('market_unavailable');
  }
  // Routing between matched listings may have ended since a buy was quoted. A sell goes to the venue that holds the contracts.
  const { books } = context.action === 'buy' ? candidateBooks(contract) : contract;
  const book = books.find((candidate) => candidate.venue === context.venue);
  if (book === undefined) {
    return refuse('market_unavailable');
  }
  const classified = classifyFreshness(board, contract, book, context.authorizationMinor, now);
  return 'refusal' in classified ? classified.refusal : null;
}
