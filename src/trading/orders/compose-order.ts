/** A decided order as the command of the money statement: its row, and the facts that are recorded with it. */

import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { fundsOf } from '../../ledger/order-entries.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import { armsAtOnce } from '../execution/may-send.ts';
import { filledAtOnce } from '../records/filled-at-once.ts';
import { completedEvent, orderRejected } from '../records/order-ended.ts';
import { orderRecorded } from '../records/order-recorded.ts';
import { type OrderState, stateChanged } from '../records/order-state.ts';
import { positionExited } from '../records/position-exited.ts';
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
  const facts = waits
    ? orderRecorded(state, operator.mode, commitsMinor)
    : outcomeFacts(trader, state, context, decided, exit);
  const walletMinor =
    operator.mode === 'sandbox' && buys && outcome.status !== 'rejected' ? context.authorizationMinor : 0n;
  const command: OrderCommand = {
    ...state,
    operatorId: operator.operatorId,
    quoteId: request.quoteId,
    intent: request.intent,
    priceMicros: context.priceMicros,
    slippageMicros: request.slippageMicros,
    quotedFeeMinor: context.feeMinor,
    quotedTradeMinor: context.tradeMinor,
    quotedQuantity: context.quantity,
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
    scenarioId: outcome.status === 'rejected' || outcome.status === 'reserve_pending' ? null : context.scenarioId,
    rejectReason: outcome.rejectReason,
    routingReason: context.routingReason,
    consideredVenues: context.consideredVenues,
    venue: context.venue,
    armed: waits && armsAtOnce(operator),
    reserveReference: request.reserveReference,
    bookRevision: decided.contract?.bookRevision ?? null,
    refusal: decided.refusal?.code ?? null,
    lateRefusal: decided.lateRefusal?.code ?? null,
    walletMinor,
    collateralMinor: commitsMinor,
    facts,
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

function outcomeFacts(
  { operator }: Trader,
  state: OrderState,
  context: OrderContext,
  { outcome }: DecidedOrder,
  share: ExitShare | null,
): Fact[] {
  const { fillPriceMicros, filledMicros, proceedsMinor, tradeMinor, platformFeeMinor } = outcome;
  if (outcome.status === 'rejected') {
    return orderRejected(state, outcome.rejectReason);
  }
  if (fillPriceMicros === null) {
    return [stateChanged(state, null), completedEvent(state, 'closed_unfilled', 0)];
  }
  const money = { tradeMinor, platformFeeMinor, venueFeeMinor: 0n };
  const fill = { quantityMicros: filledMicros, priceMicros: fillPriceMicros };
  const exit = share && {
    fill,
    share,
    money: { ...money, proceedsMinor },
    entryPriceMicros: context.averagePriceMicros,
    venueAgrees: null,
  };
  const funds = fundsOf(operator.mode, true, state.externalUserId);
  return [
    ...filledAtOnce(state, operator.mode, fill, money, exit === null ? [] : positionExited(state, funds, exit)),
    ...(outcome.status === 'filled' ? [] : [completedEvent(state, 'closed_partial', 1)]),
  ];
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
