/**
 * The demo, on development machines only: a host page that plays an operator around the frame, and `/api/demo/*` for the
 * public website. It acts for the sandbox tenant `demo` and for customers whose ids begin with `demo-`, and for nobody else.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiContext } from '../../context.ts';
import { refuse } from '../../core/errors.ts';
import { revokeSession } from '../../embed/embed-sessions.ts';
import { mintSession } from '../../embed/mint-session.ts';
import { openKeyring } from '../../embed/token.ts';
import { readFeed } from '../../feed/read-feed.ts';
import { changeOperator } from '../../operators/change-operator.ts';
import type { Operator } from '../../operators/operator.ts';
import { findOperator } from '../../operators/operators.ts';
import { createMeter } from '../../operators/rate-counters.ts';
import { resolvePosition } from '../../sandbox/resolve-position.ts';
import { renderOrder } from '../../trading/order.ts';
import { pagePositions } from '../../trading/position-pages.ts';
import { renderQuote } from '../../trading/quote.ts';
import { demoOrder, demoQuote, demoResolution, demoSession, demoStateQuery } from '../../wire/demo.ts';
import type { Api, Routes } from '../api.ts';
import { findAssets } from '../frame/assets.ts';
import { renderDocument, renderNotice } from '../frame/document.ts';
import { newNonce, pagePolicy } from '../frame/policy.ts';
import { JSON_TYPE } from '../json.ts';

const SLUG = 'demo';
const open = { auth: 'none' } as const;
const hide = true;
const CALLS_A_MINUTE = 300;
const MOST_ORIGINS = 10;
/** What the demo operator's own ledger follows. */
const LEDGER_TYPES = ['order.state_changed', 'position.exited', 'position.settled'];

export const demoRoutes: Routes = (app, context) => {
  if (context.environment.production) return;
  const { sql, clock, trading } = context;
  const keyring = openKeyring(context.secrets);
  const admit = createGate(context);
  servePage(app, context);

  app.route({
    method: 'POST',
    url: '/demo/session',
    config: open,
    schema: { hide, body: demoSession },
    handler: async (request, reply) => {
      const operator = await admit(request);
      const { user, ttlSeconds, locale } = request.body;
      const returnOrigin = pagesOf(request)?.page;
      const input = { externalUserId: user, ttlSeconds, locale, returnOrigin, theme: {} };
      const minting = { operatorId: operator.operatorId, keyId: 'demo', input, place: null };
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
      if ((await revokeSession(sql, operatorId, request.params.id)) === null) throw refuse('session_not_found');
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
      const positions = await pagePositions(sql, operatorId, { externalUserId: user, status: 'open', limit: 50 });
      const asked = { cursor, types: LEDGER_TYPES, externalUserId: user, limit: 200 };
      const feed = await readFeed(sql, operatorId, asked).catch(() => '{"items":[],"nextCursor":null,"hasMore":false}');
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
      const { positions } = await pagePositions(sql, operatorId, { externalUserId: user, status: 'open', limit: 200 });
      if (!positions.some((position) => position.positionId === positionId)) throw refuse('position_not_found');
      return resolvePosition(sql, operatorId, positionId, resolution);
    },
  });

  app.route({
    method: 'POST',
    url: '/api/demo/quotes',
    config: open,
    schema: { hide, body: demoQuote },
    handler: async (request) => {
      const operator = await admit(request);
      const { user, marketId, side, action, stake, contracts } = request.body;
      const trader = traderOf(operator, user);
      const size = (action === 'buy' ? stake : contracts) ?? 0;
      return renderQuote(await trading.issueQuote(trader, { contractId: marketId, side, action, size }));
    },
  });

  app.route({
    method: 'POST',
    url: '/api/demo/orders',
    config: open,
    schema: { hide, body: demoOrder },
    handler: async (request, reply) => {
      const operator = await admit(request);
      const { user, quoteId, clientOrderId } = request.body;
      const wish = { quoteId, clientOrderId, intent: 'simulate', reserveReference: null, slippageMicros: 0n } as const;
      const { order, replay } = await trading.placeOrder(traderOf(operator, user), wish);
      return reply.code(replay ? 200 : 201).send(renderOrder(order, { replay }));
    },
  });
};

function servePage(app: Api, { sql }: ApiContext): void {
  app.route({
    method: 'GET',
    url: '/demo',
    config: open,
    schema: { hide },
    handler: async (request, reply) => {
      const nonce = newNonce();
      const assets = findAssets('demo/host.tsx');
      const operator = await findOperator(sql, SLUG);
      const pages = pagesOf(request);
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
      if (assets === undefined || operator?.mode !== 'sandbox' || pages === null) {
        return reply
          .code(503)
          .header('content-security-policy', pagePolicy(nonce))
          .send(renderNotice(nonce, 'No demo here', UNAVAILABLE));
      }
      await registerOrigins(sql, operator, [pages.page, pages.frame]);
      return reply.header('content-security-policy', pagePolicy(nonce, [pages.frame])).send(
        renderDocument({
          title: 'Inlay demo: an operator’s page',
          language: 'en',
          nonce,
          assets,
          data: { frame: pages.frame, slug: SLUG },
          noScript: 'This page needs JavaScript.',
        }),
      );
    },
  });
}

const UNAVAILABLE =
  'The demo needs the tenant "demo", the built frame and a page opened on this machine: http://127.0.0.1 or http://localhost. "npm start" makes all three.';

/** Only the demo's own tenant, only a page of this machine, and not without end. */
function createGate({ sql }: ApiContext): (request: FastifyRequest) => Promise<Operator> {
  const meter = createMeter(sql);
  return async (request) => {
    const { origin } = request.headers;
    const pages = pagesOf(request);
    if (origin !== undefined && origin !== pages?.page && origin !== pages?.frame) throw refuse('origin_not_allowed');
    const rate = await meter({ subject: `d:${request.ip}`, limit: CALLS_A_MINUTE });
    if (!rate.allowed) throw refuse('rate_limited', undefined, { retryAfterSeconds: rate.resetSeconds });
    const operator = await findOperator(sql, SLUG);
    if (operator?.mode !== 'sandbox') throw refuse('not_found');
    if (operator.status !== 'active') throw refuse('operator_suspended');
    return operator;
  };
}

function traderOf(operator: Operator, externalUserId: string) {
  return { operator, externalUserId, offering: { categories: operator.offerCategories, eventIds: null } };
}

/**
 * The origin of the page that was opened and the one to frame: the other loopback name of the same port, so that the two are
 * as foreign to each other as an operator's site and this service. Null where it was not reached over loopback.
 */
function pagesOf({ host }: FastifyRequest): { page: string; frame: string } | null {
  const [, name, port = ''] = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/.exec(host) ?? [];
  if (name === undefined) return null;
  const other = name === 'localhost' ? '127.0.0.1' : 'localhost';
  return { page: `http://${name}${port}`, frame: `http://${other}${port}` };
}

/** The port of a development machine may be another each time: its older loopback origins make room. */
async function registerOrigins(
  sql: ApiContext['sql'],
  { slug, frameOrigins }: Operator,
  wanted: string[],
): Promise<void> {
  if (wanted.every((origin) => frameOrigins.includes(origin))) return;
  const others = frameOrigins.filter((origin) => !/^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/.test(origin));
  const kept = others.slice(0, MOST_ORIGINS - wanted.length);
  await changeOperator(sql, slug, { frameOrigins: [...kept, ...wanted] });
}
