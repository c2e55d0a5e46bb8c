/**
 * The requirements of a request before a route handles it: JSON that the database can store, headers that every reader sees alike, and
 * values that fit the zod schemas of the route.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { z } from 'zod';
import { isLoopbackAddress } from '../../core/addresses.ts';
import { refuse } from '../../core/errors.ts';
import { expectation } from '../../core/expectation.ts';
import type { RawQuery } from '../../markets/catalogue/event-query.ts';
import type { Api } from './api.ts';

export const MAX_BODY_BYTES = 64 * 1024;

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/gs;
const UNSTORABLE_IN_URL = /%00/;

/**
 * Parses every body as JSON, whatever its content type is, and refuses characters that JSON and URLs allow and the
 * database cannot store.
 */
export function acceptJsonBodies(app: Api): void {
  app.removeAllContentTypeParsers();
  // A body of DELETE has no meaning, so it is not read.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseBody(bytes));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('preParsing', ({ headers, raw: { httpVersion } }, { raw }, _payload, done) => {
    if (headers.expect !== undefined && httpVersion === '1.1') {
      raw.writeContinue();
    }
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    done(UNSTORABLE_IN_URL.test(request.raw.url ?? '') ? refuseNul(request) : undefined);
  });
}

/** PostgreSQL stores no NUL character in text. One of them would fail the statement of a whole batch. */
function refuseNul(request: FastifyRequest): Error {
  const { cursor } = request.query as { cursor?: unknown };
  return typeof cursor === 'string' && cursor.includes('\0')
    ? refuse('invalid_cursor')
    : refuse('invalid_request', 'The URL contains a NUL character.');
}

/**
 * @returns the value, or undefined for an empty body
 * @throws `invalid_json`, also for bytes that are not UTF-8; `invalid_request` for a NUL character, an unpaired surrogate
 *   or a `__proto__` key
 */
function parseBody(bytes: Buffer): unknown {
  // If invalid bytes were replaced, ids that differ only in them would become equal.
  if (!isUtf8(bytes)) {
    throw refuse('invalid_json');
  }
  const text = bytes.toString();
  if (text.trim() === '') {
    return undefined;
  }
  let value: unknown;
  let poisoned = false;
  try {
    value =
      text.includes('__proto__') || text.includes('\\')
        ? JSON.parse(text, (key, inner) => {
            poisoned ||= key === '__proto__';
            return inner;
          })
        : JSON.parse(text);
  } catch {
    throw refuse('invalid_json');
  }
  if (poisoned) {
    throw refuse('invalid_request', 'A key of the body is not allowed.', {
      detail: [{ path: '__proto__', message: 'unknown field' }],
    });
  }
  if (text.includes('\\u') && !isStorable(text)) {
    throw refuse('invalid_request', 'The body contains a character that is not text.');
  }
  return value;
}

/** Whether the escapes of a JSON text stand for text: no NUL, no unpaired surrogate. */
function isStorable(text: string): boolean {
  let pendingHigh = -1;
  for (const { 1: hex, index } of text.matchAll(ESCAPE)) {
    const unit = hex === undefined ? -1 : Number.parseInt(hex, 16);
    const completesPair = pendingHigh >= 0 && index === pendingHigh + 6 && unit >= 0xdc00 && unit <= 0xdfff;
    if (unit === 0 || (pendingHigh >= 0 && !completesPair)) {
      return false;
    }
    if (!completesPair && unit >= 0xdc00 && unit <= 0xdfff) {
      return false;
    }
    pendingHigh = !completesPair && unit >= 0xd800 && unit <= 0xdbff ? index : -1;
  }
  return pendingHigh < 0;
}

/** An empty body is parsed as undefined. */
export function hasNoBody(request: FastifyRequest): boolean {
  return request.body === undefined;
}

interface ValidationDetail {
  readonly path: string;
  readonly message: string;
}

/**
 * Validates requests by the zod schemas of their route. Responses are not validated, because that would cost more than
 * making them; tests check them against the schemas that the OpenAPI document shows.
 */
export const validateRequests: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data: unknown) => {
    // Fastify passes null if there is no body.
    const value = httpPart === 'body' && data === null ? undefined : data;
    const result = schema.safeParse(value, { reportInput: true });
    if (result.success) {
      return { value: result.data };
    }
    const detail = describe(result.error);
    const first = detail[0];
    const message = first === undefined || first.path === '' ? first?.message : `${first.path}: ${first.message}`;
    return { error: refuse('invalid_request', message, { detail }) };
  };

export const sendAsJson: FastifySerializerCompiler<unknown> = () => (data: unknown) => JSON.stringify(data);

function describe(error: z.ZodError): ValidationDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'unknown field' }));
    }
    return [{ path, message: expectation(issue) }];
  });
}

/**
 * For the `validatorCompiler` of a route whose query values have their own refusal codes: accepts everything unchanged.
 * The schema only documents the values, and the use case parses them.
 */
export const acceptAsSent = () => (data: unknown) => ({ value: data });

/** The query string as it was sent, without the question mark. */
export function queryText(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

export function rawQuery(request: FastifyRequest): RawQuery {
  return request.query as RawQuery;
}

const SINGLE = new Set(['host', 'authorization', 'x-service-user', 'x-operator-user', 'x-service-operator', 'origin']);

/**
 * Refuses a request that is not HTTP/1.0 or 1.1 (Node also accepts a line without a version, and 2.0), has no `Host`, or
 * repeats a header which identifies the caller or the customer. Node keeps the first `Host` and joins two
 * `X-Service-User` into one id, but a proxy in front may read the last one. Both must see the same request.
 */
export function refuseUnclearHeads(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.raw.httpVersionMajor !== 1) {
    done(refuse('invalid_request', 'The request line must name HTTP/1.1 or HTTP/1.0.'));
    return;
  }
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
    done(refuse('invalid_request', 'The header host is missing.'));
    return;
  }
  const name = repeatedHeader(request.raw.rawHeaders);
  done(name === undefined ? undefined : refuse('invalid_request', `The header ${name} may be sent once.`));
}

/** @returns the first identifying header that the request repeats, in lower case */
function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen: string[] | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    if (!SINGLE.has(name)) {
      continue;
    }
    if (seen?.includes(name)) {
      return name;
    }
    seen = seen === undefined ? [name] : [...seen, name];
  }
  return undefined;
}

const LOCALHOST = /^localhost(:\d+)?$/;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * For routes that only this machine may call. A request with a forwarding header came through a proxy on this machine. One for another host name may come from a page
 * in a browser that has bound its name to this machine.
 */
export function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const isAddressed = LOCALHOST.test(headers.host ?? '') || isLoopbackAddress(headers.host);
  return (
    isAddressed && isLoopbackAddress(raw.socket.remoteAddress) && FORWARDED.every((name) => headers[name] === undefined)
  );
}
