/** What every answer carries. Pages that draw something (docs, frame) replace the policy by their own. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export function setStandardHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  const { auth } = request.routeOptions.config;
  if (auth === 'key' || auth === 'embed') {
    // Answers are one tenant's; the catalogue, which may be revalidated, says so itself.
    reply.header('cache-control', 'no-store');
  }
  done();
}
