/**
 * Refuses a request without `Host`, or that repeats a header which identifies the caller or the customer. Node keeps the first `Host` and
 * joins two `X-Service-User` into one id, while a proxy in front may read the last one: both must see the same request.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../core/errors.ts';

const SINGLE = new Set(['host', 'authorization', 'x-service-user', 'x-operator-user', 'x-service-operator', 'origin']);

export function refuseRepeatedHeaders(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
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
