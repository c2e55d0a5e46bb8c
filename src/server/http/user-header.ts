/** Reads the customer's id from `X-Service-User`, or from `X-Operator-User`, its earlier name (contract 34.8). */
import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refuse } from '../../core/errors.ts';
import { isReference, REFERENCE_RULE } from '../../core/reference.ts';

const BEYOND_ASCII = /[\u0080-\u00ff]/;

/**
 * @param need true if the route requires the header, `optional` if it reads it, false if it ignores it
 * @throws `missing_user`; `invalid_request` if the two headers differ, or the id breaks the rule of core/reference.ts
 */
export function readUserHeader(headers: IncomingHttpHeaders, need: boolean | 'optional'): string | null {
  if (need === false) {
    return null;
  }
  const [current, earlier] = [headers['x-service-user'], headers['x-operator-user']];
  if (current && earlier && current !== earlier) {
    throw invalidUser(
      'X-Service-User and X-Operator-User name two different customers',
      'differs from X-Operator-User',
    );
  }
  const sent = current || earlier;
  if (typeof sent !== 'string' || sent === '') {
    if (need === true) {
      throw refuse('missing_user');
    }
    return null;
  }
  const id = decodeUtf8(sent);
  if (id === undefined || !isReference(id)) {
    throw invalidUser(`X-Service-User must be ${REFERENCE_RULE}`, REFERENCE_RULE);
  }
  return id;
}

function invalidUser(sentence: string, message: string): Refusal {
  return refuse('invalid_request', `${sentence}.`, { detail: [{ path: 'X-Service-User', message }] });
}

/**
 * Node decodes headers as Latin-1. An id beyond ASCII is sent as UTF-8 and must equal the same id in a path or a body.
 */
function decodeUtf8(text: string): string | undefined {
  if (!BEYOND_ASCII.test(text)) {
    return text;
  }
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? undefined : decoded;
}
