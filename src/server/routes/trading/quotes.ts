/** POST /api/v1/quotes (specification "Trading"). */
import { renderQuote } from '../../../trading/quotes/quote.ts';
import { quote, quoteInput } from '../../../wire/quote.ts';
import type { Routes } from '../../http/api.ts';
import { quoteRequest, traderOfCaller } from '../../trading-input.ts';

export const quotesRoutes: Routes = (app, { trading }) => {
  app.route({
    method: 'POST',
    url: '/api/v1/quotes',
    config: { auth: 'key', scopes: ['quotes:write'], rateHeaders: false, userHeader: true },
    schema: {
      tags: ['Trading'],
      operationId: 'createQuote',
      summary: 'Quote a buy by stake or a sell by contracts',
      body: quoteInput,
      response: { 200: quote },
    },
    handler: async ({ caller, body }) => {
      return renderQuote(await trading.issueQuote(traderOfCaller(caller), quoteRequest(body)));
    },
  });
};
