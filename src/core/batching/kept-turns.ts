/** Turns that are kept in a queue for items that are on their way to it: their requests have been let in and are not yet composed. */
import type { Deadline } from './deadline.ts';
import type { FairQueue } from './fair-queue.ts';

export interface KeptTurns {
  keep(group: string, deadline: Deadline): void;
  /** @returns whether a turn was kept for it until now */
  end(deadline: Deadline): boolean;
  /** Ends the turns whose items should have come long ago, such as those of requests whose bodies are sent slowly. */
  endLate(): void;
}

/** How long after its expected time an item counts as being on its way, in milliseconds. */
const LATE_MS = 1_000;

export function createKeptTurns(queue: Pick<FairQueue<never>, 'expect'>, now: () => number): KeptTurns {
  /** The oldest first; each function ends one. */
  const kept = new Map<Deadline, () => void>();

  function end(deadline: Deadline): boolean {
    const endExpecting = kept.get(deadline);
    kept.delete(deadline);
    endExpecting?.();
    return endExpecting !== undefined;
  }

  return {
    keep: (group, deadline) => {
      kept.set(deadline, queue.expect(group));
    },
    end,
    endLate() {
      const late = now() - LATE_MS;
      for (const deadline of kept.keys()) {
        if (deadline.expectedBy > late) {
          return;
        }
        end(deadline);
      }
    },
  };
}
