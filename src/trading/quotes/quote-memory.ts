/**
 * The buys that this process quoted, so that an order on one is decided without a read. What may have changed since (the key,
 * the customer, a scenario, the quote spent or expired) is verified by the money statement. Sells depend on a position and are always read.
 */
import type { OrderContext } from '../orders/order-context.ts';
import type { Trader } from '../trader.ts';
import type { Quote } from './quote.ts';

export interface QuoteMemory {
  keep(trader: Trader, quote: Quote, venue: string): void;
  /** What a first order on this quote is decided on, where no scenario waits for it. */
  recall(trader: Trader, quoteId: string): OrderContext | undefined;
}

/** Two generations are many times the quotes that are open at once: a quote expires after seconds. */
const GENERATION = 8_192;

interface Kept {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quote: Quote;
  readonly venue: string;
}

const NO_POSITION = {
  positionId: null,
  positionQuantity: 0n,
  costBasisMinor: 0n,
  entryFeesMinor: 0n,
  priceWeight: '0',
  averagePriceMicros: 0n,
  positionVersion: 0n,
};

export function createQuoteMemory(): QuoteMemory {
  let newer = new Map<string, Kept>();
  // dropped as a whole when the newer one is full: no quote is taken out alone, and most are never asked for
  let older = newer;
  return {
    keep: ({ operator, externalUserId }, quote, venue) => {
      if (quote.action !== 'buy') {
        return;
      }
      if (newer.size === GENERATION) {
        older = newer;
        newer = new Map();
      }
      newer.set(quote.quoteId, { operatorId: operator.operatorId, externalUserId, quote, venue });
    },
    recall: ({ operator, externalUserId }, quoteId) => {
      const kept = newer.get(quoteId) ?? older.get(quoteId);
      const isTheirs = kept?.operatorId === operator.operatorId && kept.externalUserId === externalUserId;
      return isTheirs ? toContext(kept.quote, kept.venue) : undefined;
    },
  };
}

function toContext(quote: Quote, venue: string): OrderContext {
  return {
    ...NO_POSITION,
    customerSuspended: false,
    existingOrderId: null,
    quoteId: quote.quoteId,
    contractId: quote.contractId,
    side: quote.side,
    action: quote.action,
    priceMicros: quote.priceMicros,
    feeBps: quote.feeBps,
    authorizationMinor: quote.authorizationMinor,
    feeMinor: quote.feeMinor,
    tradeMinor: quote.tradeMinor,
    quantity: quote.quantityMicros,
    simulated: quote.simulated,
    venue,
    routingReason: quote.routing.reason,
    consideredVenues: quote.routing.consideredVenues,
    scenarioId: null,
    fillFraction: null,
    fillAmountMinor: null,
  };
}
