/** A decided order as the command of the money statement: its row, and the facts that are recorded with it. */

import type { Fact } from '../../core/fact.ts';
import { newId } from '../../core/ids.ts';
import { collateralMoved } from '../../ledger/collateral.ts';
import { type ExitShare, exitShare } from '../../money/exit.ts';
import type { Trader } from '../quotes/issue-quote.ts';
import { exitedFact } from '../records/exit-fact.ts';
import { completedEvent, filledEvent, intentRecordedEvent, rejectedEvent } from '../records/order-events.ts';
import { feeAssessed, fillLanded, type OrderState, stateChanged } from '../records/order-items.ts';
import { exitEntry, fillEntry, fundsOf, holdEntry } from '../records/order-ledger.ts';
import type { DecidedOrder, OrderRequest } from './decide-order.ts';
import type { OrderBasis } from './order-context.ts';

/** Named as the SQL type `order_command`. Integers travel as text, so that none passes through a float. */
export type OrderCommand = Readonly<Record<string, unknown>> & {
  readonly operator_id: string;
  readonly external_user_id: string;
  readonly order_id: string;
  readonly facts: readonly Fact[];
};

export interface ComposedOrder {
  readonly command: OrderCommand;
  /** The order as it will stand, for the answer. */
  readonly state: OrderState;
}

export function composeOrder(
  trader: Trader,
  request: OrderRequest,
  basis: OrderBasis,
  decided: DecidedOrder,
): ComposedOrder {
  const { operator, externalUserId } = trader;
  const { outcome } = decided;
  const buys = basis.action === 'buy';
  const waits = request.intent === 'record_intent';
  const debitMinor = buys ? outcome.tradeMinor + outcome.platformFeeMinor : 0n;
  const state: OrderState = {
    order_id: decided.orderId,
    execution_ref: decided.executionRef,
    client_order_id: request.clientOrderId,
    external_user_id: externalUserId,
    contract_id: basis.contract_id,
    side: basis.side,
    action: basis.action,
    simulated: basis.simulated || !waits,
    fee_bps: basis.fee_bps,
    status: outcome.status,
    transmission_state: waits ? 'not_transmitted' : 'resolved',
    authorization_minor: basis.authorization_minor,
    trade_minor: outcome.tradeMinor,
    platform_fee_minor: outcome.platformFeeMinor,
    venue_fee_minor: 0n,
    venue_fee_known: !waits,
    filled_quantity: outcome.filledMicros,
    price_weight: outcome.filledMicros * (outcome.fillPriceMicros ?? 0n),
  };
  const exit = buys || outcome.filledMicros === 0n ? null : shareOf(basis, outcome.filledMicros, outcome.proceedsMinor);
  const confirmed = outcome.status === 'pending_venue_execution';
  const commitsMinor = waits && confirmed && operator.mode === 'live' && buys ? basis.authorization_minor : 0n;
  const facts = waits ? intentFacts(trader, state, commitsMinor) : outcomeFacts(trader, state, basis, decided, exit);
  const fillId = facts.find((fact) => fact.type === 'order.filled')?.item_id ?? null;
  const walletMinor =
    operator.mode === 'sandbox' && buys && outcome.status !== 'rejected' ? basis.authorization_minor : 0n;
  const command: OrderCommand = {
    operator_id: operator.operatorId,
    external_user_id: externalUserId,
    order_id: decided.orderId,
    client_order_id: request.clientOrderId,
    execution_ref: decided.executionRef,
    quote_id: request.quoteId,
    contract_id: basis.contract_id,
    side: basis.side,
    action: basis.action,
    intent: request.intent,
    status: state.status,
    transmission_state: state.transmission_state,
    simulated: state.simulated,
    price_micros: `${basis.price_micros}`,
    slippage_micros: `${request.slippageMicros}`,
    fee_bps: basis.fee_bps,
    authorization_minor: `${basis.authorization_minor}`,
    quoted_fee_minor: `${basis.fee_minor}`,
    quoted_trade_minor: `${basis.trade_minor}`,
    quoted_quantity: `${basis.quantity}`,
    filled_quantity: `${outcome.filledMicros}`,
    fill_price_micros: outcome.fillPriceMicros === null ? null : `${outcome.fillPriceMicros}`,
    fill_id: fillId,
    trade_minor: `${outcome.tradeMinor}`,
    platform_fee_minor: `${outcome.platformFeeMinor}`,
    venue_fee_minor: '0',
    venue_fee_known: state.venue_fee_known,
    debit_minor: `${debitMinor}`,
    release_minor: `${basis.authorization_minor - debitMinor}`,
    proceeds_minor: `${outcome.proceedsMinor}`,
    counted_stake_minor: `${waits && buys ? basis.authorization_minor : debitMinor}`,
    position_id: buys ? newId('pos') : basis.position_id,
    position_version: buys || basis.position_id === null ? null : `${basis.position_version}`,
    cost_share_minor: exit && `${exit.costShareMinor}`,
    fee_share_minor: exit && `${exit.feeShareMinor}`,
    weight_share: exit && `${BigInt(basis.price_weight) - exit.remaining.priceWeight}`,
    scenario_id: outcome.status === 'rejected' || outcome.status === 'reserve_pending' ? null : basis.scenario_id,
    reject_reason: outcome.rejectReason,
    routing_reason: basis.routing_reason,
    considered_venues: basis.considered_venues,
    venue: basis.venue,
    armed: waits && operator.arming === 'automatic',
    reserve_reference: request.reserveReference,
    book_revision: decided.contract?.bookRevision.toString() ?? null,
    refusal: decided.refusal?.code ?? null,
    late_refusal: decided.lateRefusal?.code ?? null,
    wallet_minor: `${walletMinor}`,
    collateral_minor: `${commitsMinor}`,
    facts,
  };
  return { command, state };
}

function shareOf(basis: OrderBasis, filledMicros: bigint, proceedsMinor: bigint): ExitShare | null {
  if (basis.position_id === null || filledMicros > basis.position_quantity) {
    return null;
  }
  const holding = {
    costBasisMinor: basis.cost_basis_minor,
    entryFeesMinor: basis.entry_fees_minor,
    quantityMicros: basis.position_quantity,
    priceWeight: BigInt(basis.price_weight),
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
  basis: OrderBasis,
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
      ? exitedFact(state, fill, exit, { ...money, proceedsMinor: outcome.proceedsMinor }, basis.average_price_micros)
      : null,
    fill && filledEvent(state, fill, money, partial),
    partial ? completedEvent(state, closed, fill === null ? 0 : 1) : null,
  ]);
}

function present(facts: readonly (Fact | null | false)[]): Fact[] {
  return facts.filter((fact): fact is Fact => fact !== null && fact !== false);
}
