/**
 * A simulated process: real code of the service with a clock, timers and connections of its own. It can freeze at any call
 * and go on much later, or die at any call and leave behind only what reached the database and the venues.
 */
import type { Network } from './network.ts';
import type { Place, Queue } from './queue.ts';
import { insideProcess, type TimeKeeper, type VirtualTimer } from './virtual-time.ts';

/** What processes run on: it outlives them. */
export interface Machine {
  /** Milliseconds by which the clock is ahead of true time. */
  aheadMs: number;
  /** Share by which it runs faster, such as 0.0002. */
  readonly drift: number;
  /** Files by name. */
  readonly disk: Map<string, string>;
}

export class ProcessDied extends Error {
  override name = 'ProcessDied';
}

export class SimulatedProcess implements Place, TimeKeeper {
  readonly name: string;
  readonly queue: Queue;
  readonly network: Network;
  readonly machine: Machine;
  readonly #startMs: number;
  readonly #asked = new Set<(error: Error) => void>();
  #frozenUntilMs = Number.NEGATIVE_INFINITY;
  #died = false;

  constructor(name: string, network: Network, machine: Machine) {
    this.name = name;
    this.network = network;
    this.queue = network.queue;
    this.machine = machine;
    this.#startMs = this.queue.nowMs;
  }

  get disk(): Map<string, string> {
    return this.machine.disk;
  }

  get frozen(): boolean {
    return this.queue.nowMs < this.#frozenUntilMs;
  }

  get dead(): boolean {
    return this.#died;
  }

  wallMs(): number {
    const { nowMs } = this.queue;
    return nowMs + this.machine.aheadMs + (nowMs - this.#startMs) * this.machine.drift;
  }

  monotonicMs(): number {
    return (this.queue.nowMs - this.#startMs) * (1 + this.machine.drift);
  }

  startTimer(fire: () => void, delayMs: number, repeats: boolean): VirtualTimer {
    let cancelled = false;
    const everyMs = Math.max(1, delayMs);
    // A frozen or busy process fires an interval once, however often it was due.
    const plan = () =>
      this.queue.post(`timer ${delayMs}`, this, everyMs / (1 + this.machine.drift), () => {
        if (!cancelled) {
          if (repeats) {
            planned = plan();
          }
          this.run(fire);
        }
      });
    let planned = plan();
    return {
      cancel: () => {
        cancelled = true;
        this.queue.withdraw(planned);
      },
    };
  }

  /** Runs code of the service as this process. */
  run<T>(work: () => T): T {
    return insideProcess.run(this, work);
  }

  /** Asks the process for something from outside, as an HTTP request does. @throws ProcessDied where it dies meanwhile. */
  ask<T>(what: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#died) {
        reject(new ProcessDied(this.name));
        return;
      }
      this.#asked.add(reject);
      this.queue.post(what, this, 0, () => {
        this.run(work)
          .then(resolve, reject)
          .finally(() => this.#asked.delete(reject));
      });
    });
  }

  freeze(forMs: number): void {
    this.#frozenUntilMs = this.queue.nowMs + forMs;
    // so that time can move to the moment it goes on
    this.queue.post(`${this.name} goes on`, null, forMs, () => {});
  }

  thaw(): void {
    this.#frozenUntilMs = Number.NEGATIVE_INFINITY;
  }

  die(): void {
    this.#died = true;
    for (const reject of this.#asked) {
      reject(new ProcessDied(this.name));
    }
    this.#asked.clear();
    this.network.forget(this);
  }
}

/** The process whose code is running. @throws outside of every one. */
export function thisProcess(): SimulatedProcess {
  const keeper = insideProcess.getStore();
  if (!(keeper instanceof SimulatedProcess)) {
    throw new Error('only the code of a simulated process comes here');
  }
  return keeper;
}
