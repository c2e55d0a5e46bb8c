/** The `RateLimit-*` headers: who gets them and who does not (specification "Limits"; rulings 11 "Lists and reads"). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateWindow } from '../../operators/rate-window.ts';

const SILENT_CODES = new Set(['sandbox_only', 'unknown_user']);
/** The list whose 400 and 500 answers carry none. */
const EVENTS_LIST = '/api/v1/events';

export function setRateHeaders(reply: FastifyReply, rate: RateWindow): void {
  reply.header('ratelimit-limit', rate.limit);
  reply.header('ratelimit-remaining', rate.remaining);
  reply.header('ratelimit-reset', rate.resetSeconds);
}

/** Takes the headers off a refusal that the specification lists without them. */
export function withdrawRateHeaders(request: FastifyRequest, reply: FastifyReply, status: number, code: string): void {
  const silent =
    SILENT_CODES.has(code) || ((status === 400 || status === 500) && request.routeOptions.config.url === EVENTS_LIST);
  if (silent) {
    reply.removeHeader('ratelimit-limit');
    reply.removeHeader('ratelimit-remaining');
    reply.removeHeader('ratelimit-reset');
  }
}
