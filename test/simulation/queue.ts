/**
 * The queue of everything that can happen next in a simulated world: messages on their way, answers on their way back and
 * timers. One of them happens at a time, chosen by the seed, and the next one only when all code that it woke has come to
 * rest. So a seed decides the whole order of events and can be replayed.
 */
import { createHash } from 'node:crypto';
import type { Chance } from '../support/random.ts';

/** Where something happens. What is due at a place that is frozen waits; what is due at one that died is dropped. */
export interface Place {
  readonly name: string;
  readonly frozen: boolean;
  readonly dead: boolean;
}

interface QueuedEvent {
  readonly what: string;
  readonly place: Place | null;
  readonly dueMs: number;
  readonly happen: () => void | Promise<void>;
}

/** How far time moves when nothing is due, in milliseconds; the last ones are rare. */
const STEPS_MS = [1, 20, 60, 300, 300, 600, 1_000, 1_000, 2_000, 2_000, 4_000, 4_000, 9_000, 20_000] as const;
const TRACE_LENGTH = 4_000;

export class Queue {
  /** True time, which no process knows exactly. */
  nowMs: number;
  readonly chance: Chance;
  /** What happened, for the report of a failure. */
  readonly trace: string[] = [];
  /** Longest step of time; short while many things are in flight. */
  longestStepMs = 20_000;
  readonly #digest = createHash('sha256');
  readonly #startMs: number;
  #waiting: QueuedEvent[] = [];
  #posts = 0;

  constructor(chance: Chance, startMs: number) {
    this.chance = chance;
    this.nowMs = startMs;
    this.#startMs = startMs;
  }

  post(what: string, place: Place | null, delayMs: number, happen: () => void | Promise<void>): QueuedEvent {
    const event = { what, place, dueMs: this.nowMs + delayMs, happen };
    this.#waiting.push(event);
    this.#posts += 1;
    return event;
  }

  withdraw(event: QueuedEvent): void {
    const index = this.#waiting.indexOf(event);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
    }
  }

  /** Whether anything can happen before time moves on. */
  get busy(): boolean {
    return this.#due().length > 0;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Lets one thing happen that is due. @returns false where nothing is. */
  async turn(): Promise<boolean> {
    const due = this.#due();
    if (due.length === 0) {
      return false;
    }
    const event = this.chance.pick(due);
    this.withdraw(event);
    this.note(`${event.place?.name ?? 'world'} ${event.what}`);
    await event.happen();
    await this.rest();
    return true;
  }

  /** Moves time to the next thing that can happen, or by a step beyond it. */
  passTime(longestMs = this.longestStepMs): void {
    const next = this.#waiting.reduce(
      (first, one) => (one.place?.frozen || one.place?.dead ? first : Math.min(first, one.dueMs)),
      Number.POSITIVE_INFINITY,
    );
    const step = Math.min(this.chance.pick(STEPS_MS), longestMs);
    const least = Number.isFinite(next) ? Math.max(0, next - this.nowMs) : 0;
    this.nowMs += Math.max(step, Math.min(least, longestMs));
    this.note(`time ${this.nowMs - this.#startMs}`);
  }

  /** Much time passes in which nothing happens, as on a machine that sleeps. */
  leap(ms: number): void {
    this.nowMs += ms;
  }

  note(line: string): void {
    this.#digest.update(`${line}\n`);
    this.trace.push(line);
    if (this.trace.length > TRACE_LENGTH) {
      this.trace.shift();
    }
  }

  /** Two runs of one seed that went alike have the same one. */
  digest(): string {
    return this.#digest.copy().digest('hex').slice(0, 16);
  }

  /** Resolves when no code runs that something here had woken. Code goes on by promises and by `setImmediate` only. */
  async rest(): Promise<void> {
    let before: number;
    do {
      before = this.#posts;
      await immediately();
      await immediately();
    } while (before !== this.#posts);
  }

  /** Whether something whose name has this text is still to happen. */
  awaits(part: string): boolean {
    return this.#waiting.some(({ what }) => what.includes(part));
  }

  #due(): QueuedEvent[] {
    this.#waiting = this.#waiting.filter(({ place }) => place?.dead !== true);
    return this.#waiting.filter(({ dueMs, place }) => dueMs <= this.nowMs && place?.frozen !== true);
  }
}

function immediately(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
