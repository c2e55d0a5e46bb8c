/**
 * Sends bodies that are made once and sent many times: with an entity tag, with 304 if the caller has the body already,
 * and in the compression that the caller accepts.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyJson } from '../markets/catalogue/catalogue.ts';

export interface ReadyText {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

const BROTLI_QUALITY = 9;

/** Compresses a text that every caller gets, such as a document, as well as possible. */
export async function prepareText(text: string, type: string): Promise<ReadyText> {
  const plain = Buffer.from(text);
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ]);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, etag, plain, gzip: zipped, brotli };
}

/** Sends a prepared text, or 304 if the caller has it. */
export function sendText(request: FastifyRequest, reply: FastifyReply, ready: ReadyText): FastifyReply {
  reply.header('etag', ready.etag).header('cache-control', 'public, no-cache').header('vary', 'accept-encoding');
  if (matchesEntityTag(request.headers['if-none-match'], ready.etag)) {
    return reply.code(304).send();
  }
  reply.header('content-type', ready.type);
  switch (acceptedCoding(request.headers['accept-encoding'])) {
    case 'br':
      return reply.header('content-encoding', 'br').send(ready.brotli);
    case 'gzip':
      return reply.header('content-encoding', 'gzip').send(ready.gzip);
    case null:
      return reply.send(ready.plain);
  }
}

/** Responses depend on the key, and prices change. Shared caches must not store them, and other caches revalidate each time. */
const REVALIDATED = 'private, no-cache';

/**
 * Sends JSON of the catalogue, compressed if the caller accepts it, or 304 if the caller has it. Each compressed form has
 * its own entity tag (RFC 9110, 8.8.3.3).
 */
export function sendReady(request: FastifyRequest, reply: FastifyReply, ready: ReadyJson): void {
  reply.header('cache-control', REVALIDATED).header('vary', varyOf(reply));
  const coding = acceptedCoding(request.headers['accept-encoding']);
  const tag = taggedFor(ready.etag, coding);
  const condition = request.headers['if-none-match'];
  if (condition !== undefined && (matchesEntityTag(condition, tag) || matchesEntityTag(condition, ready.etag))) {
    reply
      .header('etag', matchesEntityTag(condition, ready.etag) ? ready.etag : tag)
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

/** Sends JSON that may still be in preparation. If it is ready, the response is sent within the tick. */
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

/** A response to an embed session also depends on its origin, which http/embed-auth.ts has put into the header. */
function varyOf(reply: FastifyReply): string {
  const known = reply.getHeader('vary');
  return known === undefined ? 'accept-encoding' : `${String(known)}, accept-encoding`;
}

/** `"abc"` becomes `"abc-br"`. */
function taggedFor(etag: string, coding: Coding | null): string {
  return coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/** Whether an `If-None-Match` header lists the entity tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) {
    return false;
  }
  return (
    header === etag || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
  );
}

/** Sends text that is JSON already. */
export function sendJson(reply: FastifyReply, ready: Buffer | string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(ready);
}

type Coding = 'br' | 'gzip';

/** The fastest quality that compresses a list to an eighth of its size. */
const QUICK_BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;
/** Smaller bodies fit into one packet anyway. */
const LEAST_BYTES = 1_400;
/** Bodies that may be compressed at the same time. Beyond them, callers get plain bytes at once. */
const MOST_UNDER_WAY = 2;

/**
 * The compression that a caller accepts (RFC 9110, 12.5.3).
 * @returns the better one that the header lists with a weight above zero, or null
 */
function acceptedCoding(header: string | string[] | undefined): Coding | null {
  if (header === undefined) {
    return null;
  }
  const accepted = new Set(
    String(header)
      .toLowerCase()
      .split(',')
      .flatMap((part) => {
        const [name = '', weight = ''] = part.split(';').map((piece) => piece.trim());
        return /^q=0(\.0*)?$/.test(weight) ? [] : [name];
      }),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null;
}

type Encoded = Partial<Record<Coding, Buffer | Promise<Buffer>>>;

const encodedBodies = new WeakMap<ReadyJson, Encoded>();
let underWay = 0;

/**
 * Compresses a body once for all callers. The result is kept as long as the body.
 * @returns the compressed body, a promise of it, or null if plain bytes are to be sent
 */
function encodedBody(ready: ReadyJson, coding: Coding): Buffer | Promise<Buffer> | null {
  const encoded = encodedBodies.get(ready) ?? {};
  const there = encoded[coding];
  if (there !== undefined) {
    return there;
  }
  if (ready.body.length < LEAST_BYTES || underWay >= MOST_UNDER_WAY) {
    return null;
  }
  underWay += 1;
  const made = compress(ready.body, coding).finally(() => {
    underWay -= 1;
  });
  encoded[coding] = made;
  encodedBodies.set(ready, encoded);
  made.then(
    (bytes) => {
      encoded[coding] = bytes;
    },
    () => {
      delete encoded[coding];
    },
  );
  return made;
}

function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br'
    ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK_BROTLI_QUALITY } })
    : promisify(gzip)(body, { level: GZIP_LEVEL });
}
