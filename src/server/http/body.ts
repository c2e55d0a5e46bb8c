/**
 * Parses bodies as JSON, whatever their content type is, and refuses text that JSON allows and the database cannot
 * store.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../core/errors.ts';
import type { Api } from './api.ts';

export const MAX_BODY_BYTES = 64 * 1024;

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/gs;
const STRING = /"(?:[^"\\]|\\.)*"(?:\s*(:))?/gs;
const UNSTORABLE_IN_URL = /%00/;

export function acceptJsonBodies(app: Api): void {
  app.removeAllContentTypeParsers();
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

/** PostgreSQL stores no NUL character in text; a statement for a whole batch would fail because of one. */
function refuseNul(request: FastifyRequest): Error {
  const { cursor } = request.query as { cursor?: unknown };
  return typeof cursor === 'string' && cursor.includes('\0')
    ? refuse('invalid_cursor')
    : refuse('invalid_request', 'The URL contains a NUL character.');
}

/**
 * @returns the value, or undefined for an empty body
 * @throws `invalid_json`, also for bytes that are not UTF-8 and for a field that is named twice; `invalid_request` for a NUL character, an unpaired
 * surrogate or a `__proto__` key
 */
function parseBody(bytes: Buffer): unknown {
  // If invalid bytes were replaced, ids that differ only in such bytes would become equal.
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
  if (hasRepeatedKey(text, value)) {
    throw refuse('invalid_json', 'The body names a field twice.');
  }
  if (text.includes('\\u') && !isStorable(text)) {
    throw refuse('invalid_request', 'The body contains a character that is not text.');
  }
  return value;
}

/**
 * Whether an object of a JSON text has two fields of one name. `JSON.parse` keeps the last of them, another reader the first. In text
 * that it has parsed, a string before a colon is the name of a field.
 */
function hasRepeatedKey(text: string, value: unknown): boolean {
  let kept = 0;
  const inner: unknown[] = [value];
  for (let one = inner.pop(); one !== undefined; one = inner.pop()) {
    if (typeof one === 'object' && one !== null) {
      const values = Object.values(one);
      kept += Array.isArray(one) ? 0 : values.length;
      inner.push(...values);
    }
  }
  let named = 0;
  for (const [, colon] of text.matchAll(STRING)) {
    named += colon === undefined ? 0 : 1;
  }
  return named !== kept;
}

/** Whether the escapes of a JSON text name valid characters: no NUL, no unpaired surrogate. */
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

/** Whether the request has no body. */
export function hasNoBody(request: FastifyRequest): boolean {
  return request.body === undefined;
}
