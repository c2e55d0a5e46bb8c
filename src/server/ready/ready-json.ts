/** Sends JSON that was made once and is sent many times; 304 if the caller has it already. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyJson } from '../../markets/catalogue/catalogue.ts';
import { acceptedCoding, type Coding, encodedBody } from './content-coding.ts';

/** Responses depend on the key, and prices change: not stored by shared caches, and revalidated each time. */
const REVALIDATED = 'private, no-cache';

/** Compressed where the caller accepts it; each form has an entity tag of its own (RFC 9110, 8.8.3.3). */
export function sendReady(request: FastifyRequest, reply: FastifyReply, ready: ReadyJson): void {
  reply.header('cache-control', REVALIDATED).header('vary', varyOf(reply));
  const coding = acceptedCoding(request.headers['accept-encoding']);
  const tag = taggedFor(ready.etag, coding);
  const condition = request.headers['if-none-match'];
  if (condition !== undefined && (matches(condition, tag) || matches(condition, ready.etag))) {
    reply
      .header('etag', matches(condition, ready.etag) ? ready.etag : tag)
      .code(304)
      .send();
    return;
  }
  const encoded = coding === null ? null : encodedBody(ready, coding);
  if (encoded instanceof Promise) {
    encoded.then(
      (bytes) => sendEncoded(reply, tag, coding, bytes),
      () => sendEncoded(reply, ready.etag, null, ready.body),
    );
  } else {
    sendEncoded(reply, encoded === null ? ready.etag : tag, encoded === null ? null : coding, encoded ?? ready.body);
  }
}

/** Answers within the tick if the JSON is there. */
export function sendWhenReady(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: ReadyJson | Promise<ReadyJson>,
): void {
  if (ready instanceof Promise) {
    ready.then((made) => sendReady(request, reply, made)).catch((error: unknown) => reply.send(error as never));
  } else {
    sendReady(request, reply, ready);
  }
}

function sendEncoded(reply: FastifyReply, etag: string, coding: Coding | null, body: Buffer): void {
  reply.header('etag', etag).header('content-type', JSON_TYPE);
  if (coding !== null) {
    reply.header('content-encoding', coding);
  }
  reply.send(body);
}

/** An embedded session's answer also depends on its origin (`embed-cors.ts`). */
function varyOf(reply: FastifyReply): string {
  const known = reply.getHeader('vary');
  return known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`;
}

/** `"abc"` becomes `"abc-br"`. */
function taggedFor(etag: string, coding: Coding | null): string {
  return coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;
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
