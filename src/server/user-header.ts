/** Reads the customer's id from `X-Service-User`, or from `X-Operator-User`, its earlier name (rulings 4). */
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../core/errors.ts';

const MAX_LENGTH = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const BEYOND_ASCII = /[\u0080-\u00ff]/;

/**
 * @param need true where the route requires the header, `optional` where it reads it, false where it ignores it.
 * @throws `missing_user`; `invalid_request` where the id is longer than 200 characters or holds control characters.
 */
export function readUserHeader(headers: IncomingHttpHeaders, need: boolean | 'optional'): string | null {
  if (need === false) {
    return null;
  }
  const sent = headers['x-service-user'] || headers['x-operator-user'];
  if (typeof sent !== 'string' || sent === '') {
    if (need === true) {
      throw refuse('missing_user');
    }
    return null;
  }
  const id = decodeUtf8(sent);
  if (id === undefined || id.length > MAX_LENGTH || CONTROL.test(id)) {
    throw refuse('invalid_request', `X-Service-User is 1 to ${MAX_LENGTH} characters without control characters.`, {
      detail: [{ path: 'X-Service-User', message: `1 to ${MAX_LENGTH} characters without control characters` }],
    });
  }
  return id;
}

/** Node hands headers over as Latin-1; an id beyond ASCII comes as UTF-8 and reads like the same id in a path or a body. */
function decodeUtf8(text: string): string | undefined {
  if (!BEYOND_ASCII.test(text)) {
    return text;
  }
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? undefined : decoded;
}
