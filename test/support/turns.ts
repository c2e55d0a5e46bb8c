/**
 * A scheduler that lets one task run at a time, from one call of the outside world to the next, and asks chance who is next.
 * So the interleaving of concurrent tasks is decided by a seed and can be replayed.
 */
import type { Chance } from './random.ts';

/** Awaited by a task before each call of the outside world. */
export type Gate = () => Promise<void>;

interface Task {
  readonly name: string;
  release: (() => void) | null;
  done: boolean;
}

export class Turns {
  readonly #tasks: Task[] = [];
  readonly #chance: Chance;
  readonly #failures: unknown[] = [];
  #moved: () => void = () => {};
  /** Who had a turn, for the report of a failure. */
  readonly trace: string[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  get waiting(): number {
    return this.#tasks.length;
  }

  /** The task starts when it gets its first turn. */
  start(name: string, work: (gate: Gate) => Promise<unknown>): void {
    const task: Task = { name, release: null, done: false };
    const gate: Gate = () =>
      new Promise((resolve) => {
        task.release = resolve;
        this.#moved();
      });
    this.#tasks.push(task);
    void gate()
      .then(() => work(gate))
      .catch((error: unknown) => this.#failures.push(error))
      .finally(() => {
        task.done = true;
        this.#moved();
      });
  }

  /** Gives one waiting task its turn. @throws what a task threw. */
  async turn(): Promise<void> {
    const task = this.#chance.pick(this.#tasks);
    this.trace.push(task.name);
    const moved = new Promise<void>((resolve) => {
      this.#moved = resolve;
    });
    const { release } = task;
    task.release = null;
    release?.();
    await moved;
    if (task.done) {
      this.#tasks.splice(this.#tasks.indexOf(task), 1);
    }
    if (this.#failures.length > 0) {
      throw this.#failures[0];
    }
  }

  async finish(): Promise<void> {
    while (this.#tasks.length > 0) {
      await this.turn();
    }
  }
}
