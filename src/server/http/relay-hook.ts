/** After a request that may have raised events, tells the webhook relay to look. The relay also looks by itself; this saves it the wait. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { createRelayWaker } from '../../webhooks/relay.ts';

const MAY_RAISE_EVENTS = /\/(orders|resolutions)(\/|$)/;

export function createRelayHook(context: ApiContext) {
  const waker = createRelayWaker(context.sql);
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (request.method === 'POST' && reply.statusCode < 500 && MAY_RAISE_EVENTS.test(request.routeOptions.url ?? '')) {
      waker.wake();
    }
    done();
  };
}
