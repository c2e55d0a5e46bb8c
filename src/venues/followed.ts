/** What the followers of streams share: books that stay crossed, and changes of the catalogue that are read together. */
import type { VenueBook, VenueEvent } from './listing.ts';
import type { WatchHandlers } from './port.ts';

/** The books of an exchange that matches at once: one that stays crossed has missed a change. */
const CROSSED_MS = 2_000;
/** What changes together is read together. */
const CHANGES_MS = 300;

export class CrossedBooks {
  /** When each of them crossed. */
  readonly #since = new Map<string, number>();

  take(id: string, { bids: [bid], asks: [ask] }: Pick<VenueBook, 'bids' | 'asks'>): void {
    if (bid === undefined || ask === undefined || bid.priceMicros < ask.priceMicros) {
      this.#since.delete(id);
    } else if (!this.#since.has(id)) {
      this.#since.set(id, performance.now());
    }
  }

  forget(id: string): void {
    this.#since.delete(id);
  }

  clear(): void {
    this.#since.clear();
  }

  /** One that has been crossed for too long. */
  stays(): string | undefined {
    const now = performance.now();
    return [...this.#since].find(([, since]) => now - since >= CROSSED_MS)?.[0];
  }
}

export interface ChangesReader {
  add(ids: readonly string[]): void;
  close(): void;
}

/** @param read the events of what changed, as they are now. What cannot be read is in the next catalogue. */
export function openChangesReader(
  read: (ids: readonly string[]) => Promise<readonly VenueEvent[]>,
  handlers: Pick<WatchHandlers, 'changes'>,
): ChangesReader {
  const changed = new Set<string>();
  let reading: NodeJS.Timeout | undefined;
  let closed = false;

  function readChanged(): void {
    const ids = [...changed];
    changed.clear();
    reading = undefined;
    read(ids).then(
      (events) => closed || handlers.changes(events.map((event) => ({ type: 'event', event }))),
      () => undefined,
    );
  }

  return {
    add(ids) {
      for (const id of ids) {
        changed.add(id);
      }
      if (changed.size > 0 && !closed) {
        reading ??= setTimeout(readChanged, CHANGES_MS);
      }
    },
    close() {
      closed = true;
      clearTimeout(reading);
    },
  };
}
