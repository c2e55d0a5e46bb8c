/** A decided order as the command of the money statement: its row, and the facts that are recorded with it. */

import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import { exitedFact } from '../records/exit-fact.ts';
import { completedEvent, filledEvent, intentRecordedEvent, rejectedEvent } from '../records/order-events.ts';
import { feeAssessed, fillLanded, type OrderState, stateChanged } from '../records/order-items.ts';
import { exitEntry, fillEntry, fundsOf, holdEntry } from '../records/order-ledger.ts';
import type { Trader } from '../trader.ts';
import type { DecidedOrder, OrderRequest } from './decide-order.ts';
import type { OrderCommand } from './order-command.ts';
import type { OrderContext } from './order-context.ts';

export interface ComposedOrder {
  readonly command: OrderCommand;
  /** The order as it will stand, for the answer. */
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
  const facts = waits ? intentFacts(trader, state, commitsMinor) : outcomeFacts(trader, state, context, decided, exit);
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
    armed: waits && operator.arming === 'automatic',
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

function intentFacts({ operator }: Trader, state: OrderState, commitsMinor: bigint): Fact[] {
  const buys = state.action === 'buy';
  const funds = fundsOf(operator.mode, false, state.external_user_id);
  const held = operator.mode === 'sandbox' && buys ? holdEntry(state.order_id, funds, state.authorization_minor) : null;
  const committed = commitsMinor > 0n ? holdEntry(state.order_id, funds, commitsMinor) : null;
  return present([
    stateChanged(state, null),
    held,
    committed,
    committed && collateralMoved('commit', commitsMinor, committed),
    intentRecordedEvent(state),
  ]);
}

function outcomeFacts(
  { operator }: Trader,
  state: OrderState,
  context: OrderContext,
  decided: DecidedOrder,
  exit: ExitShare | null,
): Fact[] {
  const { outcome } = decided;
  if (outcome.status === 'rejected') {
    return [stateChanged(state, null, 'price_moved'), rejectedEvent(state, outcome.rejectReason ?? 'price_moved')];
  }
  const money = { tradeMinor: outcome.tradeMinor, platformFeeMinor: outcome.platformFeeMinor, venueFeeMinor: 0n };
  const funds = fundsOf(operator.mode, true, state.external_user_id);
  const partial = outcome.status !== 'filled';
  const fill =
    outcome.fillPriceMicros === null
      ? null
      : { fillId: newId('fil'), fillNo: 1, quantityMicros: outcome.filledMicros, priceMicros: outcome.fillPriceMicros };
  const closed = outcome.filledMicros > 0n ? 'closed_partial' : 'closed_unfilled';
  return present([
    stateChanged(state, null),
    fill && fillLanded(state, fill),
    fill && state.action === 'buy' ? fillEntry(state.order_id, funds.available, money) : null,
    fill && exit
      ? exitEntry(state.order_id, funds.available, {
          stakeShareMinor: exit.costShareMinor - exit.feeShareMinor,
          proceedsMinor: outcome.proceedsMinor,
          platformFeeMinor: outcome.platformFeeMinor,
          venueFeeMinor: 0n,
        })
      : null,
    feeAssessed('platform', outcome.platformFeeMinor, state.fee_bps),
    fill && exit
      ? exitedFact(state, fill, exit, { ...money, proceedsMinor: outcome.proceedsMinor }, context.average_price_micros)
      : null,
    fill && filledEvent(state, fill, money, partial),
    partial ? completedEvent(state, closed, fill === null ? 0 : 1) : null,
  ]);
}

function present(facts: readonly (Fact | null | false)[]): Fact[] {
  return facts.filter((fact): fact is Fact => fact !== null && fact !== false);
}
