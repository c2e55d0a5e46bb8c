/** Sends JSON bytes or text that were made once and are sent many times. */
import type { FastifyReply } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

export function sendJson(reply: FastifyReply, ready: Buffer | string): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(ready);
}
