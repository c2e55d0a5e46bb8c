/** A decided order as the command of the money statement: its row, and the facts that are recorded with it. */

import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { fundsOf } from '../../ledger/order-entries.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import { armsAtOnce } from '../execution/may-send.ts';
import { completedEvent, orderRejected } from '../records/order-ended.ts';
import { filledAtOnce } from '../records/order-filled.ts';
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
    order_id: decided.orderId,
    execution_ref: decided.executionRef,
    client_order_id: request.clientOrderId,
    external_user_id: externalUserId,
    contract_id: context.contract_id,
    side: context.side,
    action: context.action,
    simulated: context.simulated || !waits,
    fee_bps: context.fee_bps,
    status: outcome.status,
    transmission_state: waits ? 'not_transmitted' : 'resolved',
    authorization_minor: context.authorization_minor,
    trade_minor: outcome.tradeMinor,
    platform_fee_minor: outcome.platformFeeMinor,
    venue_fee_minor: 0n,
    venue_fee_known: !waits,
    filled_quantity: outcome.filledMicros,
    price_weight: outcome.filledMicros * (outcome.fillPriceMicros ?? 0n),
  };
  const exit =
    buys || outcome.filledMicros === 0n ? null : shareOf(context, outcome.filledMicros, outcome.proceedsMinor);
  const confirmed = outcome.status === 'pending_venue_execution';
  const commitsMinor = waits && confirmed && operator.mode === 'live' && buys ? context.authorization_minor : 0n;
  const facts = waits
    ? orderRecorded(state, operator.mode, commitsMinor)
    : outcomeFacts(trader, state, context, decided, exit);
  const fillId = facts.find((fact) => fact.type === 'order.filled')?.itemId ?? null;
  const walletMinor =
    operator.mode === 'sandbox' && buys && outcome.status !== 'rejected' ? context.authorization_minor : 0n;
  const command: OrderCommand = {
    operatorId: operator.operatorId,
    externalUserId,
    orderId: decided.orderId,
    clientOrderId: request.clientOrderId,
    executionRef: decided.executionRef,
    quoteId: request.quoteId,
    contractId: context.contract_id,
    side: context.side,
    action: context.action,
    intent: request.intent,
    status: state.status,
    transmissionState: state.transmission_state,
    simulated: state.simulated,
    priceMicros: context.price_micros,
    slippageMicros: request.slippageMicros,
    feeBps: context.fee_bps,
    authorizationMinor: context.authorization_minor,
    quotedFeeMinor: context.fee_minor,
    quotedTradeMinor: context.trade_minor,
    quotedQuantity: context.quantity,
    filledQuantity: outcome.filledMicros,
    fillPriceMicros: outcome.fillPriceMicros,
    fillId,
    tradeMinor: outcome.tradeMinor,
    platformFeeMinor: outcome.platformFeeMinor,
    venueFeeMinor: 0n,
    venueFeeKnown: state.venue_fee_known,
    debitMinor,
    releaseMinor: context.authorization_minor - debitMinor,
    proceedsMinor: outcome.proceedsMinor,
    countedStakeMinor: waits && buys ? context.authorization_minor : debitMinor,
    positionId: buys ? newId('pos') : context.position_id,
    positionVersion: buys || context.position_id === null ? null : context.position_version,
    costShareMinor: exit?.costShareMinor ?? null,
    feeShareMinor: exit?.feeShareMinor ?? null,
    weightShare: exit && BigInt(context.price_weight) - exit.remaining.priceWeight,
    scenarioId: outcome.status === 'rejected' || outcome.status === 'reserve_pending' ? null : context.scenario_id,
    rejectReason: outcome.rejectReason,
    routingReason: context.routing_reason,
    consideredVenues: context.considered_venues,
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
  if (context.position_id === null || filledMicros > context.position_quantity) {
    return null;
  }
  const holding = {
    costBasisMinor: context.cost_basis_minor,
    entryFeesMinor: context.entry_fees_minor,
    quantityMicros: context.position_quantity,
    priceWeight: BigInt(context.price_weight),
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
  const fill = { fillId: newId('fil'), fillNo: 1, quantityMicros: filledMicros, priceMicros: fillPriceMicros };
  const exit = share && {
    fill,
    share,
    money: { ...money, proceedsMinor },
    entryPriceMicros: context.average_price_micros,
    venueAgrees: null,
  };
  const funds = fundsOf(operator.mode, true, state.external_user_id);
  return [
    stateChanged(state, null),
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
  verdict: Pick<OrderVerdict, 'position_id' | 'created_at'>,
): OrderRow {
  const debitMinor = state.action === 'buy' ? state.trade_minor + state.platform_fee_minor : 0n;
  return {
    ...state,
    operator_id: trader.operator.operatorId,
    quote_id: request.quoteId,
    intent: request.intent,
    price_micros: context.price_micros,
    quoted_fee_minor: context.fee_minor,
    quoted_trade_minor: context.trade_minor,
    quoted_quantity: context.quantity,
    price_weight: `${state.price_weight}`,
    debit_minor: debitMinor,
    release_minor: state.authorization_minor - debitMinor,
    proceeds_minor: command.proceedsMinor,
    position_id: verdict.position_id,
    reject_reason: null,
    cancel_reason: null,
    routing_reason: context.routing_reason,
    considered_venues: context.considered_venues,
    reserve_reference: request.reserveReference,
    reserve_confirmed_at: state.status === 'pending_venue_execution' ? verdict.created_at : null,
    cancellation_id: null,
    cancelled_at: null,
    created_at: verdict.created_at,
  };
}
