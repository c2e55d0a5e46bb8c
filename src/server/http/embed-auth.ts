/**
 * Lets the frame in: reads the embed token from the headers, attaches caller and session to the request, and allows the
 * page at the session's origin to read the response. The rules of embed sessions are in `embed/`.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { isLoopbackAddress } from '../../core/addresses.ts';
import type { Environment } from '../../core/environment.ts';
import { authenticateEmbedCall } from '../../embed/authenticate.ts';
import { createKeyring, createSessionFinder, type PresentedSession } from '../../embed/sessions.ts';
import { parseOperator } from '../../operators/operator.ts';
import type { MeteredRequest } from '../../operators/rate-counters.ts';
import type { Api } from './api.ts';
import { type AuthenticateEmbed, setRateHeaders } from './auth.ts';

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

function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}

function showRate(request: FastifyRequest, reply: FastifyReply, rate: Parameters<typeof setRateHeaders>[1]): void {
  request.rate = rate;
  if (request.routeOptions.config.rateHeaders !== false) {
    setRateHeaders(reply, rate);
  }
}

/** The session of a request. @throws Error if the route does not state `auth: 'embed'` */
export function sessionOf({ caller }: FastifyRequest): PresentedSession {
  if (caller.session === undefined) {
    throw new Error('the route does not require an embed token');
  }
  return caller.session;
}

const ANY = new Set(['0.0.0.0', '::']);

/**
 * The origins at which browsers reach this service: `INLAY_PUBLIC_URL`, and the address on which it listens. The `Host`
 * header is not used, because a page that rebinds its own name to our address would appear in it.
 * @returns a function, because the port is known only once the service listens
 */
export function createOwnOrigins(app: Api, { publicOrigins }: Environment): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | undefined;
  return () => {
    const bound = app.server.address() as AddressInfo | null;
    if (bound === null) {
      return new Set(publicOrigins);
    }
    known ??= new Set([...publicOrigins, ...listeningOrigins(bound)]);
    return known;
  };
}

function listeningOrigins({ address, port, family }: AddressInfo): string[] {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port}`);
  if (ANY.has(address) || isLoopbackAddress(address)) {
    return loopback;
  }
  return [...loopback, `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`];
}

const PREFLIGHT_SECONDS = 600;

/**
 * Answers the preflight of every path that the frame may call. A preflight carries no token, so its response only lists what
 * may be sent. The actual request decides whether the origin may call.
 */
export function answerPreflights(app: Api): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method, config }) => {
    // The framework adds a HEAD to each GET, which no preflight names.
    if (config?.auth !== 'embed' || method === 'HEAD') {
      return;
    }
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) {
      methods.add(name);
    }
    if (!methodsOf.has(url)) {
      methodsOf.set(url, methods);
      answerPreflight(app, url, methods);
    }
  });
}

function answerPreflight(app: Api, url: string, methods: ReadonlySet<string>): void {
  app.route({
    method: 'OPTIONS',
    url,
    config: { auth: 'none' },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (request.headers.origin !== undefined) {
        allowOrigin(reply, request.headers.origin);
      }
      return reply
        .code(204)
        .header('access-control-allow-methods', [...methods].toSorted().join(', '))
        .header('access-control-allow-headers', 'authorization, content-type')
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .send();
    },
  });
}
