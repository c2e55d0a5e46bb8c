/** How a request presents its API key, and the operator for which an aggregator acts. It checks neither. */
import type { IncomingHttpHeaders } from 'node:http';

const LONGEST_OPERATOR_ID = 64;
const BEARER = /^Bearer +(\S+) *$/i;

/** @returns undefined without credentials, and for another scheme */
export function readBearer({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** The operator that the aggregator header names, or null. */
export function readActingFor(headers: IncomingHttpHeaders): string | null {
  const named = headers['x-service-operator'];
  if (typeof named !== 'string' || named === '') {
    return null;
  }
  // No id is this long; longer text is refused like any other unknown id.
  return named.length > LONGEST_OPERATOR_ID ? 'unknown' : named;
}
