/**
 * The deliveries of one endpoint in one process: claims what is due, keeps as many in flight as its breaker allows, and
 * ends when nothing is due. The queues of different endpoints share no limited resource, so a silent endpoint delays
 * only itself.
 */
import { type BreakerSettings, type BreakerState, closedBreaker, observe, type Verdict } from './breaker.ts';
import type { ClaimedDelivery } from './deliveries.ts';

export interface EndpointQueueWork {
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

export class EndpointQueue {
  readonly #work: EndpointQueueWork;
  readonly #settings: BreakerSettings;
  /** How long after a claim an attempt may still start, so that it ends within its lease. */
  readonly #startWithinMs: number;
  #breaker: BreakerState;
  /** Until then the database returns retries only; milliseconds of `performance.now()`. */
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
   * Something may be due. Resolves when nothing is, or when the breaker opened. A visit during another one asks it to
   * check again and resolves at once: each event wakes its endpoints, and waiting jobs must not accumulate for a silent
   * endpoint.
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

  /** Starts nothing more; resolves when the deliveries in flight have been recorded. */
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
