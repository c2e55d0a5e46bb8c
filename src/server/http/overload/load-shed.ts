/**
 * What waits and what is refused when a process has more requests than it can serve: money before reads before reports,
 * and each tenant its share. Requests without an operator (public pages, streams) have limits of their own.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../../core/errors.ts';
import type { Api } from '../api.ts';
import { createFairGate, type FairGate, GateFull, type GateLimits } from './fair-gate.ts';
import type { HoldRefusal } from './held-refusals.ts';

export type Importance = 'money' | 'reads' | 'reports';

/**
 * Each kind has its own places, so that reads never take those of money. A live order keeps its place while its venue
 * answers, up to 5 s, and costs little meanwhile; a report keeps a connection busy.
 */
const LIMITS: Readonly<Record<Importance, GateLimits>> = {
  money: { slots: 1_024, tenantSlots: 512, waiting: 2_048, tenantWaiting: 1_024, waitMs: 3_000, expectedMs: 100 },
  reads: { slots: 128, tenantSlots: 64, waiting: 1_024, tenantWaiting: 256, waitMs: 2_000, expectedMs: 500 },
  reports: { slots: 8, tenantSlots: 4, waiting: 64, tenantWaiting: 16, waitMs: 10_000, expectedMs: 10_000 },
};

const REPORT = /^\/api\/v1\/reconciliation(\/export|\/checkpoint|\/proof)?$/;

export function importanceOf(method: string, route: string): Importance {
  if (method !== 'GET' && method !== 'HEAD') {
    return 'money';
  }
  return REPORT.test(route) ? 'reports' : 'reads';
}

/** Adds the hooks; they run after the authentication. @param limits only tests pass them */
export function shedLoad(
  app: Api,
  holdRefusal: HoldRefusal,
  limits: Readonly<Record<Importance, GateLimits>> = LIMITS,
): void {
  const gates: Readonly<Record<Importance, FairGate>> = {
    money: createFairGate(limits.money),
    reads: createFairGate(limits.reads),
    reports: createFairGate(limits.reports),
  };
  app.addHook('onRequest', (request: FastifyRequest, { raw }: FastifyReply, done: (error?: Error) => void) => {
    const { auth, url = '', budget } = request.routeOptions.config;
    if ((auth !== 'key' && auth !== 'embed') || budget === 'stream') {
      done();
      return;
    }
    const importance = importanceOf(request.method, url);
    const gate = gates[importance];
    // children of an aggregator share what it has
    const { holderId } = request.caller;
    const stay = (leave: () => void) => {
      // `onResponse` is not called if the client goes away during the answer
      raw.on('close', leave);
      if (raw.closed) {
        leave();
      }
    };
    const leave = gate.tryEnter(holderId);
    if (leave === undefined) {
      wait(gate, holderId, importance)
        .then(stay)
        .then(() => done(), done);
    } else {
      stay(leave);
      done();
    }
  });

  async function wait(gate: FairGate, holderId: string, importance: Importance): Promise<() => void> {
    try {
      return await gate.enter(holderId);
    } catch (error) {
      if (error instanceof GateFull) {
        if (importance !== 'money') {
          await holdRefusal();
        }
        throw refuse('service_unavailable', undefined, { retryAfterSeconds: error.retryAfterSeconds });
      }
      throw error;
    }
  }
}
