/** `GET /api/v1/events/{id}/history`: recorded prices of an event, for a chart of your own. An addition of ours. */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readLocale } from '../../../markets/catalogue/event-query.ts';
import { readPriceHistory } from '../../../markets/prices/price-history.ts';
import { chartedContracts, renderHistory } from '../../../markets/prices/render-history.ts';
import { priceHistory, priceHistoryQuery } from '../../../wire/price-history.ts';
import { audienceOfOperator } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';

export const historyRoutes: Routes = (app, { reads, catalogue, clock }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/events/:id/history',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['unknown_event'] },
    schema: {
      tags: ['Catalogue'],
      operationId: 'getEventHistory',
      summary: 'Recorded prices of an event',
      params: z.object({ id: z.string() }),
      querystring: priceHistoryQuery.extend({ locale: z.string().optional() }),
      response: { 200: priceHistory },
    },
    handler: async ({ caller, params, query }) => {
      const event = catalogue.find(audienceOfOperator(caller.operator), params.id);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      const contracts = chartedContracts(event, query.contracts);
      const now = clock.now();
      const ids = contracts.map(({ contractId }) => contractId);
      const recorded = await readPriceHistory(reads, ids, query.range, now);
      return renderHistory(event, contracts, query.range, recorded, readLocale(query.locale), now);
    },
  });
};
