/**
 * Allows the page at a session's bound origin to read the responses of the embed surface. A preflight carries no token,
 * so its response only lists what may be sent; whether the origin may call is decided by the actual request.
 */
import type { FastifyReply } from 'fastify';
import type { Api } from './api.ts';

const PREFLIGHT_SECONDS = 600;

export function allowOrigin(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
}

/** Answers the preflight of one path. */
export function answerPreflight(app: Api, url: string, methods: readonly string[]): void {
  app.route({
    method: 'OPTIONS',
    url,
    config: { auth: 'none' },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (request.headers.origin !== undefined) {
        allowOrigin(reply, request.headers.origin);
      }
      return reply
        .code(204)
        .header('access-control-allow-methods', methods.join(', '))
        .header('access-control-allow-headers', 'authorization, content-type')
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .send();
    },
  });
}
