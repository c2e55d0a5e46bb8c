/** Converts the caller and the body of a trading route for the trading rooms: for partners, frames and the demo alike. */

import type { FastifyRequest } from 'fastify';
import { refuse } from '../core/errors.ts';
import { readSlippage } from '../money/buy.ts';
import type { OrderRequest } from '../trading/orders/decide-order.ts';
import { type Trader, traderOf } from '../trading/quotes/issue-quote.ts';
import type { QuoteRequest } from '../trading/quotes/price-quote.ts';
import type { QuoteInput } from '../wire/quote.ts';

export function quoteRequest(
  body: Pick<QuoteInput, 'marketId' | 'side' | 'action' | 'stake' | 'contracts'>,
): QuoteRequest {
  const { marketId, side, action, stake, contracts } = body;
  return { contractId: marketId, side, action, size: (action === 'buy' ? stake : contracts) ?? 0 };
}

/** @param intent the intent of the order; only partners may choose it in the body */
export function orderRequest(
  body: {
    readonly quoteId: string;
    readonly clientOrderId: string;
    readonly maxSlippage?: number | null | undefined;
    readonly reserveReference?: string | null | undefined;
  },
  intent: OrderRequest['intent'],
): OrderRequest {
  return {
    quoteId: body.quoteId,
    clientOrderId: body.clientOrderId,
    intent,
    // An empty text counts as absent (contract 28.3).
    reserveReference: body.reserveReference || null,
    slippageMicros: readSlippage(body.maxSlippage ?? 0) ?? 0n,
  };
}

/** @throws missing_user if the route admitted a call without a customer */
export function traderOfRequest({ caller }: Pick<FastifyRequest, 'caller'>): Trader {
  const { operator, externalUserId, session } = caller;
  if (externalUserId === null) {
    throw refuse('missing_user');
  }
  return traderOf(operator, externalUserId, session?.bookEventIds ?? null);
}
