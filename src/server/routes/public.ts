/**
 * The public website and the catalogue that it reads without a key (contract chapter 37). None of these routes is part of
 * the partner interface or of the OpenAPI document.
 */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { CATEGORIES } from '../../core/terms.ts';
import { createPublicMarkets } from '../../markets/catalogue/catalogue.ts';
import { readEventHistory } from '../../markets/catalogue/event-history.ts';
import { marketListQuery, marketPricesQuery, priceHistoryQuery } from '../../wire/catalogue.ts';
import { audienceOfOperator, EVERYONE } from '../audience.ts';
import { prepareDemoPage } from '../demo/demo-routes.ts';
import type { Routes } from '../http/api.ts';
import { acceptAsSent, queryText, rawQuery } from '../http/requests.ts';
import { findAssets, newNonce, pagePolicy, renderDocument, renderNotice } from '../pages.ts';
import { sendReady } from '../ready.ts';

const config = { auth: 'none' } as const;
const hide = true;

/** The catalogue without a key, except `/api/events/{key}`, which returns the price history of an event. */
export const publicSiteRoutes: Routes = (app, { board, catalogue, clock, reads, environment }) => {
  const markets = createPublicMarkets(board, clock);

  app.route({
    method: 'GET',
    url: '/api/events',
    config,
    schema: { hide },
    validatorCompiler: acceptAsSent,
    handler: (request, reply) =>
      sendReady(request, reply, catalogue.list(EVERYONE, queryText(request), rawQuery(request))),
  });

  app.route({
    method: 'GET',
    url: '/api/markets',
    config,
    schema: { hide, querystring: marketListQuery },
    handler: (request, reply) => sendReady(request, reply, markets.list(request.query.limit)),
  });

  app.route({
    method: 'GET',
    url: '/api/markets/quotes',
    config,
    schema: { hide, querystring: marketPricesQuery },
    handler: (request, reply) => sendReady(request, reply, markets.prices(request.query.ids)),
  });

  app.route({
    method: 'GET',
    url: '/api/markets/:id',
    config,
    schema: { hide, params: z.object({ id: z.string() }) },
    handler: async ({ params }) => {
      const data = markets.find(params.id);
      if (data === undefined) {
        throw refuse('market_not_found');
      }
      return { data };
    },
  });

  app.route({
    method: 'GET',
    url: '/api/events/:key',
    config: { auth: 'key', scopes: ['markets:read'], refuses: ['unknown_event'] },
    schema: { hide, params: z.object({ key: z.string() }), querystring: priceHistoryQuery },
    handler: async (request) => {
      const event = catalogue.find(audienceOfOperator(request.caller.operator), request.params.key);
      if (event === undefined) {
        throw refuse('unknown_event');
      }
      const at = { now: clock.now(), inventsPast: !environment.production };
      return readEventHistory(reads, event, request.query, 'en', at);
    },
  });
};

/**
 * `/`: the page of the website. On a development machine it also shows the demo: the frame as part of an operator's site,
 * beside the operator's ledger.
 */
export const siteRoutes: Routes = (app, context) => {
  app.route({
    method: 'GET',
    url: '/',
    config,
    schema: { hide },
    handler: async (request, reply) => {
      // A client that requests JSON expects an API here.
      if (/^application\/json\b/.test(request.headers.accept ?? '')) {
        throw refuse('not_found');
      }
      const nonce = newNonce();
      const assets = findAssets('site/site.tsx');
      const demo = await prepareDemoPage(context, request);
      reply
        .header('content-security-policy', pagePolicy(nonce, demo === null ? [] : [demo.frame]))
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8');
      if (assets === undefined) {
        return reply
          .code(503)
          .send(
            renderNotice(nonce, 'The website is not available', 'The website has not been built. Run "npm run build".'),
          );
      }
      return reply.send(
        renderDocument({
          title: 'Inlay: prediction markets inside your own site',
          language: 'en',
          nonce,
          assets,
          data: { ...demo, categories: CATEGORIES },
          noScript: 'This page needs JavaScript. The documentation at /docs does not.',
        }),
      );
    },
  });
};
