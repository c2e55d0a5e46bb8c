/**
 * The hooks that every request passes, apart from authentication: its id, its headers, its span, its meter, its country,
 * and one log line and one measurement. They never read query strings or bodies.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { createPeerCheck, meteredAddress } from '../../core/addresses.ts';
import { refuse } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { createMinuteCounts } from '../../core/minute-counts.ts';
import { isTracing, orderTrace, sampledTraceIdOf, startSpan, traceIdOf } from '../../core/tracing.ts';
import { createCountryObserver } from '../../risk/jurisdiction.ts';
import type { Api } from './api.ts';
import { setRateHeaders } from './auth.ts';

/** Receives the measurement of each request with its response. */
export interface RequestObserver {
  /**
   * @param seconds from the first byte of the request to the end of the response
   * @param traceId id of a sampled trace, if there is one
   */
  observeRequest(method: string, route: string, status: number, seconds: number, traceId?: string): void;
}

/** Logs and measures each request with its response. */
export function createResponseHook(log: Logger, observer: RequestObserver) {
  return function observe(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { id, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.config.url ?? 'unknown';
    const seconds = (elapsedTime - request.waitedMs) / 1000;
    observer.observeRequest(method, route, status, seconds, sampledTraceIdOf(request.span?.traceparent));
    if (log.isLevelEnabled('info')) {
      const line = {
        id,
        method,
        route,
        status,
        ms: Math.round(elapsedTime * 100) / 100,
        key: request.attribution?.keyId ?? null,
        operator: request.attribution?.operatorId ?? null,
        customer: request.caller?.externalUserId ?? null,
        order: request.orderId,
        trace: traceOf(request),
        address: request.clientAddress,
      };
      log.info(line, 'request');
    }
    done();
  };
}

/** The trace of the span, or the one that the caller sent. */
function traceOf({ span, headers }: FastifyRequest): string | null {
  return traceIdOf(span?.traceparent ?? headers['traceparent']) ?? null;
}

/** Ids that differ between processes and between requests. */
export function newRequestIds(): () => string {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `req_${process}${count.toString(36).padStart(6, '0')}`;
  };
}

const ORDER_ID = /^ord_[\w-]{1,64}$/;

/**
 * Records which order a request is about, for its log line and its trace.
 * @param orderId ignored if it cannot be the id of an order, since callers choose it
 */
export function noteOrder(request: FastifyRequest, orderId: unknown): void {
  if (typeof orderId === 'string' && ORDER_ID.test(orderId)) {
    request.orderId = orderId;
    request.span?.link(orderTrace(orderId));
  }
}

const STANDARD_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;
/** A response belongs to one tenant. The catalogue, which callers may revalidate, sets its own header. */
const TENANT_CACHING = ['cache-control', 'no-store'] as const;

/** A year. Browsers ignore it in a response that came without TLS. */
const TLS_ONLY = ['strict-transport-security', 'max-age=31536000'] as const;

/**
 * Sets the headers of every response. HTML pages replace the policy with their own.
 * @param publicOrigins where browsers reach the service
 */
export function createHeaderHook(publicOrigins: readonly string[]) {
  const hasTls = publicOrigins.some((origin) => origin.startsWith('https:'));
  const headers = hasTls ? [...STANDARD_HEADERS, TLS_ONLY] : STANDARD_HEADERS;
  return function setStandardHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    reply.header('x-request-id', request.id);
    for (const [name, value] of headers) {
      reply.header(name, value);
    }
    const { auth } = request.routeOptions.config;
    if (auth === 'key' || auth === 'embed') {
      reply.header(...TENANT_CACHING);
    }
    done();
  };
}

/**
 * Records from which country a customer's requests come, before the response. Only the header of a trusted proxy counts. If no header is
 * configured, no hook is added.
 */
export function observeCountries(app: FastifyInstance, { sql, environment, log }: ApiContext): void {
  const header = environment.countryHeader;
  if (header === undefined) {
    return;
  }
  if (environment.trustedProxies.length === 0) {
    log.warn('INLAY_COUNTRY_HEADER is ignored: INLAY_TRUSTED_PROXIES names no trusted proxy');
    return;
  }
  const isTrusted = createPeerCheck(environment.trustedProxies);
  const observe = createCountryObserver(sql, header, log);
  app.addHook('onSend', async (request: FastifyRequest) => {
    const externalUserId = request.caller?.externalUserId;
    if (!isTrusted(request.raw.socket.remoteAddress)) {
      return;
    }
    if (externalUserId) {
      await observe(request.caller.operator.operatorId, externalUserId, request.headers);
    }
  });
}

/**
 * Meters the routes that need no key, by client address and in this process only, because a count in the database would
 * cost more than most of these responses. Requests with a key or an embed token are counted by
 * `operators/rate-counters.ts`.
 * @param limit requests per minute, per address and budget (`config.budget`), if the route has no limit of its own
 */
export function createAnonymousMeter(limit: number, now: () => number) {
  const counts = createMinuteCounts(now);

  return function meter(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    const { auth, budget = 'public', addressLimit } = request.routeOptions.config;
    if (auth === 'key' || auth === 'embed') {
      done();
      return;
    }
    const count = counts.add(`${budget} ${meteredAddress(request.clientAddress)}`, budget);
    const retryAfterSeconds = counts.secondsLeft();
    if (addressLimit !== undefined) {
      const remaining = Math.max(0, addressLimit - count);
      setRateHeaders(reply, { limit: addressLimit, remaining, resetSeconds: retryAfterSeconds });
    }
    if (count <= (addressLimit ?? limit)) {
      done();
      return;
    }
    done(refuse('rate_limited', 'Too many requests from this address in this minute.', { retryAfterSeconds }));
  };
}

/**
 * Opens a span for each request, under the `traceparent` that the caller sent. This must be the first hook, because
 * everything after it runs inside the span. Without tracing no hook is added.
 */
export function traceRequests(app: Api): void {
  if (!isTracing()) {
    return;
  }
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { traceparent } = request.headers;
    const route = request.routeOptions.config.url ?? 'unknown';
    const span = startSpan(`${request.method} ${route}`, {
      kind: 'server',
      facts: { 'http.request.method': request.method, 'http.route': route, 'inlay.request_id': request.id },
      ...(typeof traceparent === 'string' && traceIdOf(traceparent) !== undefined && { parent: traceparent }),
    });
    request.span = span ?? null;
    // The framework does not call `onResponse` if the client goes away during the response.
    reply.raw.once('close', () => span?.end(new Error('the client went away')));
    span === undefined ? done() : span.run(done);
  });
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { span, attribution, orderId } = request;
    span?.set({
      'http.response.status_code': reply.statusCode,
      ...(attribution !== null && { 'inlay.operator_id': attribution.operatorId }),
      ...(orderId !== null && { 'inlay.order_id': orderId }),
    });
    span?.end(reply.statusCode >= 500 ? new Error(`status ${reply.statusCode}`) : undefined);
    done();
  });
}
