/** Texts that are made once and sent many times: compressed in advance, with an entity tag. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding } from './content-coding.ts';
import { matches } from './ready-json.ts';

export interface ReadyText {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

const BROTLI_QUALITY = 9;

export async function prepareText(text: string, type: string): Promise<ReadyText> {
  const plain = Buffer.from(text);
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ]);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, etag, plain, gzip: zipped, brotli };
}

export function sendText(request: FastifyRequest, reply: FastifyReply, ready: ReadyText): FastifyReply {
  reply.header('etag', ready.etag).header('cache-control', 'public, no-cache').header('vary', 'accept-encoding');
  if (matches(request.headers['if-none-match'], ready.etag)) {
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
