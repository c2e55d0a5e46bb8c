/** The catalogue for the frame: the partner's shapes, with the events that the session is offered. */
import { z } from 'zod';
import { EVENT_LIST_REFUSALS, readLocale } from '../../../markets/catalogue/event-query.ts';
import { categoryListShape, eventDetailShape, eventListQueryShape, eventListShape } from '../../../wire/catalogue.ts';
import { audienceOfSession } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';
import { acceptAsSent, queryText, rawQuery } from '../../http/raw-query.ts';
import { readJurisdictionView } from '../../jurisdiction-view.ts';
import { sendReady, sendWhenReady } from '../../ready/ready-json.ts';

const config = { auth: 'embed', revalidates: true } as const;
const tags = ['Embed frame'];

export const embedCatalogueRoutes: Routes = (app, context) => {
  const { catalogue } = context;
  for (const url of ['/api/embed/events', '/api/embed/events/:id', '/api/embed/categories']) {
    answerPreflight(app, url, ['GET']);
  }

  app.route({
    method: 'GET',
    url: '/api/embed/events',
    config: { ...config, refuses: EVENT_LIST_REFUSALS },
    validatorCompiler: acceptAsSent,
    schema: {
      tags,
      operationId: 'listFrameEvents',
      summary: 'List events',
      description: 'Those that the session is offered.',
      querystring: eventListQueryShape,
      response: { 200: eventListShape },
    },
    handler: async (request, reply) => {
      const session = sessionOf(request);
      const view = await readJurisdictionView(context, request.caller.operator, session.externalUserId);
      const page = catalogue.list(audienceOfSession(session), queryText(request), rawQuery(request), view);
      sendReady(request, reply, page);
      return reply;
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/events/:id',
    config: { ...config, refuses: ['unknown_event'] },
    validatorCompiler: acceptAsSent,
    schema: {
      tags,
      operationId: 'getFrameEvent',
      summary: 'Get an event',
      description: 'With all its outcomes, if the session is offered it.',
      params: z.object({ id: z.string() }),
      querystring: z.object({ locale: z.string().optional().describe('en, es, pt or hr; anything else is English') }),
      response: { 200: eventDetailShape },
    },
    handler: (request, reply) => {
      const audience = audienceOfSession(sessionOf(request));
      sendWhenReady(request, reply, catalogue.show(audience, request.params.id, readLocale(request.query.locale)));
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/categories',
    config,
    schema: {
      tags,
      operationId: 'listFrameCategories',
      summary: 'List categories',
      description: 'With the number of events that are offered in each.',
      response: { 200: categoryListShape },
    },
    handler: (request, reply) => sendReady(request, reply, catalogue.categories(audienceOfSession(sessionOf(request)))),
  });
};
