/**
 * The `RateLimit-*` headers and the responses that carry them (contract 35.7).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateWindow } from '../../operators/rate-counters.ts';

const SILENT_CODES = new Set(['sandbox_only', 'unknown_user']);
/** The 400 and 500 responses of this list carry none. */
const EVENTS_LIST = '/api/v1/events';

export function setRateHeaders(reply: FastifyReply, rate: RateWindow): void {
  reply.header('ratelimit-limit', rate.limit);
  reply.header('ratelimit-remaining', rate.remaining);
  reply.header('ratelimit-reset', rate.resetSeconds);
}

/** Removes the headers from a refusal that the contract lists without them. */
export function withdrawRateHeaders(request: FastifyRequest, reply: FastifyReply, status: number, code: string): void {
  const silent =
    SILENT_CODES.has(code) || ((status === 400 || status === 500) && request.routeOptions.config.url === EVENTS_LIST);
  if (silent) {
    reply.removeHeader('ratelimit-limit');
    reply.removeHeader('ratelimit-remaining');
    reply.removeHeader('ratelimit-reset');
  }
}
