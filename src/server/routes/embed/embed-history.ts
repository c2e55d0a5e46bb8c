/** `GET /api/embed/events/{id}/history`: the price history of an event's outcomes, for the frame's chart. */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readLocale } from '../../../markets/catalogue/event-query.ts';
import { readPriceHistory } from '../../../markets/prices/price-history.ts';
import { chartedContracts, renderHistory } from '../../../markets/prices/render-history.ts';
import { priceHistory, priceHistoryQuery } from '../../../wire/price-history.ts';
import { audienceOfSession } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';

const url = '/api/embed/events/:id/history';

export const embedHistoryRoutes: Routes = (app, { reads, catalogue, clock }) => {
  answerPreflight(app, url, ['GET']);
  app.route({
    method: 'GET',
    url,
    config: { auth: 'embed', refuses: ['unknown_event'] },
    schema: {
      tags: ['Embed frame'],
      operationId: 'getFrameEventHistory',
      summary: 'Recorded prices of an event that the session is offered',
      params: z.object({ id: z.string() }),
      querystring: priceHistoryQuery.extend({ locale: z.string().optional() }),
      response: { 200: priceHistory },
    },
    handler: async (request) => {
      const { range, contracts: wanted, locale } = request.query;
      const event = catalogue.find(audienceOfSession(sessionOf(request)), request.params.id);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      const contracts = chartedContracts(event, wanted);
      const now = clock.now();
      const ids = contracts.map(({ contractId }) => contractId);
      const recorded = await readPriceHistory(reads, ids, range, now);
      return renderHistory(event, contracts, range, recorded, readLocale(locale), now);
    },
  });
};
