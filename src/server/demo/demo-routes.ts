/**
 * The routes of the demo: its page, and the demo operator's own server. They mint and revoke sessions, trade for a visitor without a key,
 * read the feed for the cash ledger, settle a position as a tester would, and receive webhooks. Development only, and only for customers
 * whose ids begin with `demo-`.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { isNotPermitted } from '../../db/database-errors.ts';
import { createKeyring, mintSession, revokeSession } from '../../embed/sessions.ts';
import { readFeed } from '../../ledger/read-feed.ts';
import { resolvePosition } from '../../sandbox/resolve-position.ts';
import { renderOrder } from '../../trading/orders/read-orders.ts';
import { pagePositions } from '../../trading/positions.ts';
import { traderOf } from '../../trading/quotes/issue-quote.ts';
import { renderQuote } from '../../trading/quotes/price-quote.ts';
import { demoMailQuery, demoOrder, demoQuote, demoResolution, demoSession, demoStateQuery } from '../../wire/embed.ts';
import type { RouteContext, Routes } from '../http/api.ts';
import { findAssets, newNonce, pagePolicy, renderDocument, renderNotice } from '../pages.ts';
import { JSON_TYPE } from '../ready.ts';
import { orderRequest, quoteRequest } from '../trading-input.ts';
import { DEMO_SLUG, demoPages, findDemoOperator, forDemo, registerDemoPages } from './demo.ts';
import { createDemoMailbox, DEMO_WEBHOOKS, registerDemoWebhooks } from './demo-webhooks.ts';

const open = { auth: 'none', budget: 'demo', addressLimit: 300 } as const;
const hide = true;
/** The feed items that the ledger of the demo operator needs. */
const LEDGER_TYPES = ['order.state_changed', 'position.exited', 'position.settled'];

/** The calls of the operator's server for the demo page, except for trades and webhooks. */
export const demoRoutes = forDemo((app, { sql, clock, relay, secrets }, admit) => {
  const keyring = createKeyring(secrets);

  app.route({
    method: 'POST',
    url: '/demo/session',
    config: open,
    schema: { hide, body: demoSession },
    handler: async (request, reply) => {
      const operator = await admit(request);
      const { user, ttlSeconds, locale } = request.body;
      const returnOrigin = demoPages(request)?.page;
      const input = { externalUserId: user, ttlSeconds, locale, returnOrigin, theme: {} };
      const minting = { operatorId: operator.operatorId, keyId: 'demo', input, jurisdiction: null };
      return reply.header('cache-control', 'no-store').send(await mintSession(sql, keyring, clock.now(), minting));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/demo/session/:id',
    config: open,
    schema: { hide, params: z.object({ id: z.string().max(100) }) },
    handler: async (request) => {
      const { operatorId } = await admit(request);
      if ((await revokeSession(sql, operatorId, request.params.id)) === null) {
        throw refuse('session_not_found');
      }
      return { revoked: true };
    },
  });

  app.route({
    method: 'GET',
    url: '/demo/state',
    config: open,
    schema: { hide, querystring: demoStateQuery },
    handler: async (request, reply) => {
      const { operatorId } = await admit(request);
      const { user, cursor } = request.query;
      const positions = await pagePositions(sql, operatorId, { externalUserId: user, status: ['open'], limit: 50 });
      const asked = { cursor, types: LEDGER_TYPES, externalUserId: user, limit: 200 };
      const feed = await readFeed(sql, operatorId, asked).then(
        ({ json }) => json,
        () => '{"items":[],"nextCursor":null,"hasMore":false}',
      );
      return reply.type(JSON_TYPE).send(`{"positions":${JSON.stringify(positions.positions)},"feed":${feed}}`);
    },
  });

  app.route({
    method: 'POST',
    url: '/demo/resolutions',
    config: open,
    schema: { hide, body: demoResolution },
    handler: async (request) => {
      const { operatorId } = await admit(request);
      const { user, positionId, resolution } = request.body;
      const { positions } = await pagePositions(sql, operatorId, {
        externalUserId: user,
        status: ['open'],
        limit: 200,
      });
      if (!positions.some((position) => position.positionId === positionId)) {
        throw refuse('position_not_found');
      }
      return resolvePosition({ sql, relay }, operatorId, positionId, resolution);
    },
  });
});

const UNAVAILABLE =
  'The demo needs its tenants, the built frame and a page opened on this machine: http://127.0.0.1 or http://localhost. "npm start" makes all three.';

/** `/demo`: a page that acts as an operator's site around the frame, on another loopback origin than the frame. */
export const demoPageRoutes: Routes = (app, context) => {
  if (!context.hasDemo) {
    return;
  }
  app.route({
    method: 'GET',
    url: '/demo',
    exposeHeadRoute: false,
    config: open,
    schema: { hide },
    handler: async (request, reply) => {
      const nonce = newNonce();
      const assets = findAssets('demo/host.tsx');
      const demo = await prepareDemoPage(context, request);
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
      if (assets === undefined || demo === null) {
        return reply
          .code(503)
          .header('content-security-policy', pagePolicy(nonce))
          .send(renderNotice(nonce, 'The demo is not available', UNAVAILABLE));
      }
      return reply.header('content-security-policy', pagePolicy(nonce, [demo.frame])).send(
        renderDocument({
          title: 'Inlay demo: an operator’s page',
          language: 'en',
          nonce,
          assets,
          data: demo,
          noScript: 'This page needs JavaScript.',
        }),
      );
    },
  });
};

/**
 * `/api/demo/quotes` and `/api/demo/orders` (contract chapter 37): the requests and responses of the partner routes, for
 * a visitor of the website or the demo who has no key.
 */
export const demoTradingRoutes = forDemo((app, { trading }, admit) => {
  app.route({
    method: 'POST',
    url: '/api/demo/quotes',
    config: open,
    schema: { hide, body: demoQuote },
    handler: async (request) => {
      const operator = await admit(request);
      const trader = traderOf(operator, request.body.user);
      return renderQuote(await trading.issueQuote(trader, quoteRequest(request.body)));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/demo/orders',
    config: open,
    schema: { hide, body: demoOrder },
    handler: async (request, reply) => {
      const operator = await admit(request);
      const trader = traderOf(operator, request.body.user);
      const { order, replay } = await trading.placeOrder(trader, orderRequest(request.body, 'simulate'));
      return reply.code(replay ? 200 : 201).send(renderOrder(order, { replay }));
    },
  });
});

/** `/demo/webhooks`: receives the demo operator's deliveries and shows them to its page. */
export const demoWebhooksRoutes = forDemo((app, context, admit) => {
  const mailbox = createDemoMailbox(context);

  // The signature covers the raw bytes.
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
    raw.route({
      method: 'POST',
      url: DEMO_WEBHOOKS,
      config: open,
      schema: { hide },
      handler: async (request, reply) => {
        const signature = request.headers['service-signature'];
        const operator = await admit(request);
        const good =
          typeof request.body === 'string' &&
          typeof signature === 'string' &&
          (await mailbox.take(operator, request.body, signature));
        return reply.code(good ? 204 : 401).send();
      },
    });
  });

  app.route({
    method: 'GET',
    url: DEMO_WEBHOOKS,
    config: open,
    schema: { hide, querystring: demoMailQuery },
    handler: async (request, reply) => {
      await admit(request);
      const { user, after } = request.query;
      return reply.header('cache-control', 'no-store').send(mailbox.read(user, after));
    },
  });
});

interface DemoPage {
  /** Origin of the frame. */
  readonly frame: string;
  /** Slug of the tenant that owns the frame. */
  readonly operator: string;
  /** Slug of the tenant whose key the code sample uses. */
  readonly slug: string;
}

/**
 * Registers the requesting page with the tenant of the demo, and returns the data that the page needs.
 * @returns null if there is no demo: without `inlay up`, in production, for another machine, without a sandbox tenant, or if `up` has not
 * registered the port and the service's role may not do so
 */
export async function prepareDemoPage(context: RouteContext, request: FastifyRequest): Promise<DemoPage | null> {
  const pages = context.hasDemo ? demoPages(request) : null;
  if (pages === null) {
    return null;
  }
  const operator = await findDemoOperator(context.sql);
  if (operator === undefined) {
    return null;
  }
  try {
    await registerDemoPages(context.sql, operator, pages.port);
  } catch (error) {
    if (isNotPermitted(error)) {
      return null;
    }
    throw error;
  }
  await registerDemoWebhooks(context, operator, pages);
  return { frame: pages.frame, operator: operator.slug, slug: DEMO_SLUG };
}
