/**
 * Meters the routes that need no key, by client address and in this process only: a count in the database would cost
 * more than most of these responses. Requests with a key or an embed token are counted by
 * `operators/rate-counters.ts`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { meteredAddress } from '../../core/addresses.ts';
import { refuse } from '../../core/errors.ts';
import { createMinuteCounts } from '../../core/minute-counts.ts';

/** @param limit requests per minute, for one address and one budget (`config.budget`) */
export function createAnonymousMeter(limit: number, now: () => number) {
  const counts = createMinuteCounts(now);

  return function meter(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const { auth, budget = 'public' } = request.routeOptions.config;
    if (auth === 'key' || auth === 'embed') {
      done();
      return;
    }
    if (counts.add(`${budget} ${meteredAddress(request.clientAddress)}`, budget) <= limit) {
      done();
      return;
    }
    const retryAfterSeconds = counts.secondsLeft();
    done(refuse('rate_limited', 'Too many requests from this address in this minute.', { retryAfterSeconds }));
  };
}
