/** A recorded order and its attempt, for tests of rules that read no database: a buy for 10.00 at 0.57, or a sell of ten contracts. */

import type { Attempt } from '../../src/trading/execution/attempts.ts';
import type { SoldPosition } from '../../src/trading/execution/record-fills.ts';
import type { ExecutedFill, Execution } from '../../src/trading/execution/report.ts';
import type { OrderRow } from '../../src/trading/orders/order.ts';

export const MADE_AT = new Date('2026-11-01T12:00:00.000Z');

/** Sent and unanswered. Fee 2 %: 0.20 of 10.00, so that 9.80 are traded. */
export function someBuy(changes: Partial<OrderRow> = {}): OrderRow {
  return {
    operatorId: 'op_1',
    orderId: 'ord_1',
    externalUserId: 'ana',
    clientOrderId: 'key-1',
    executionRef: 'inl_Best_00000000000000',
    quoteId: 'qt_1',
    contractId: 'mkt_1',
    side: 'YES',
    action: 'buy',
    intent: 'record_intent',
    simulated: false,
    priceMicros: 570_000n,
    feeBps: 200,
    quotedFeeMinor: 20n,
    quotedTradeMinor: 980n,
    quotedQuantityMicros: 17_190_000n,
    filledQuantityMicros: 0n,
    priceWeight: '0',
    positionId: null,
    rejectReason: null,
    cancelReason: null,
    routingReason: 'single_venue',
    consideredVenues: 1,
    reserveReference: 'hold-1',
    reserveConfirmedAt: MADE_AT,
    cancellationId: null,
    cancelledAt: null,
    createdAt: MADE_AT,
    status: 'submitted',
    transmissionState: 'unknown',
    authorizationMinor: 1_000n,
    tradeMinor: 0n,
    platformFeeMinor: 0n,
    venueFeeMinor: 0n,
    venueFeeKnown: false,
    version: 3n,
    slippageMicros: 0n,
    venue: 'paper',
    levels: [['570000', '20000000']],
    armed: true,
    scenarioId: null,
    updatedAt: MADE_AT,
    transmittedAt: MADE_AT,
    ...changes,
  };
}

/** Ten contracts at 0.50. */
export function someSell(changes: Partial<OrderRow> = {}): OrderRow {
  return someBuy({
    action: 'sell',
    authorizationMinor: 0n,
    priceMicros: 500_000n,
    quotedFeeMinor: 10n,
    quotedTradeMinor: 500n,
    quotedQuantityMicros: 10_000_000n,
    positionId: 'pos_1',
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
    operatorId: 'op_1',
    orderId: 'ord_1',
    side: 'YES',
    ourId: 'att_1',
    venue: 'paper',
    listingId: 'listing-1',
    spendMicros: null,
    venueRef: null,
    venueTerms: null,
    action: 'BUY',
    quantityMicros: 10_000_000n,
    limitPriceMicros: 570_000n,
    sentAt: MADE_AT,
    expiresAt: MADE_AT,
    state: 'sending',
    lookups: 0,
    notFound: 0,
    notSent: null,
    ...changes,
  };
}

/** A new fill of a contract at 0.57 without a fee. */
export function someFill(changes: Partial<ExecutedFill> = {}): ExecutedFill {
  return {
    fillId: 'fil_1',
    venueFillId: 'v-1',
    recorded: false,
    feeRecorded: false,
    priceMicros: 570_000n,
    quantityMicros: 1_000_000n,
    feeMicros: 0n,
    ...changes,
  };
}

export function someExecution(changes: Partial<Execution> = {}): Execution {
  return { mode: 'live', fills: [], askedMicros: 10_000_000n, state: 'working', reason: null, ...changes };
}
