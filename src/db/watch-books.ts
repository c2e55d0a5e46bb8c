/**
 * Looks at the books once a second, so that an API process in front of a restored database notices it without a worker: the first
 * time before it serves anything. One small statement each time, never two at once. It decides nothing; `witness_books` does.
 */
import type { Logger } from '../core/log.ts';
import type { Witness } from './books-witness.ts';

const EVERY_MS = 1_000;
const SHORT_MS = 15_000;

export interface BooksWatch {
  /** The database takes no writes: the last look failed, or it lacked room for a statement in the last 15 seconds. */
  readonly failing: boolean;
  /** Called when a statement failed because the disk is full. A look changes one row in place, which may need no room. */
  noteShortage(): void;
  close(): Promise<void>;
}

/** Returns after the first look. A database that does not answer is not waited for. */
export async function watchBooks(witness: Witness, log: Logger): Promise<BooksWatch> {
  let failing = false;
  let shortUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const { lost, epoch } = await witness.beat();
      if (lost) {
        log.fatal({ epoch }, 'the database lost commits that it had acknowledged; a new epoch of the books begins');
      }
      if (failing) {
        log.info('the database can be checked for lost commits again');
      }
      failing = false;
    } catch (error) {
      if (!failing) {
        log.warn({ err: error }, 'the database cannot be checked for lost commits; will retry every second');
      }
      failing = true;
    }
  }

  await look();
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, EVERY_MS);
  timer.unref();
  return {
    get failing() {
      return failing || performance.now() < shortUntil;
    },
    noteShortage: () => {
      shortUntil = performance.now() + SHORT_MS;
    },
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
