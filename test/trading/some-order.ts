/** A recorded order and its attempt, for tests of rules that read no database: a buy for 10.00 at 0.57, or a sell of ten contracts. */
import type { ExecutedFill, Execution } from '../../src/trading/execution/execution.ts';
import type { SoldPosition } from '../../src/trading/execution/take-exits.ts';
import type { Attempt } from '../../src/trading/execution/transmissions.ts';
import type { OrderForUpdate } from '../../src/trading/orders/transition-orders.ts';

export const MADE_AT = new Date('2026-11-01T12:00:00.000Z');

/** Sent and unanswered. Fee 2 %: 0.20 of 10.00, so that 9.80 are traded. */
export function someBuy(changes: Partial<OrderForUpdate> = {}): OrderForUpdate {
  return {
    operator_id: 'op_1',
    order_id: 'ord_1',
    external_user_id: 'ana',
    client_order_id: 'key-1',
    execution_ref: 'inl_Best_00000000000000',
    quote_id: 'qt_1',
    contract_id: 'mkt_1',
    side: 'YES',
    action: 'buy',
    intent: 'record_intent',
    simulated: false,
    price_micros: 570_000n,
    fee_bps: 200,
    quoted_fee_minor: 20n,
    quoted_trade_minor: 980n,
    quoted_quantity: 17_190_000n,
    filled_quantity: 0n,
    price_weight: '0',
    release_minor: 1_000n,
    debit_minor: 0n,
    proceeds_minor: 0n,
    position_id: null,
    reject_reason: null,
    cancel_reason: null,
    routing_reason: 'single_venue',
    considered_venues: 1,
    reserve_reference: 'hold-1',
    reserve_confirmed_at: MADE_AT,
    cancellation_id: null,
    cancelled_at: null,
    created_at: MADE_AT,
    status: 'submitted',
    transmission_state: 'unknown',
    authorization_minor: 1_000n,
    trade_minor: 0n,
    platform_fee_minor: 0n,
    venue_fee_minor: 0n,
    venue_fee_known: false,
    version: 3n,
    slippage_micros: 0n,
    venue: 'paper',
    armed: true,
    exited_fills: 0,
    ...changes,
  };
}

/** Ten contracts at 0.50. */
export function someSell(changes: Partial<OrderForUpdate> = {}): OrderForUpdate {
  return someBuy({
    action: 'sell',
    authorization_minor: 0n,
    release_minor: 0n,
    price_micros: 500_000n,
    quoted_fee_minor: 10n,
    quoted_trade_minor: 500n,
    quoted_quantity: 10_000_000n,
    position_id: 'pos_1',
    ...changes,
  });
}

/** Twenty contracts that cost 8.00 and 0.40 of fees. */
export const POSITION: SoldPosition = {
  positionId: 'pos_1',
  version: 7n,
  averagePriceMicros: 400_000n,
  costBasisMinor: 840n,
  entryFeesMinor: 40n,
  quantityMicros: 20_000_000n,
  priceWeight: 8_000_000_000_000n,
};

export function someAttempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    operator_id: 'op_1',
    order_id: 'ord_1',
    side: 'YES',
    our_id: 'att_1',
    venue: 'paper',
    listing_id: 'listing-1',
    spend_micros: null,
    venue_ref: null,
    action: 'BUY',
    quantity: 10_000_000n,
    limit_price_micros: 570_000n,
    expires_at: MADE_AT,
    state: 'sending',
    lookups: 0,
    not_found: 0,
    not_sent: null,
    ...changes,
  };
}

/** A new fill of a contract at 0.57 without a fee. */
export function someFill(changes: Partial<ExecutedFill> = {}): ExecutedFill {
  return {
    fillId: 'fil_1',
    venueFillId: 'v-1',
    recorded: false,
    priceMicros: 570_000n,
    quantityMicros: 1_000_000n,
    feeMicros: 0n,
    ...changes,
  };
}

export function someExecution(changes: Partial<Execution> = {}): Execution {
  return { mode: 'live', fills: [], askedMicros: 10_000_000n, state: 'working', reason: null, ...changes };
}
