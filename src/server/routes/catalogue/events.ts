/** `GET /api/v1/events` and `GET /api/v1/events/{id}` (contract chapter 7). */
import { z } from 'zod';
import type { JurisdictionView } from '../../../markets/catalogue/catalogue.ts';
import { EVENT_LIST_REFUSALS, readLocale } from '../../../markets/catalogue/event-query.ts';
import { eventDetailShape, eventListQueryShape, eventListShape } from '../../../wire/catalogue.ts';
import { audienceOfOperator } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { acceptAsSent, queryText, rawQuery } from '../../http/raw-query.ts';
import { readJurisdictionView } from '../../jurisdiction-view.ts';
import { sendReady, sendWhenReady } from '../../ready/ready-json.ts';

const tags = ['Catalogue'];

export const eventsRoutes: Routes = (app, context) => {
  const { catalogue } = context;
  app.route({
    method: 'GET',
    url: '/api/v1/events',
    config: {
      auth: 'key',
      scopes: ['markets:read'],
      userHeader: 'optional',
      revalidates: true,
      refuses: EVENT_LIST_REFUSALS,
    },
    validatorCompiler: acceptAsSent,
    schema: {
      tags,
      operationId: 'listEvents',
      summary: 'List events',
      description: 'Filtered and ordered.',
      querystring: eventListQueryShape,
      response: { 200: eventListShape },
    },
    handler: (request, reply) => {
      const { operator, externalUserId } = request.caller;
      const audience = audienceOfOperator(operator);
      const send = (view: JurisdictionView | null) =>
        sendReady(request, reply, catalogue.list(audience, queryText(request), rawQuery(request), view));
      // Most lists are answered within the tick: only in this mode must the customer be looked up.
      if (operator.jurisdictionMode !== 'enforced') {
        return send(null);
      }
      readJurisdictionView(context, operator, externalUserId)
        .then(send)
        .catch((error: unknown) => reply.send(error as never));
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/events/:id',
    config: { auth: 'key', scopes: ['markets:read'], revalidates: true, refuses: ['unknown_event'] },
    validatorCompiler: acceptAsSent,
    schema: {
      tags,
      operationId: 'getEvent',
      summary: 'Get an event',
      description: 'By its id or slug, with all its outcomes.',
      params: z.object({ id: z.string() }),
      querystring: z.object({ locale: z.string().optional().describe('en, es, pt or hr; anything else is English') }),
      response: { 200: eventDetailShape },
    },
    handler: (request, reply) => {
      const audience = audienceOfOperator(request.caller.operator);
      sendWhenReady(request, reply, catalogue.show(audience, request.params.id, readLocale(request.query.locale)));
    },
  });
};
