/**
 * Where a request waits for its place when a process has more requests than it can serve. Money and reads have places of their own, so
 * that reads never take those of money.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFairQueue, type Leave } from '../../core/fair-queue.ts';

/** What two statements of orders take: more places make no fuller calls, and each answer later. */
const MONEY = { places: 384, placesOfHolder: 192, waitingOfHolder: 1_024, lateMs: 200 };
const READS = { places: 128, placesOfHolder: 64, waitingOfHolder: 256, lateMs: 1_000 };

/**
 * Takes a place for a request of this holder, until it is answered or calls `leaveQueue`.
 * @returns a promise if the request has to wait @throws service_unavailable, also by the promise
 */
export type EnterQueue = (request: FastifyRequest, reply: FastifyReply, holderId: string) => Promise<void> | undefined;

export function createQueues(): EnterQueue {
  const money = createFairQueue(MONEY);
  const reads = createFairQueue(READS);
  return (request, reply, holderId) => {
    const stay = (leave: Leave): undefined => {
      request.leaveQueue = leave;
      leaveWith(reply, leave);
    };
    const enter = request.method === 'GET' || request.method === 'HEAD' ? reads : money;
    const place = enter(holderId);
    return place instanceof Promise ? place.then(stay) : stay(place);
  };
}

/** Gives the place back when the request is answered, or when its client has gone away. */
export function leaveWith({ raw }: FastifyReply, leave: Leave): void {
  // `onResponse` is not called if the client goes away during the answer
  raw.on('close', leave);
  if (raw.closed) {
    leave();
  }
}
