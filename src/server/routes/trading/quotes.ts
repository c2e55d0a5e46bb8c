/** POST /api/v1/quotes (contract chapter 9). */
import { renderQuote } from '../../../trading/quotes/price-quote.ts';
import { QUOTE_REFUSALS } from '../../../trading/refusals.ts';
import { quote, quoteInput } from '../../../wire/quote.ts';
import type { Routes } from '../../http/api.ts';
import { quoteRequest, traderOfRequest } from '../../trading-input.ts';

export const quotesRoutes: Routes = (app, { trading }) => {
  app.route({
    method: 'POST',
    url: '/api/v1/quotes',
    config: {
      auth: 'key',
      scopes: ['quotes:write'],
      rateHeaders: false,
      userHeader: true,
      refuses: QUOTE_REFUSALS,
    },
    schema: {
      tags: ['Trading'],
      operationId: 'createQuote',
      summary: 'Get a quote',
      description: 'For a buy by stake, or a sell by contracts. The price is held for some seconds.',
      body: quoteInput,
      response: { 200: quote },
    },
    handler: async (request) => {
      return renderQuote(await trading.issueQuote(traderOfRequest(request), quoteRequest(request.body)));
    },
  });
};
