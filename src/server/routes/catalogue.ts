/**
 * The catalogue for partners and for the frame: events, categories, contracts and price history (contract chapter 7). A caller sees only
 * its own offering; everything else looks missing.
 */
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { readSecondsParameter } from '../../core/moment.ts';
import type { Catalogue, JurisdictionView } from '../../markets/catalogue/catalogue.ts';
import { readEventHistory } from '../../markets/catalogue/event-history.ts';
import type { Audience } from '../../markets/catalogue/event-index.ts';
import { EVENT_LIST_REFUSALS, readLocale } from '../../markets/catalogue/event-query.ts';
import { readContractNames } from '../../markets/catalogue/names.ts';
import { renderBook } from '../../markets/catalogue/render-event.ts';
import type { BoardContract, BoardEvent } from '../../markets/event.ts';
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
import { sessionOf } from '../http/embed-auth.ts';
import { acceptAsSent, queryText, rawQuery } from '../http/requests.ts';
import { sendReady, sendWhenReady } from '../ready.ts';

const byId = z.object({ id: z.string() });

/** The readers of the catalogue, and how the routes of such readers are described. */
interface Readers {
  readonly prefix: '/api/v1' | '/api/embed';
  readonly config: Pick<FastifyContextConfig, 'auth' | 'scopes'>;
  readonly tags: string[];
  /** In the ids of their operations, before the noun. */
  readonly word: '' | 'Frame';
  readonly descriptions: Readonly<Record<'events' | 'event' | 'book' | 'trades' | 'history', string>>;
  audienceOf(request: FastifyRequest): Audience;
}

/** Partners, with a key. */
export const PARTNERS: Readers = {
  prefix: '/api/v1',
  config: { auth: 'key', scopes: ['markets:read'] },
  tags: ['Catalogue'],
  word: '',
  descriptions: {
    events: 'Lists the events that you are offered, filtered and sorted.',
    event: 'Returns one event by its id or slug, with all its outcomes.',
    book: 'Returns the order book of one contract.',
    trades: 'Lists the recent trades of a contract, as the market reports them.',
    history: 'Returns the recorded prices of an event.',
  },
  audienceOf: ({ caller }) => audienceOfOperator(caller.operator),
};

/** The frame, with the token of a session. */
export const FRAME: Readers = {
  prefix: '/api/embed',
  config: { auth: 'embed' },
  tags: ['Embed frame'],
  word: 'Frame',
  descriptions: {
    events: 'Lists the events that the session is offered.',
    event: 'Returns one event with all its outcomes, if the session is offered it.',
    book: 'Returns the order book of a contract that the session is offered.',
    trades: 'Lists the recent trades of a contract that the session is offered.',
    history: 'Returns the recorded prices of an event that the session is offered.',
  },
  audienceOf: (request) => audienceOfSession(sessionOf(request)),
};

/** `GET /events` and `/events/{id}`. */
export const eventsRoutes =
  ({ prefix, config, tags, word, descriptions, audienceOf }: Readers): Routes =>
  (app, context) => {
    const { catalogue } = context;
    app.route({
      method: 'GET',
      url: `${prefix}/events`,
      config: {
        ...config,
        ...(config.auth === 'key' && { userHeader: 'optional' }),
        revalidates: true,
        refuses: EVENT_LIST_REFUSALS,
      },
      validatorCompiler: acceptAsSent,
      schema: {
        tags,
        operationId: `list${word}Events`,
        summary: 'List events',
        description: descriptions.events,
        querystring: eventListQueryShape,
        response: { 200: eventListShape },
      },
      handler: (request, reply) => {
        const { operator, externalUserId } = request.caller;
        const audience = audienceOf(request);
        const send = (view: JurisdictionView | null) =>
          sendReady(request, reply, catalogue.list(audience, queryText(request), rawQuery(request), view));
        // Other lists are served within the tick. Only this mode needs to look the customer up.
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
      url: `${prefix}/events/:id`,
      config: { ...config, revalidates: true, refuses: ['unknown_event'] },
      validatorCompiler: acceptAsSent,
      schema: {
        tags,
        operationId: `get${word}Event`,
        summary: 'Get an event',
        description: descriptions.event,
        params: byId,
        querystring: z.object({
          locale: z.string().optional().describe('Language: en, es, pt or hr. Any other value selects English'),
        }),
        response: { 200: eventDetailShape },
      },
      handler: (request, reply) => {
        const { params, query } = request;
        sendWhenReady(request, reply, catalogue.show(audienceOf(request), params.id, readLocale(query.locale)));
      },
    });
  };

/** `GET /categories`: the categories with events that are offered, in canonical order. */
export const categoriesRoutes =
  ({ prefix, config, tags, word, audienceOf }: Readers): Routes =>
  (app, { catalogue }) => {
    app.route({
      method: 'GET',
      url: `${prefix}/categories`,
      config: { ...config, revalidates: true },
      schema: {
        tags,
        operationId: `list${word}Categories`,
        summary: 'List categories',
        description: 'Lists the categories, with the number of events that are offered in each.',
        response: { 200: categoryListShape },
      },
      handler: (request, reply) => sendReady(request, reply, catalogue.categories(audienceOf(request))),
    });
  };

/** `GET /contracts`: names of contracts, also of those that are no longer offered. An addition to the partner interface. */
export const contractNamesRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/contracts',
    config: PARTNERS.config,
    schema: {
      tags: PARTNERS.tags,
      operationId: 'listContractNames',
      summary: 'Name contracts',
      description: 'Returns the names of contracts, each with its event.',
      querystring: contractNamesQuery,
      response: { 200: contractNames },
    },
    handler: async ({ query }) => ({ data: await readContractNames(reads, query.ids) }),
  });
};

/** `GET /contracts/{id}/book` and `/trades`: depth and recent trades, from memory. An addition to the partner interface. */
export const contractsRoutes =
  ({ prefix, config, tags, word, descriptions, audienceOf }: Readers): Routes =>
  (app, { board, clock, recentTrades }) => {
    /** @throws market_not_found, also if the event of the contract is not offered, because the two must look alike */
    const offered = (request: FastifyRequest, contractId: string): BoardContract => {
      const contract = board.contracts.get(contractId);
      const event = contract === undefined ? undefined : board.events.get(contract.eventId);
      if (contract === undefined || event === undefined || !audienceOf(request).offers(event)) {
        throw refuse('market_not_found');
      }
      return contract;
    };

    app.route({
      method: 'GET',
      url: `${prefix}/contracts/:id/book`,
      config: { ...config, refuses: ['market_not_found'] },
      schema: {
        tags,
        operationId: `get${word}ContractBook`,
        summary: 'Get the order book',
        description: descriptions.book,
        params: byId,
        response: { 200: contractBook },
      },
      handler: (request) => renderBook(offered(request, request.params.id), clock.now()),
    });

    app.route({
      method: 'GET',
      url: `${prefix}/contracts/:id/trades`,
      config: { ...config, refuses: ['market_not_found'] },
      schema: {
        tags,
        operationId: `get${word}ContractTrades`,
        summary: 'List recent trades',
        description: descriptions.trades,
        params: byId,
        response: { 200: contractTrades },
      },
      handler: (request) => recentTrades.of(offered(request, request.params.id).contractId),
    });
  };

/** `GET /events/{id}/history`: recorded prices of an event, for a chart. An addition to the partner interface. */
export const historyRoutes =
  ({ prefix, config, tags, word, descriptions, audienceOf }: Readers): Routes =>
  (app, { reads, catalogue, clock, environment }) => {
    app.route({
      method: 'GET',
      url: `${prefix}/events/:id/history`,
      config: { ...config, refuses: ['unknown_event'] },
      schema: {
        tags,
        operationId: `get${word}EventHistory`,
        summary: 'Get price history',
        description: descriptions.history,
        params: byId,
        querystring: priceHistoryQuery.extend({ locale: z.string().optional() }),
        response: { 200: priceHistory },
      },
      handler: async (request) => {
        const { params, query } = request;
        const event = offeredEvent(catalogue, audienceOf(request), params.id);
        const at = { now: clock.now(), inventsPast: !environment.production };
        return readEventHistory(reads, event, query, readLocale(query.locale), at);
      },
    });
  };

/** `GET /api/embed/events/{id}/course`: the course of the coin or the match that an event is about, for the frame's chart. */
export const embedCourseRoutes: Routes = (app, { reads, catalogue }) => {
  app.route({
    method: 'GET',
    url: '/api/embed/events/:id/course',
    config: { ...FRAME.config, refuses: ['unknown_event', 'invalid_date'] },
    schema: {
      tags: FRAME.tags,
      operationId: 'getFrameEventCourse',
      summary: 'Get the course of a coin or a match',
      description:
        'Returns the prices of the coin or the scores of the match that an event is about, as the venue reports them.',
      params: byId,
      querystring: eventCourseQuery,
      response: { 200: eventCourse },
    },
    handler: async (request) => {
      const { params, query } = request;
      const since = readSecondsParameter('since', query.since) ?? new Date(0);
      return readEventCourse(reads, offeredEvent(catalogue, FRAME.audienceOf(request), params.id).eventId, since);
    },
  });
};

/** @throws unknown_event, also if the event is not offered, because the two must look alike */
function offeredEvent(catalogue: Catalogue, audience: Audience, eventId: string): BoardEvent {
  const event = catalogue.find(audience, eventId);
  if (event === undefined) {
    throw refuse('unknown_event');
  }
  return event;
}
