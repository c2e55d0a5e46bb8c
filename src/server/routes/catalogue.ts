/**
 * The catalogue for partners and for the frame: events, categories, contracts and price history (contract chapter 7). A
 * caller sees only what it is offered; everything else looks missing.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { readSecondsParameter } from '../../core/moment.ts';
import type { Board } from '../../markets/board/board.ts';
import type { JurisdictionView } from '../../markets/catalogue/catalogue.ts';
import { readEventHistory } from '../../markets/catalogue/event-history.ts';
import type { Audience } from '../../markets/catalogue/event-index.ts';
import { EVENT_LIST_REFUSALS, readLocale } from '../../markets/catalogue/event-query.ts';
import { readContractNames } from '../../markets/catalogue/names.ts';
import { renderBook } from '../../markets/catalogue/render-event.ts';
import type { BoardContract } from '../../markets/event.ts';
import { readEventCourse } from '../../markets/prices/price-history.ts';
import {
  categoryListShape,
  contractBook,
  contractNames,
  contractNamesQuery,
  contractTrades,
  eventCourse,
  eventCourseQuery,
  eventDetailShape,
  eventListQueryShape,
  eventListShape,
  priceHistory,
  priceHistoryQuery,
} from '../../wire/catalogue.ts';
import { audienceOfOperator, audienceOfSession, readJurisdictionView } from '../audience.ts';
import type { Routes } from '../http/api.ts';
import { answerPreflight, sessionOf } from '../http/embed-auth.ts';
import { acceptAsSent, queryText, rawQuery } from '../http/requests.ts';
import { sendReady, sendWhenReady } from '../ready.ts';

const tags = ['Catalogue'];

/** `GET /api/v1/events` and `/{id}`. */
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
      // Other lists are answered within the tick. Only this mode needs to look the customer up.
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

/** `GET /api/v1/categories`: the categories with events for this operator, in canonical order. */
export const categoriesRoutes: Routes = (app, { catalogue }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/categories',
    config: { auth: 'key', scopes: ['markets:read'], revalidates: true },
    schema: {
      tags,
      operationId: 'listCategories',
      summary: 'List categories',
      description: 'With the number of events that are offered in each.',
      response: { 200: categoryListShape },
    },
    handler: (request, reply) =>
      sendReady(request, reply, catalogue.categories(audienceOfOperator(request.caller.operator))),
  });
};

/**
 * `GET /api/v1/contracts` with `/{id}/book` and `/{id}/trades`: names, depth and trades, which events do not carry.
 * Additions to the partner interface.
 */
export const contractsRoutes: Routes = (app, { reads, board, clock, recentTrades }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/contracts',
    config: { auth: 'key', scopes: ['markets:read'] },
    schema: {
      tags,
      operationId: 'listContractNames',
      summary: 'Name contracts',
      description: 'What contracts are called, and the event of each.',
      querystring: contractNamesQuery,
      response: { 200: contractNames },
    },
    handler: async ({ query }) => ({ data: await readContractNames(reads, query.ids) }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/contracts/:id/book',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['market_not_found'] },
    schema: {
      tags,
      operationId: 'getContractBook',
      summary: 'Get the order book',
      description: 'Of one contract.',
      params: z.object({ id: z.string() }),
      response: { 200: contractBook },
    },
    handler: ({ caller, params }) =>
      renderBook(offeredContract(board, audienceOfOperator(caller.operator), params.id), clock.now()),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/contracts/:id/trades',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['market_not_found'] },
    schema: {
      tags,
      operationId: 'getContractTrades',
      summary: 'List recent trades',
      description: 'What was traded lately, as the market reports it.',
      params: z.object({ id: z.string() }),
      response: { 200: contractTrades },
    },
    handler: ({ caller, params }) =>
      recentTrades.of(offeredContract(board, audienceOfOperator(caller.operator), params.id).contractId),
  });
};

/**
 * `GET /api/v1/events/{id}/history`: recorded prices of an event, for a partner's own chart. An addition to the partner
 * interface.
 */
export const historyRoutes: Routes = (app, { reads, catalogue, clock, environment }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/events/:id/history',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['unknown_event'] },
    schema: {
      tags,
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

const embedConfig = { auth: 'embed', revalidates: true } as const;
const embedTags = ['Embed frame'];

/** The catalogue for the frame, in the partner's shapes. */
export const embedCatalogueRoutes: Routes = (app, context) => {
  const { catalogue } = context;
  for (const url of ['/api/embed/events', '/api/embed/events/:id', '/api/embed/categories']) {
    answerPreflight(app, url, ['GET']);
  }

  app.route({
    method: 'GET',
    url: '/api/embed/events',
    config: { ...embedConfig, refuses: EVENT_LIST_REFUSALS },
    validatorCompiler: acceptAsSent,
    schema: {
      tags: embedTags,
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
    config: { ...embedConfig, refuses: ['unknown_event'] },
    validatorCompiler: acceptAsSent,
    schema: {
      tags: embedTags,
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
    config: embedConfig,
    schema: {
      tags: embedTags,
      operationId: 'listFrameCategories',
      summary: 'List categories',
      description: 'With the number of events that are offered in each.',
      response: { 200: categoryListShape },
    },
    handler: (request, reply) => sendReady(request, reply, catalogue.categories(audienceOfSession(sessionOf(request)))),
  });
};

/** `GET /api/embed/contracts/{id}/book` and `/trades`: depth and recent trades, from memory. */
export const embedContractsRoutes: Routes = (app, { board, clock, recentTrades }) => {
  const config = { auth: 'embed', refuses: ['market_not_found'] } as const;
  const params = z.object({ id: z.string() });
  const bookUrl = '/api/embed/contracts/:id/book';
  const tradesUrl = '/api/embed/contracts/:id/trades';

  answerPreflight(app, bookUrl, ['GET']);
  app.route({
    method: 'GET',
    url: bookUrl,
    config,
    schema: {
      tags: embedTags,
      operationId: 'getFrameContractBook',
      summary: 'Get the order book',
      description: 'Of a contract that the session is offered.',
      params,
      response: { 200: contractBook },
    },
    handler: (request) =>
      renderBook(offeredContract(board, audienceOfSession(sessionOf(request)), request.params.id), clock.now()),
  });

  answerPreflight(app, tradesUrl, ['GET']);
  app.route({
    method: 'GET',
    url: tradesUrl,
    config,
    schema: {
      tags: embedTags,
      operationId: 'getFrameContractTrades',
      summary: 'List recent trades',
      description: 'What was traded lately in a contract that the session is offered.',
      params,
      response: { 200: contractTrades },
    },
    handler: (request) =>
      recentTrades.of(offeredContract(board, audienceOfSession(sessionOf(request)), request.params.id).contractId),
  });
};

/** The charts of the frame: the prices of an event's outcomes, and the course of the coin or match that it is about. */
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
      tags: embedTags,
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
    config: { auth: 'embed', refuses: ['unknown_event', 'invalid_date'] },
    schema: {
      tags: embedTags,
      operationId: 'getFrameEventCourse',
      summary: 'Get the course of a coin or a match',
      description: 'What an event is about, as its venue reports it: the price of a coin, or the score of a match.',
      params: z.object({ id: z.string() }),
      querystring: eventCourseQuery,
      response: { 200: eventCourse },
    },
    handler: async (request) => {
      const since = readSecondsParameter('since', request.query.since) ?? new Date(0);
      return readEventCourse(reads, offered(request, request.params.id).eventId, since);
    },
  });
};

/** @throws market_not_found, also if the event of the contract is not offered, because the two must look alike */
function offeredContract(board: Board, audience: Audience, contractId: string): BoardContract {
  const contract = board.contracts.get(contractId);
  const event = contract === undefined ? undefined : board.events.get(contract.eventId);
  if (contract === undefined || event === undefined || !audience.offers(event)) {
    throw refuse('market_not_found');
  }
  return contract;
}
