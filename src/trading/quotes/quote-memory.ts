/**
 * The buys that this process quoted, so that an order on one is decided without a read. What may have changed since (the key,
 * the customer, a scenario, the quote spent or expired) is verified by the money statement. Sells depend on a position and are always read.
 */
import { LRUCache } from 'lru-cache';
import type { OrderContext } from '../orders/order-context.ts';
import type { Trader } from '../trader.ts';
import type { Quote } from './quote.ts';

export interface QuoteMemory {
  keep(trader: Trader, quote: Quote, venue: string): void;
  /** What a first order on this quote is decided on, where no scenario waits for it. */
  recall(trader: Trader, quoteId: string): OrderContext | undefined;
}

/** Many times the quotes that are open at once: a quote expires after seconds. */
const MOST_QUOTES = 16_384;

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
  const kept = new LRUCache<string, OrderContext>({ max: MOST_QUOTES });
  return {
    keep: (trader, quote, venue) => {
      if (quote.action === 'buy') {
        kept.set(keyOf(trader, quote.quoteId), toContext(quote, venue));
      }
    },
    recall: (trader, quoteId) => kept.get(keyOf(trader, quoteId)),
  };
}

function keyOf({ operator, externalUserId }: Trader, quoteId: string): string {
  return `${operator.operatorId} ${quoteId} ${externalUserId}`;
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
