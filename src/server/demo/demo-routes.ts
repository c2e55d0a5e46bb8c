/**
 * What the demo operator's own server does for its page: mints and revokes sessions, reads the feed for the cash
 * ledger, and settles a position as a tester would. Development only, and only for customers whose ids begin with
 * `demo-`.
 */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { createKeyring, mintSession, revokeSession } from '../../embed/sessions.ts';
import { readFeed } from '../../ledger/read-feed.ts';
import { resolvePosition } from '../../sandbox/resolve-position.ts';
import { pagePositions } from '../../trading/positions.ts';
import { demoResolution, demoSession, demoStateQuery } from '../../wire/embed.ts';
import { JSON_TYPE } from '../ready/ready-json.ts';
import { demoPages, forDemo } from './demo-visitor.ts';

const open = { auth: 'none' } as const;
const hide = true;
/** The feed items that the demo operator's own ledger needs. */
const LEDGER_TYPES = ['order.state_changed', 'position.exited', 'position.settled'];

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
