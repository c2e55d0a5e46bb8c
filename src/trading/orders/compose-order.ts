/** A decided order as the command of the money statement: its row, and the rows of the journal that are recorded with it. */

import { newId } from '../../core/ids.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import { armsAtOnce } from '../execution/may-send.ts';
import { orderExecuted } from '../records/fill-rows.ts';
import {
  type OrderState,
  type OrderTerms,
  orderEnds,
  orderRecorded,
  present,
  stateChanged,
} from '../records/order-rows.ts';
import type { Trader } from '../trader.ts';
import type { DecidedOrder, OrderRequest } from './decide-order.ts';
import type { OrderRow } from './order.ts';
import type { OrderCommand } from './order-command.ts';
import type { OrderContext } from './order-context.ts';
import type { OrderVerdict } from './orders.ts';

export interface ComposedOrder {
  readonly command: OrderCommand;
  /** The order after the statement, for the answer. */
  readonly state: OrderState;
}

export function composeOrder(
  trader: Trader,
  request: OrderRequest,
  context: OrderContext,
  decided: DecidedOrder,
): ComposedOrder {
  const { operator, externalUserId } = trader;
  const { outcome } = decided;
  const buys = context.action === 'buy';
  const waits = request.intent === 'record_intent';
  const debitMinor = buys ? outcome.tradeMinor + outcome.platformFeeMinor : 0n;
  const state: OrderState = {
    orderId: decided.orderId,
    executionRef: decided.executionRef,
    clientOrderId: request.clientOrderId,
    externalUserId,
    contractId: context.contractId,
    side: context.side,
    action: context.action,
    simulated: context.simulated || !waits,
    feeBps: context.feeBps,
    status: outcome.status,
    transmissionState: waits ? 'not_transmitted' : 'resolved',
    authorizationMinor: context.authorizationMinor,
    tradeMinor: outcome.tradeMinor,
    platformFeeMinor: outcome.platformFeeMinor,
    venueFeeMinor: 0n,
    venueFeeKnown: !waits,
    filledQuantity: outcome.filledMicros,
    priceWeight: outcome.filledMicros * (outcome.fillPriceMicros ?? 0n),
  };
  const exit =
    buys || outcome.filledMicros === 0n ? null : shareOf(context, outcome.filledMicros, outcome.proceedsMinor);
  const confirmed = outcome.status === 'pending_venue_execution';
  const commitsMinor = waits && confirmed && operator.mode === 'live' && buys ? context.authorizationMinor : 0n;
  const terms: OrderTerms = {
    quoteId: request.quoteId,
    intent: request.intent,
    quotedPriceMicros: context.priceMicros,
    slippageMicros: request.slippageMicros,
    quotedFeeMinor: context.feeMinor,
    quotedTradeMinor: context.tradeMinor,
    quotedQuantity: context.quantity,
    venue: context.venue,
    routingReason: context.routingReason,
    consideredVenues: context.consideredVenues,
    scenarioId: outcome.status === 'rejected' || outcome.status === 'reserve_pending' ? null : context.scenarioId,
    reference: request.reserveReference,
  };
  const journal = waits
    ? orderRecorded(state, terms, operator.mode, commitsMinor)
    : outcomeRows(trader, state, terms, context, decided, exit);
  const walletMinor =
    operator.mode === 'sandbox' && buys && outcome.status !== 'rejected' ? context.authorizationMinor : 0n;
  const command: OrderCommand = {
    ...state,
    operatorId: operator.operatorId,
    ...terms,
    priceMicros: context.priceMicros,
    fillPriceMicros: outcome.fillPriceMicros,
    filledAtOnce: !waits && outcome.filledMicros > 0n,
    debitMinor,
    releaseMinor: context.authorizationMinor - debitMinor,
    proceedsMinor: outcome.proceedsMinor,
    countedStakeMinor: waits && buys ? context.authorizationMinor : debitMinor,
    positionId: buys ? newId('pos') : context.positionId,
    positionVersion: buys || context.positionId === null ? null : context.positionVersion,
    costShareMinor: exit?.costShareMinor ?? null,
    feeShareMinor: exit?.feeShareMinor ?? null,
    weightShare: exit && BigInt(context.priceWeight) - exit.remaining.priceWeight,
    rejectReason: outcome.rejectReason,
    armed: waits && armsAtOnce(operator),
    reserveReference: request.reserveReference,
    bookRevision: decided.contract?.bookRevision ?? null,
    refusal: decided.refusal?.code ?? null,
    lateRefusal: decided.lateRefusal?.code ?? null,
    walletMinor,
    collateralMinor: commitsMinor,
    journal,
  };
  return { command, state };
}

function shareOf(context: OrderContext, filledMicros: bigint, proceedsMinor: bigint): ExitShare | null {
  if (context.positionId === null || filledMicros > context.positionQuantity) {
    return null;
  }
  const holding = {
    costBasisMinor: context.costBasisMinor,
    entryFeesMinor: context.entryFeesMinor,
    quantityMicros: context.positionQuantity,
    priceWeight: BigInt(context.priceWeight),
  };
  return exitShare(holding, filledMicros, proceedsMinor);
}

function outcomeRows(
  { operator }: Trader,
  state: OrderState,
  terms: OrderTerms,
  context: OrderContext,
  { outcome }: DecidedOrder,
  share: ExitShare | null,
): JournalEntry[] {
  const { fillPriceMicros, filledMicros, proceedsMinor, tradeMinor, platformFeeMinor } = outcome;
  if (outcome.status === 'rejected') {
    const rejected = stateChanged('order_executed', state, null, { ...terms, reason: 'price_moved' });
    return present([rejected, orderEnds(state, 0, false, outcome.rejectReason ?? 'price_moved')]);
  }
  if (fillPriceMicros === null) {
    return present([stateChanged('order_executed', state, null, terms), orderEnds(state, 0, true)]);
  }
  const fill = { quantityMicros: filledMicros, priceMicros: fillPriceMicros };
  const exit = share && {
    fill,
    share,
    money: { tradeMinor, platformFeeMinor, venueFeeMinor: 0n, proceedsMinor },
    entryPriceMicros: context.averagePriceMicros,
    venueAgrees: null,
  };
  const executed = orderExecuted(state, terms, operator.mode, fill, exit);
  return present([executed, outcome.status === 'filled' ? null : orderEnds(state, 1, true)]);
}

/** The order as the statement wrote it, without a read. */
export function writtenOrder(
  trader: Trader,
  request: OrderRequest,
  context: OrderContext,
  { state, command }: ComposedOrder,
  verdict: Pick<OrderVerdict, 'positionId' | 'createdAt'>,
): OrderRow {
  const debitMinor = state.action === 'buy' ? state.tradeMinor + state.platformFeeMinor : 0n;
  return {
    ...state,
    operatorId: trader.operator.operatorId,
    quoteId: request.quoteId,
    intent: request.intent,
    priceMicros: context.priceMicros,
    quotedFeeMinor: context.feeMinor,
    quotedTradeMinor: context.tradeMinor,
    quotedQuantity: context.quantity,
    priceWeight: `${state.priceWeight}`,
    debitMinor,
    releaseMinor: state.authorizationMinor - debitMinor,
    proceedsMinor: command.proceedsMinor,
    positionId: verdict.positionId,
    rejectReason: null,
    cancelReason: null,
    routingReason: context.routingReason,
    consideredVenues: context.consideredVenues,
    reserveReference: request.reserveReference,
    reserveConfirmedAt: state.status === 'pending_venue_execution' ? verdict.createdAt : null,
    cancellationId: null,
    cancelledAt: null,
    createdAt: verdict.createdAt,
  };
}
