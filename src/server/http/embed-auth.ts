/**
 * Reads the embed token from the headers and attaches caller and session to the request. The rules of embed sessions
 * are in `embed/`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { authenticateEmbedCall } from '../../embed/authenticate.ts';
import { createKeyring, createSessionFinder, type PresentedSession } from '../../embed/sessions.ts';
import { parseOperator } from '../../operators/operator.ts';
import type { MeteredRequest } from '../../operators/rate-counters.ts';
import type { AuthenticateEmbed } from './auth.ts';
import { allowOrigin } from './embed-cors.ts';
import { setRateHeaders } from './rate-headers.ts';

/** @param ownOrigins the origins of the service itself, from which the frame sends its requests */
export function authenticateEmbedWith(context: ApiContext, ownOrigins: () => ReadonlySet<string>): AuthenticateEmbed {
  const keyring = createKeyring(context.secrets);
  const find = createSessionFinder(context.sql);
  return async (request, reply) => {
    const count = async (call: MeteredRequest) => {
      const metered = context.counters.count(call);
      showRate(request, reply, metered);
      return metered;
    };
    const { method } = request;
    const { origin, authorization } = request.headers;
    const query = (request.raw.url ?? '').split('?', 2)[1] ?? '';
    const { session } = await authenticateEmbedCall(keyring, find, count, {
      method,
      origin,
      ownOrigins: ownOrigins(),
      authorization,
      query,
      alsoSuspended: request.routeOptions.config.alsoSuspended === true,
    });
    if (origin !== undefined && origin === session.origin) {
      allowOrigin(reply, origin);
    }
    return {
      operator: parseOperator(session.operatorRow),
      keyId: session.sessionId,
      holderId: session.holderId,
      countedIn: 0,
      scopes: [],
      externalUserId: session.externalUserId,
      session,
    };
  };
}

function showRate(request: FastifyRequest, reply: FastifyReply, rate: Parameters<typeof setRateHeaders>[1]): void {
  request.rate = rate;
  if (request.routeOptions.config.rateHeaders !== false) {
    setRateHeaders(reply, rate);
  }
}

/** The session of a request to a route with `auth: 'embed'`. */
export function sessionOf({ caller }: FastifyRequest): PresentedSession {
  if (caller.session === undefined) {
    throw new Error('the route does not require an embed token');
  }
  return caller.session;
}
