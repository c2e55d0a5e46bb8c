/** `GET /api/v1/events/{id}/history`: recorded prices of an event, for a chart of your own. An addition of ours. */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readEventHistory } from '../../../markets/catalogue/event-history.ts';
import { readLocale } from '../../../markets/catalogue/event-query.ts';
import { priceHistory, priceHistoryQuery } from '../../../wire/catalogue.ts';
import { audienceOfOperator } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';

export const historyRoutes: Routes = (app, { reads, catalogue, clock, environment }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/events/:id/history',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['unknown_event'] },
    schema: {
      tags: ['Catalogue'],
      operationId: 'getEventHistory',
      summary: 'Get price history',
      description: 'Recorded prices of an event.',
      params: z.object({ id: z.string() }),
      querystring: priceHistoryQuery.extend({ locale: z.string().optional() }),
      response: { 200: priceHistory },
    },
    handler: async ({ caller, params, query }) => {
      const event = catalogue.find(audienceOfOperator(caller.operator), params.id);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      const at = { now: clock.now(), inventsPast: !environment.production };
      return readEventHistory(reads, event, query, readLocale(query.locale), at);
    },
  });
};
