/** What the frame's charts show: the prices of an event's outcomes, and the course of the coin or the match that it is about. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readEventHistory } from '../../../markets/catalogue/event-history.ts';
import { readLocale } from '../../../markets/catalogue/event-query.ts';
import { readEventCourse } from '../../../markets/prices/price-history.ts';
import { eventCourse, eventCourseQuery, priceHistory, priceHistoryQuery } from '../../../wire/catalogue.ts';
import { audienceOfSession } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';

export const embedHistoryRoutes: Routes = (app, { reads, catalogue, clock, environment }) => {
  const offered = (request: FastifyRequest, eventId: string) => {
    const event = catalogue.find(audienceOfSession(sessionOf(request)), eventId);
    if (event === undefined) {
      throw refuse('unknown_event');
    }
    return event;
  };
  for (const url of ['/api/embed/events/:id/history', '/api/embed/events/:id/course']) {
    answerPreflight(app, url, ['GET']);
  }

  app.route({
    method: 'GET',
    url: '/api/embed/events/:id/history',
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
      const at = { now: clock.now(), inventsPast: !environment.production };
      return readEventHistory(reads, offered(request, request.params.id), query, readLocale(query.locale), at);
    },
  });

  app.route({
    method: 'GET',
    url: '/api/embed/events/:id/course',
    config: { auth: 'embed', refuses: ['unknown_event'] },
    schema: {
      tags: ['Embed frame'],
      operationId: 'getFrameEventCourse',
      summary: 'Get the course of a coin or a match',
      description: 'What an event is about, as its venue reports it: the price of a coin, or the score of a match.',
      params: z.object({ id: z.string() }),
      querystring: eventCourseQuery,
      response: { 200: eventCourse },
    },
    handler: async (request) =>
      readEventCourse(reads, offered(request, request.params.id).eventId, new Date(request.query.since * 1_000)),
  });
};
