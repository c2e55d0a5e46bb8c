/**
 * Delivers webhooks: for each endpoint that it visits, it claims what is due, signs, sends, and records the result. It
 * keeps no state that the database needs: a delivery without a recorded result is due again when its lease ends.
 */
import type { LookupFunction } from 'node:net';
import { createBatcher } from '../../core/batcher.ts';
import { Refusal } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import { checkDestination, type DestinationPolicy } from '../endpoints/destination.ts';
import type { SecretBox } from '../endpoints/endpoint-secret.ts';
import { BREAKER, type BreakerSettings, type Verdict } from './breaker.ts';
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  pauseEndpoint,
  type RecordedAttempt,
  recordAttempts,
  releaseDeliveries,
} from './deliveries.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { retryDelayMs } from './retry-schedule.ts';
import { EXCHANGE_TIMEOUT_MS, type SendResult, sendSigned } from './sender.ts';
import { SignedRequest } from './signed-request.ts';
import { traceDelivery } from './trace-delivery.ts';

export interface DeliveryWorkerOptions {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly policy: DestinationPolicy;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ten seconds by the contract; tests shorten it. */
  readonly timeoutMs?: number;
  readonly breaker?: BreakerSettings;
  readonly lookup?: LookupFunction;
  readonly random?: () => number;
}

export interface DeliveryWorker {
  /** Resolves when the endpoint has nothing due, or is paused. */
  visit(operatorId: string, endpointId: string): Promise<void>;
  /** Starts nothing more and waits for the deliveries in flight. */
  close(): Promise<void>;
}

/** An attempt starts only while at least the timeout is left of its lease, and then has this long to be recorded. */
const LEASE_SLACK_MS = 5_000;
/**
 * How long `close` waits for responses. Attempts without one by then are aborted, released unrecorded, and attempted
 * again.
 */
const CLOSE_WITHIN_MS = 3_000;
const CLAIMS_A_CALL = 64;
const RECORDS_A_CALL = 256;

export function openDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { sql, box, policy, clock, log, random = Math.random, timeoutMs = EXCHANGE_TIMEOUT_MS } = options;
  const agent = createGuardedAgent(policy, options.lookup);
  const leaseMs = 2 * timeoutMs + LEASE_SLACK_MS;
  const queues = new Map<string, EndpointQueue>();
  let cutOff = false;
  const opened = new Map<string, { sealed: string; secret: string }>();

  const claim = createBatcher<Claim, ClaimedDelivery[]>((claims) => claimDeliveries(sql, claims, leaseMs), {
    name: 'claim deliveries',
    maxBatch: CLAIMS_A_CALL,
    concurrency: 2,
  });
  const record = createBatcher<RecordedAttempt, void>(
    async (attempts) => {
      await recordAttempts(sql, attempts);
      return attempts.map(() => undefined);
    },
    {
      name: 'record attempts',
      maxBatch: RECORDS_A_CALL,
      concurrency: 2,
      // two calls wait for each other at the totals of their endpoint
      fewestBeside: RECORDS_A_CALL / 2,
      retryAlone: true,
    },
  );

  function secretOf(delivery: ClaimedDelivery): string {
    const known = opened.get(delivery.endpointId);
    if (known?.sealed === delivery.secretSealed) {
      return known.secret;
    }
    const secret = box.open(delivery.endpointId, delivery.secretSealed);
    opened.set(delivery.endpointId, { sealed: delivery.secretSealed, secret });
    return secret;
  }

  async function deliver(delivery: ClaimedDelivery, onAnswer: () => void): Promise<Verdict | 'unattempted'> {
    let request: SignedRequest;
    try {
      request = SignedRequest.sign(delivery.url, secretOf(delivery), delivery, clock.now());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.error({ endpointId: delivery.endpointId }, `could not send to ${delivery.endpointId}: ${message}`);
      await releaseDeliveries(sql, [delivery]).catch(() => {});
      return 'unattempted';
    }
    const exchange = refusedBefore(delivery, policy) ?? (await sendSigned(agent, request, timeoutMs));
    onAnswer();
    if (cutOff && exchange.error !== null) {
      await releaseDeliveries(sql, [delivery]).catch(() => {});
      return 'unattempted';
    }
    const attempt = conclude(delivery, exchange, random());
    await record(attempt).catch((error: unknown) => {
      log.warn(
        { err: error, deliveryId: delivery.deliveryId },
        'could not record a delivery attempt; it will be repeated',
      );
    });
    if (attempt.outcome === 'delivered') {
      return 'delivered';
    }
    return exchange.httpStatus === null || exchange.error === 'timeout' ? 'silent' : 'answered';
  }

  function queueOf(operatorId: string, endpointId: string): EndpointQueue {
    let queue = queues.get(endpointId);
    if (queue === undefined) {
      const work = {
        claim: (limit: number) => claim({ operatorId, endpointId, limit }),
        deliver: (delivery: ClaimedDelivery, onAnswer: () => void) =>
          traceDelivery(delivery, () => deliver(delivery, onAnswer)),
        release: (deliveries: readonly ClaimedDelivery[]) => releaseDeliveries(sql, deliveries),
        pause: async (pauseMs: number) => {
          const text =
            pauseMs === 0 ? 'webhook endpoint has recovered' : 'webhook endpoint is paused; retries continue';
          log.info({ endpointId, pauseMs }, text);
          await pauseEndpoint(sql, operatorId, endpointId, pauseMs);
        },
      };
      queue = new EndpointQueue(work, options.breaker ?? BREAKER, leaseMs - timeoutMs - LEASE_SLACK_MS);
      queues.set(endpointId, queue);
    }
    return queue;
  }

  return {
    visit: (operatorId, endpointId) => queueOf(operatorId, endpointId).visit(),
    close: async () => {
      const closed = Promise.all([...queues.values()].map((queue) => queue.close()));
      const deadline = setTimeout(() => {
        cutOff = true;
        agent.destroy().catch(() => {});
      }, CLOSE_WITHIN_MS);
      await closed;
      clearTimeout(deadline);
      await agent.destroy();
    },
  };
}

/** The rules apply to every attempt, not only at registration: if the policy or the row changed, nothing is sent. */
function refusedBefore(delivery: ClaimedDelivery, policy: DestinationPolicy): SendResult | undefined {
  try {
    if (checkDestination(delivery.url, policy).host === delivery.host) {
      return undefined;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
  }
  return { startedAt: new Date(), durationMs: 0, httpStatus: null, error: 'destination_refused', response: null };
}

/** The result of an HTTP exchange for its delivery. Pure. */
function conclude(delivery: ClaimedDelivery, exchange: SendResult, random: number): RecordedAttempt {
  const { operatorId, endpointId, deliveryId } = delivery;
  const attempt = { operatorId, endpointId, deliveryId, ...exchange };
  if (exchange.error === null) {
    return { ...attempt, outcome: 'delivered', retryMs: null };
  }
  if (exchange.httpStatus === 410) {
    return { ...attempt, outcome: 'gone', retryMs: null };
  }
  const elapsedMs = delivery.windowElapsedMs + exchange.durationMs;
  const retryMs = retryDelayMs(delivery.windowAttempts + 1, elapsedMs, random);
  return { ...attempt, outcome: retryMs === null ? 'exhausted' : 'retry', retryMs };
}
