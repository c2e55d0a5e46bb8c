/**
 * Meters the routes that need no key, by client address and in this process only: a count in the database would cost
 * more than most of these responses. Requests with a key or an embed token are metered by `operators/admission.ts` and
 * the session's meter.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../core/errors.ts';
import { meteredAddress } from '../../core/net/client-address.ts';

const MINUTE_MS = 60_000;
/**
 * If there are more addresses in a minute, the others share one count, so that the table stays small under a flood of
 * addresses.
 */
const MOST_ADDRESSES = 50_000;

/** @param limit requests per minute, for one address and one budget (`config.budget`) */
export function createAnonymousMeter(limit: number, now: () => number) {
  let minute = 0;
  let counts = new Map<string, number>();

  return function meter(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const { auth, budget = 'public' } = request.routeOptions.config;
    if (auth === 'key' || auth === 'embed') {
      done();
      return;
    }
    const time = now();
    if (Math.floor(time / MINUTE_MS) !== minute) {
      minute = Math.floor(time / MINUTE_MS);
      counts = new Map();
    }
    const subject = `${budget} ${meteredAddress(request.clientAddress)}`;
    const key = counts.has(subject) || counts.size < MOST_ADDRESSES ? subject : budget;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= limit) {
      done();
      return;
    }
    const retryAfterSeconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - time) / 1000));
    done(refuse('rate_limited', 'Too many requests from this address in this minute.', { retryAfterSeconds }));
  };
}
