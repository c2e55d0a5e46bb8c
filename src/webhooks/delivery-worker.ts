/**
 * Delivers webhooks: a queue per endpoint claims due deliveries, signs and sends as many at once as the endpoint's breaker
 * allows, and records the results. It keeps no state that the database needs: a delivery without a recorded result is due
 * again when its lease ends.
 */
import type { LookupFunction } from 'node:net';
import { createBatcher } from '../core/batcher.ts';
import { Refusal } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Clock } from '../core/time.ts';
import { isTracing, orderTrace, traced } from '../core/tracing.ts';
import type { Sql } from '../db/client.ts';
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  pauseEndpoint,
  type RecordedAttempt,
  recordAttempts,
  releaseDeliveries,
} from './deliveries.ts';
import { checkDestination, type DestinationPolicy } from './destination.ts';
import type { SecretBox } from './endpoint-secret.ts';
import {
  BREAKER,
  type BreakerSettings,
  type BreakerState,
  closedBreaker,
  observe,
  retryDelayMs,
  type Verdict,
} from './retries.ts';
import {
  createGuardedAgent,
  EXCHANGE_TIMEOUT_MS,
  type Notice,
  type SendResult,
  SignedRequest,
  sendSigned,
} from './sender.ts';

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
  /** Resolves when the endpoint has no due deliveries, or is paused. */
  visit(operatorId: string, endpointId: string): Promise<void>;
  /** Starts no further deliveries and waits for those in flight. */
  close(): Promise<void>;
}

/** An attempt starts only while its lease lasts for at least the timeout, and then has this long to be recorded. */
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
      log.error(
        { endpointId: delivery.endpointId },
        `could not sign a delivery to ${delivery.endpointId}; will retry: ${message}`,
      );
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
        'could not record a delivery attempt; the event will be sent again',
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

/** The rules apply to every attempt, not only at registration: if the policy or the row changed, the attempt is not sent. */
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

const ORDER = /"orderId": ?"([^"]+)"/;

/** The span of one attempt at a delivery, in the trace of the order that the event is about. */
function traceDelivery<T>({ eventId, type, data }: Notice, work: () => Promise<T>): Promise<T> {
  if (!isTracing()) {
    return work();
  }
  const orderId = ORDER.exec(data)?.[1];
  const options = orderId === undefined ? {} : { parent: orderTrace(orderId) };
  const facts = { 'inlay.event_id': eventId, 'inlay.event_type': type };
  return traced('webhook', { kind: 'client', facts, ...options }, work);
}

interface EndpointQueueWork {
  claim(limit: number): Promise<readonly ClaimedDelivery[]>;
  /** Attempts and records one delivery; it must not reject. `unattempted` means that it could not be attempted now. */
  deliver(delivery: ClaimedDelivery, onAnswer: () => void): Promise<Verdict | 'unattempted'>;
  /** Releases deliveries that were claimed and will not be attempted. */
  release(deliveries: readonly ClaimedDelivery[]): Promise<void>;
  /** Zero ends a pause. */
  pause(pauseMs: number): Promise<void>;
}

/**
 * From this concurrency on the endpoint is clearly healthy, and the next deliveries are claimed before there is room.
 */
const PREFETCH_FROM = 32;
const PREFETCH_FACTOR = 3;
const UNATTEMPTED_PAUSE_MS = 60_000;

interface Held {
  readonly delivery: ClaimedDelivery;
  readonly startBefore: number;
}

/**
 * The deliveries of one endpoint in one process: claims due deliveries, keeps as many in flight as its breaker allows, and ends when none
 * are due. The queues of different endpoints share no limited resource, so a silent endpoint delays only itself.
 */
class EndpointQueue {
  readonly #work: EndpointQueueWork;
  readonly #settings: BreakerSettings;
  /** An attempt may start until this long after its claim, so that it ends within its lease. */
  readonly #startWithinMs: number;
  #breaker: BreakerState;
  /** Until this time of `performance.now()` the database returns retries only. */
  #pausedUntil = 0;
  #held: Held[] = [];
  #inFlight = 0;
  #unrecorded = 0;
  #more = false;
  #claiming = false;
  #closed = false;
  #visit: PromiseWithResolvers<void> | undefined;

  constructor(work: EndpointQueueWork, settings: BreakerSettings, startWithinMs: number) {
    this.#work = work;
    this.#settings = settings;
    this.#startWithinMs = startWithinMs;
    this.#breaker = closedBreaker(settings);
  }

  /**
   * Delivers until no deliveries are due or the breaker opens. A visit during another one makes that one check again and resolves at once:
   * each event wakes its endpoints, and waiting jobs must not accumulate for a silent endpoint.
   */
  visit(): Promise<void> {
    if (this.#closed) {
      return Promise.resolve();
    }
    this.#more = true;
    const joined = this.#visit !== undefined;
    this.#visit ??= Promise.withResolvers<void>();
    const { promise } = this.#visit;
    this.#pump();
    return joined ? Promise.resolve() : promise;
  }

  /** Starts no further deliveries; resolves when those in flight have been recorded. */
  async close(): Promise<void> {
    this.#closed = true;
    const visit = this.#visit?.promise;
    this.#giveBack();
    this.#pump();
    await visit?.catch(() => {});
  }

  #pump(): void {
    while (!this.#closed && this.#inFlight < this.#breaker.concurrency) {
      const next = this.#held.shift();
      if (next === undefined) {
        break;
      }
      if (performance.now() < next.startBefore) {
        this.#run(next.delivery).catch((error: unknown) => this.#fail(error));
      } // otherwise its lease is about to end, and the next claim attempts it
    }
    const wanted = this.#room();
    if (this.#more && !this.#closed && !this.#claiming && wanted > 0) {
      this.#claim(wanted).catch((error: unknown) => this.#fail(error));
    }
    if (this.#held.length === 0 && this.#unrecorded === 0 && !this.#claiming && (!this.#more || this.#closed)) {
      this.#visit?.resolve();
      this.#visit = undefined;
    }
  }

  #room(): number {
    const { concurrency } = this.#breaker;
    if (concurrency < PREFETCH_FROM) {
      return concurrency - this.#inFlight - this.#held.length;
    }
    return this.#held.length > concurrency || this.#unrecorded > concurrency * (PREFETCH_FACTOR + 2)
      ? 0
      : concurrency * (PREFETCH_FACTOR + 1) - this.#inFlight - this.#held.length;
  }

  async #claim(wanted: number): Promise<void> {
    this.#claiming = true;
    this.#more = false;
    try {
      const startBefore = performance.now() + this.#startWithinMs;
      const claimed = await this.#work.claim(wanted);
      this.#held.push(...claimed.map((delivery) => ({ delivery, startBefore })));
      this.#more ||= claimed.length >= wanted;
      if (this.#closed) {
        this.#giveBack();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#claiming = false;
    }
    this.#pump();
  }

  /** The job that visits the endpoint fails and is retried. */
  #fail(error: unknown): void {
    this.#visit?.reject(error);
    this.#visit = undefined;
  }

  async #run(delivery: ClaimedDelivery): Promise<void> {
    this.#inFlight += 1;
    this.#unrecorded += 1;
    const { openings } = this.#breaker;
    let answered = false;
    const verdict = await this.#work
      .deliver(delivery, () => {
        answered = true;
        this.#inFlight -= 1;
        this.#pump();
      })
      .catch((error: unknown): 'unattempted' => {
        this.#fail(error);
        return 'unattempted';
      });
    if (!answered) {
      this.#inFlight -= 1;
    }
    this.#unrecorded -= 1;
    await this.#judge(verdict, openings);
    this.#pump();
  }

  async #judge(verdict: Verdict | 'unattempted', openingsAtStart: number): Promise<void> {
    // Attempts that were in flight when the breaker opened and then fail provide no new information.
    if (this.#closed || (verdict !== 'delivered' && openingsAtStart !== this.#breaker.openings)) {
      return;
    }
    if (verdict === 'unattempted') {
      this.#breaker = { ...this.#breaker, openings: this.#breaker.openings + 1 };
      await this.#stop(UNATTEMPTED_PAUSE_MS);
      return;
    }
    const isPaused = performance.now() < this.#pausedUntil;
    if (isPaused && verdict !== 'delivered') {
      // A retry that fails during a pause must not prolong the pause of the others.
      return;
    }
    const { state, pauseMs } = observe(this.#breaker, verdict, this.#settings);
    this.#breaker = state;
    if (pauseMs !== null) {
      await this.#stop(pauseMs);
    } else if (isPaused) {
      this.#pausedUntil = 0;
      await this.#work.pause(0).catch(() => {});
    }
  }

  async #stop(pauseMs: number): Promise<void> {
    this.#more = false;
    this.#pausedUntil = performance.now() + pauseMs;
    this.#giveBack();
    this.#unrecorded += 1;
    await this.#work.pause(pauseMs).catch(() => {});
    this.#unrecorded -= 1;
  }

  #giveBack(): void {
    const held = this.#held.splice(0).map(({ delivery }) => delivery);
    if (held.length > 0) {
      this.#unrecorded += 1;
      this.#work
        .release(held)
        .catch(() => {})
        .finally(() => {
          this.#unrecorded -= 1;
          this.#pump();
        });
    }
  }
}
