/** The headers of every response. HTML pages (docs, frame) replace the policy with their own. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  const { auth } = request.routeOptions.config;
  if (auth === 'key' || auth === 'embed') {
    // A response belongs to one tenant. The catalogue, which may be revalidated, sets its own header.
    reply.header('cache-control', 'no-store');
  }
  done();
}
