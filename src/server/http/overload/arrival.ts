/** When a request arrived. It waits in its socket while the process is busy, and that counts as much as a queue of ours. */
import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Deadline, deadlineOf } from '../../../core/batching/deadline.ts';
import type { Api } from '../api.ts';

/** What the event loop knows of itself: its rounds so far, and how long it had nothing to do, in milliseconds. */
export interface LoopFacts {
  readonly rounds: number;
  readonly idleMs: number;
}

/** A longer delay is a process that was stopped, and says nothing about the next second. */
const MOST_DELAY_MS = 1_000;

export function readLoop(): LoopFacts {
  const { uvMetricsInfo, idleTime } = performance.nodeTiming;
  return { rounds: uvMetricsInfo.loopCount, idleMs: idleTime };
}

/**
 * The loop reads sockets once a round. What it finds there came after the last reading, so it has waited at most as long
 * as the process has worked since then. A round without a request in between shows that the request came after it.
 * @returns a function that says how long the request that is being read may have waited, in milliseconds
 */
export function createDelayClock(
  now: () => number = () => performance.now(),
  loop: () => LoopFacts = readLoop,
  afterReading: (work: () => void) => void = setImmediate,
): () => number {
  let last = { at: now(), ...loop() };
  let delayMs: number | undefined;
  return () => {
    if (delayMs === undefined) {
      const { rounds, idleMs } = loop();
      const busyMs = now() - last.at - (idleMs - last.idleMs);
      delayMs = rounds - last.rounds > 1 ? 0 : Math.min(Math.max(busyMs, 0), MOST_DELAY_MS);
      afterReading(() => {
        last = { at: now(), ...loop() };
        delayMs = undefined;
      });
    }
    return delayMs;
  };
}

/** @returns a function that gives the request that is being read its deadline. A process has one, because it measures the loop */
export function createDeadlines(): () => Deadline {
  const delayMs = createDelayClock();
  return () => {
    const readAt = performance.now();
    return deadlineOf(readAt - delayMs(), readAt);
  };
}

/** Gives each request its deadline. It must come before every hook that waits. */
export function setDeadlines(app: Api, nextDeadline: () => Deadline): void {
  app.addHook('onRequest', (request: FastifyRequest, _: FastifyReply, done: () => void) => {
    request.deadline = nextDeadline();
    done();
  });
}
