/** Sends JSON that was made once and is sent many times; 304 if the caller has it already. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyJson } from '../../markets/catalogue/rendered-events.ts';

/** Responses depend on the key, and prices change: not stored by shared caches, and revalidated each time. */
const REVALIDATED = 'private, no-cache';

export function sendReady(request: FastifyRequest, reply: FastifyReply, { body, etag }: ReadyJson): void {
  reply.header('etag', etag).header('cache-control', REVALIDATED);
  if (matches(request.headers['if-none-match'], etag)) {
    reply.code(304).send();
  } else {
    reply.header('content-type', JSON_TYPE).send(body);
  }
}

/** RFC 9110, 13.1.2: weak comparison against a list. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) {
    return false;
  }
  return (
    header === etag || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
  );
}

export const JSON_TYPE = 'application/json; charset=utf-8';

export function sendJson(reply: FastifyReply, ready: Buffer | string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(ready);
}
