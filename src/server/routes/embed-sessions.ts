/**
 * Embed sessions (contract chapter 30): an operator's server mints and revokes the tokens of its frame, and the frame
 * reads its session.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal, refuse } from '../../core/errors.ts';
import { listDisplayRates } from '../../embed/display-rates.ts';
import {
  createKeyring,
  mintSession,
  minuteEnd,
  renderSession,
  revokeSession,
  SESSION_RATE_LIMIT,
} from '../../embed/sessions.ts';
import type { Admit } from '../../operators/admission.ts';
import type { Scope } from '../../operators/keys.ts';
import { type Jurisdiction, readJurisdiction } from '../../risk/jurisdiction.ts';
import {
  type EmbedSessionInput,
  embedSession,
  embedSessionInput,
  frameSession,
  revokedSession,
} from '../../wire/embed.ts';
import type { Routes } from '../http/api.ts';
import { setRateHeaders } from '../http/auth.ts';
import { sessionOf } from '../http/embed-auth.ts';

const MINT_SCOPES: readonly Scope[] = ['markets:read', 'quotes:write', 'orders:write'];
const MINT_SCOPE: Scope = 'embed_sessions:mint';
const tags = ['Embed sessions'];

/** `embed-sessions`, for the operator's server. */
export const embedSessionsRoutes: Routes = (app, context) => {
  const keyring = createKeyring(context.secrets);

  app.route({
    method: 'POST',
    url: '/api/v1/embed-sessions',
    config: {
      auth: 'key',
      scopes: MINT_SCOPES,
      sufficientScope: MINT_SCOPE,
      invalidFields: { region: 'invalid_region', returnOrigin: 'invalid_origin' },
      refuses: ['invalid_operator_book', 'invalid_external_user_id', 'embed_unavailable'],
    },
    schema: {
      tags,
      operationId: 'mintEmbedSession',
      summary: 'Mint a session',
      description: 'Creates a short-lived session for one customer. Its token is shown only once.',
      body: embedSessionInput,
      response: { 200: embedSession },
    },
    preValidation: (request, reply) => requireBookScope(context.admit, request, reply),
    handler: async ({ caller: { operator, keyId }, body }, reply) => {
      const request = { operatorId: operator.operatorId, keyId, input: body, jurisdiction: jurisdictionOf(body) };
      const session = await mintSession(context.sql, keyring, context.clock.now(), request);
      return reply.header('cache-control', 'no-store').send(session);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/api/v1/embed-sessions/:id',
    config: { auth: 'key', scopes: ['orders:write'], sufficientScope: MINT_SCOPE, refuses: ['session_not_found'] },
    schema: {
      tags,
      operationId: 'revokeEmbedSession',
      summary: 'End a session',
      description: 'Ends the session at once. A repeated call changes nothing.',
      params: z.object({ id: z.string() }),
      response: { 200: revokedSession },
    },
    handler: async ({ caller: { operator }, params: { id } }) => {
      const revokedAt = await revokeSession(context.sql, operator.operatorId, id);
      if (revokedAt === null) {
        throw refuse('session_not_found');
      }
      return { sessionId: id, revokedAt: revokedAt.toISOString() };
    },
  });
};

/**
 * Refuses a request for an operator book without the scope for it. Only the body shows that a book is requested, so this
 * scope is checked after the others and before the shape. A refused request is not counted, so the counting is undone.
 */
async function requireBookScope(
  admit: Admit,
  { body, caller, rate }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const asksForBook = typeof body === 'object' && body !== null && 'operatorBookId' in body;
  if (!asksForBook || caller.scopes.includes('operator_book:write')) {
    return;
  }
  admit.giveBack({ ...caller, operatorId: caller.operator.operatorId });
  if (rate !== null) {
    setRateHeaders(reply, { ...rate, remaining: Math.min(rate.limit, rate.remaining + 1) });
  }
  const required: readonly Scope[] = [...MINT_SCOPES, 'operator_book:write'];
  throw refuse('insufficient_scope', undefined, { required, missing: ['operator_book:write'] });
}

/** @throws invalid_request for an invalid country, which is a field of the body here (contract 30.7) */
function jurisdictionOf({ jurisdiction }: EmbedSessionInput): Jurisdiction | null {
  if (jurisdiction === undefined) {
    return null;
  }
  try {
    return readJurisdiction(jurisdiction);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    throw refuse('invalid_request', error.message, { detail: [{ path: 'jurisdiction', message: error.message }] });
  }
}

/** `GET /api/embed/session`: the session of the token, for the frame. */
export const embedSessionRoutes: Routes = (app, { sql, clock }) => {
  app.route({
    method: 'GET',
    url: '/api/embed/session',
    config: { auth: 'embed' },
    schema: {
      tags: ['Embed frame'],
      operationId: 'getFrameSession',
      summary: 'Get the session',
      description: 'Returns the session of the token, the presentation of its operator, and the display rates.',
      response: { 200: frameSession },
    },
    handler: async (request, reply) => {
      const { slug, name, mode, presentation } = request.caller.operator;
      const now = clock.now();
      const { remaining = SESSION_RATE_LIMIT, resetSeconds = 0 } = request.rate ?? {};
      // The counter uses the minute of the database. The time half a minute before its end is always inside it.
      const resetsAt = minuteEnd(new Date(now.getTime() + resetSeconds * 1000 - 30_000));
      const usage = { requests: SESSION_RATE_LIMIT - remaining, resetsAt };
      const rates = await listDisplayRates(sql);
      return reply.header('cache-control', 'no-store').send({
        ...renderSession(sessionOf(request), usage, now),
        operator: { slug, name, mode, presentation },
        displayRates: rates.map((rate) => ({ ...rate, setAt: rate.setAt?.toISOString() ?? null })),
      });
    },
  });
};
