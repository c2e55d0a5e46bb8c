/** Turns that are kept in a queue for items that are on their way to it: their requests have been let in and are not yet composed. */
import type { Deadline } from './deadline.ts';
import type { FairQueue } from './fair-queue.ts';

export interface KeptTurns {
  keep(group: string, deadline: Deadline): void;
  /** @returns the group that its turn was kept in until now */
  end(deadline: Deadline): string | undefined;
  /** Ends the turns whose items should have come long ago, such as those of requests whose bodies are sent slowly. */
  endLate(): void;
}

/** How long after its expected time an item counts as being on its way, in milliseconds. */
const LATE_MS = 1_000;

export function createKeptTurns(queue: Pick<FairQueue<never>, 'expect'>, now: () => number): KeptTurns {
  /** The oldest first. */
  const kept = new Map<Deadline, { readonly group: string; readonly endExpecting: () => void }>();

  function end(deadline: Deadline): string | undefined {
    const turn = kept.get(deadline);
    kept.delete(deadline);
    turn?.endExpecting();
    return turn?.group;
  }

  return {
    keep: (group, deadline) => {
      kept.set(deadline, { group, endExpecting: queue.expect(group) });
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
