/** The headers of every response. HTML pages (docs, frame) replace the policy with their own. */
import type { FastifyReply, FastifyRequest } from 'fastify';

const STANDARD_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;
/** A response belongs to one tenant. The catalogue, which may be revalidated, sets its own header. */
const TENANT_CACHING = ['cache-control', 'no-store'] as const;

export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-request-id', request.id);
  for (const [name, value] of STANDARD_HEADERS) {
    reply.header(name, value);
  }
  const { auth } = request.routeOptions.config;
  if (auth === 'key' || auth === 'embed') {
    reply.header(...TENANT_CACHING);
  }
  done();
}
