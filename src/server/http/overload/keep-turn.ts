/** A turn in the queue of a money statement, kept for a request from when the holder of its key is known: what cannot be served in time costs little. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Trading } from '../../../trading/trading.ts';

export type Turns = Pick<Trading, 'keepTurn' | 'giveUpTurn'>;

/**
 * Nothing happens for a route that ends in no such queue.
 * @throws service_unavailable, with `retryAfterSeconds`, if the turn would come too late
 */
export function keepTurn(request: FastifyRequest, reply: FastifyReply, turns: Turns, holderId: string): void {
  const { endsIn } = request.routeOptions.config;
  if (endsIn === undefined) {
    return;
  }
  const { deadline } = request;
  const refusal = turns.keepTurn(endsIn, holderId, deadline);
  if (refusal !== undefined) {
    throw refusal;
  }
  // the order takes its turn with it; whatever ends without one, gives it up
  reply.raw.on('close', () => turns.giveUpTurn(endsIn, deadline));
}
