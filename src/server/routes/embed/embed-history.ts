/** `GET /api/embed/events/{id}/history`: the price history of an event's outcomes, for the frame's chart. */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readLocale } from '../../../markets/catalogue/event-query.ts';
import { readEventHistory } from '../../../markets/prices/event-history.ts';
import { priceHistory, priceHistoryQuery } from '../../../wire/price-history.ts';
import { audienceOfSession } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';

const url = '/api/embed/events/:id/history';

export const embedHistoryRoutes: Routes = (app, { reads, catalogue, clock, environment }) => {
  answerPreflight(app, url, ['GET']);
  app.route({
    method: 'GET',
    url,
    config: { auth: 'embed', refuses: ['unknown_event'] },
    schema: {
      tags: ['Embed frame'],
      operationId: 'getFrameEventHistory',
      summary: 'Get price history',
      description: 'Recorded prices of an event that the session is offered.',
      params: z.object({ id: z.string() }),
      querystring: priceHistoryQuery.extend({ locale: z.string().optional() }),
      response: { 200: priceHistory },
    },
    handler: async (request) => {
      const { query } = request;
      const event = catalogue.find(audienceOfSession(sessionOf(request)), request.params.id);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      const at = { now: clock.now(), inventsPast: !environment.production };
      return readEventHistory(reads, event, query, readLocale(query.locale), at);
    },
  });
};
