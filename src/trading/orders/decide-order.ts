/**
 * Decides an order on its context and the board, and composes the command that writes it. A simulated order is filled, partly filled, left
 * unfilled or rejected here; a recorded intent waits. The money statement verifies the facts on which the order was decided. Pure.
 */
import { type Refusal, refuse } from '../../core/errors.ts';
import { newExecutionRef, newId } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import type { JournalEntry } from '../../ledger/journal-row.ts';
import type { Board } from '../../markets/board/board.ts';
import { areHalted, type HaltedVenues } from '../../markets/board/board-state.ts';
import type { BoardContract } from '../../markets/event.ts';
import { debitOf, proceedsOf } from '../../money/blocks.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import { armsAtOnce, simulateCeilingMinor } from '../../operators/operator.ts';
import { checkOffering } from '../../risk/offering.ts';
import type { Trader } from '../quotes/issue-quote.ts';
import { candidateBooks, classifyFreshness } from '../quotes/routing.ts';
import { orderEnds, orderExecuted, orderRecorded, orderTerms, present, stateChanged } from './journal-rows.ts';
import type { Intent, Order, OrderCommand, OrderContext, OrderEffects, OrderRow } from './order.ts';
import type { OrderVerdict } from './orders.ts';
import { type FillOutcome, NOTHING_FILLED, reject, simulate } from './simulate-fill.ts';

export interface OrderRequest {
  readonly quoteId: string;
  readonly clientOrderId: string;
  readonly intent: Intent;
  readonly reserveReference: string | null;
  readonly slippageMicros: bigint;
}

interface DecidedOrder {
  readonly orderId: string;
  readonly executionRef: string;
  readonly contract: BoardContract | undefined;
  /** The market's refusal, which is reported after the refusals that concern the quote itself. */
  readonly refusal: Refusal | null;
  /** A refusal that is reported after the limits and before the funds. */
  readonly lateRefusal: Refusal | null;
  readonly outcome: FillOutcome;
}

/** @param halted venues to which a live operator's orders may not be sent now; null if no venue is halted, or for a sandbox operator */
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
  // The quote may have been issued before the offer was narrowed, or outside the book of this session.
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
  // Routing between matched listings may have ended since the buy was quoted. A sell goes to the venue that holds the contracts.
  const { books } = context.action === 'buy' ? candidateBooks(contract) : contract;
  const book = books.find((candidate) => candidate.venue === context.venue);
  if (book === undefined) {
    return refuse('market_unavailable');
  }
  const classified = classifyFreshness(board, contract, book, context.authorizationMinor, now);
  return 'refusal' in classified ? classified.refusal : null;
}

/** A decided order as a command of the money statement: its row, its effects, and the journal rows that are recorded with it. */
export function composeOrder(
  { operator, externalUserId }: Trader,
  request: OrderRequest,
  context: OrderContext,
  decided: DecidedOrder,
): OrderCommand {
  const { outcome } = decided;
  const buys = context.action === 'buy';
  const waits = request.intent === 'record_intent';
  const recorded = outcome.status !== 'rejected';
  const confirmed = outcome.status === 'pending_venue_execution';
  const weight = outcome.filledMicros * (outcome.fillPriceMicros ?? 0n);
  const order: Order = {
    operatorId: operator.operatorId,
    orderId: decided.orderId,
    externalUserId,
    clientOrderId: request.clientOrderId,
    executionRef: decided.executionRef,
    quoteId: request.quoteId,
    contractId: context.contractId,
    side: context.side,
    action: context.action,
    intent: request.intent,
    status: outcome.status,
    transmissionState: waits ? 'not_transmitted' : 'resolved',
    simulated: context.simulated || !waits,
    priceMicros: context.priceMicros,
    slippageMicros: request.slippageMicros,
    feeBps: context.feeBps,
    authorizationMinor: context.authorizationMinor,
    quotedFeeMinor: context.feeMinor,
    quotedTradeMinor: context.tradeMinor,
    quotedQuantityMicros: context.quantityMicros,
    filledQuantityMicros: outcome.filledMicros,
    priceWeight: `${weight}`,
    tradeMinor: outcome.tradeMinor,
    platformFeeMinor: outcome.platformFeeMinor,
    venueFeeMinor: 0n,
    venueFeeKnown: !waits,
    positionId: buys ? null : context.positionId,
    scenarioId: !recorded || outcome.status === 'reserve_pending' ? null : context.scenarioId,
    rejectReason: outcome.rejectReason,
    routingReason: context.routingReason,
    consideredVenues: context.consideredVenues,
    venue: context.venue,
    levels: context.levels,
    armed: waits && armsAtOnce(operator),
    reserveReference: request.reserveReference,
    cancellationId: null,
    cancelReason: null,
    version: 1n,
  };
  const exit =
    buys || outcome.filledMicros === 0n ? null : shareOf(context, outcome.filledMicros, outcome.proceedsMinor);
  const commitsMinor = waits && confirmed && operator.mode === 'live' && buys ? context.authorizationMinor : 0n;
  return {
    ...order,
    ...(buys ? bought(order, weight) : recorded ? exited(order, context, exit) : {}),
    // an intent that waits is planned on the book at which it is sent, so that a book which moves on repeats no decision
    bookRevision: waits && decided.refusal === null ? null : (decided.contract?.bookRevision ?? null),
    refusal: decided.refusal?.code ?? null,
    lateRefusal: decided.lateRefusal?.code ?? null,
    walletMinor: operator.mode === 'sandbox' && buys && recorded ? context.authorizationMinor : 0n,
    collateralMinor: commitsMinor,
    journal: waits
      ? orderRecorded(order, operator.mode, commitsMinor)
      : outcomeRows(operator.mode, order, context, decided, exit),
  };
}

/** A buy that is filled at once opens a position or extends the open one. */
function bought(order: Order, weight: bigint): OrderEffects {
  return order.filledQuantityMicros === 0n
    ? {}
    : {
        opensPositionId: newId('pos'),
        addQuantityMicros: order.filledQuantityMicros,
        addCostMinor: debitOf(order),
        addFeesMinor: order.platformFeeMinor + order.venueFeeMinor,
        addWeight: weight,
      };
}

/** A sell that is filled at once takes its contracts out of the position. One that waits holds them back until a venue has answered. */
function exited(order: Order, context: OrderContext, exit: ExitShare | null): OrderEffects {
  return {
    positionVersion: context.positionId === null ? null : context.positionVersion,
    holdQuantityMicros: order.intent === 'record_intent' ? order.quotedQuantityMicros : 0n,
    ...(exit !== null && {
      takeQuantityMicros: order.filledQuantityMicros,
      costShareMinor: exit.costShareMinor,
      feeShareMinor: exit.feeShareMinor,
      weightShare: BigInt(context.priceWeight) - exit.remaining.priceWeight,
      addRealisedMinor: proceedsOf(order) - exit.costShareMinor,
    }),
  };
}

function shareOf(context: OrderContext, filledMicros: bigint, proceedsMinor: bigint): ExitShare | null {
  if (context.positionId === null || filledMicros > context.positionQuantityMicros) {
    return null;
  }
  const holding = {
    costBasisMinor: context.costBasisMinor,
    entryFeesMinor: context.entryFeesMinor,
    quantityMicros: context.positionQuantityMicros,
    priceWeight: BigInt(context.priceWeight),
  };
  return exitShare(holding, filledMicros, proceedsMinor);
}

function outcomeRows(
  mode: Mode,
  order: Order,
  context: OrderContext,
  { outcome }: DecidedOrder,
  share: ExitShare | null,
): JournalEntry[] {
  const { fillPriceMicros, filledMicros, proceedsMinor, tradeMinor, platformFeeMinor } = outcome;
  if (outcome.status === 'rejected') {
    const rejected = stateChanged('order_executed', order, null, { ...orderTerms(order), reason: 'price_moved' });
    return present([rejected, orderEnds(order, 0, false, outcome.rejectReason ?? 'price_moved')]);
  }
  if (fillPriceMicros === null) {
    return present([stateChanged('order_executed', order, null, orderTerms(order)), orderEnds(order, 0, true)]);
  }
  const fill = { quantityMicros: filledMicros, priceMicros: fillPriceMicros };
  const exit = share && {
    fill,
    share,
    money: { tradeMinor, platformFeeMinor, venueFeeMinor: 0n, proceedsMinor },
    entryPriceMicros: context.averagePriceMicros,
    venueAgrees: null,
  };
  const executed = orderExecuted(order, mode, fill, exit);
  return present([executed, outcome.status === 'filled' ? null : orderEnds(order, 1, true)]);
}

/** The order as the statement wrote it, without a read. */
export function writtenOrder(
  command: OrderCommand,
  { positionId, createdAt }: Pick<OrderVerdict, 'positionId' | 'createdAt'>,
): OrderRow {
  return {
    ...command,
    positionId,
    createdAt,
    updatedAt: createdAt,
    reserveConfirmedAt: command.status === 'pending_venue_execution' ? createdAt : null,
    cancelledAt: null,
    transmittedAt: null,
  };
}
