/** Runs work concurrently, with a pool for each venue, so that a venue that hangs delays no other. It has no notion of orders. */
type Work = () => Promise<void>;

interface Group {
  readonly busy: Map<string, Promise<void>>;
  /** Work that was accepted and not started. A slot that becomes free is filled from here. */
  readonly waiting: Map<string, Work>;
}

export interface VenuePool {
  /** Accepts work. It replaces waiting work with the same id, and is ignored while work with this id runs. */
  take(venue: string, id: string, work: Work): void;
  /** How many more works of a venue would begin at once. */
  room(venue: string): number;
  /** Venues whose pool is full while work waits for it. */
  full(): string[];
  /** Ids of work that runs. */
  running(): string[];
  /** Ids of work that runs or waits. */
  taken(): string[];
  /** Begins no further work, and waits for work that runs. */
  close(): Promise<void>;
}

/**
 * @param width slots per venue
 * @param onDrained called when no more work of a venue waits for a slot
 */
export function openVenuePool(width: number, onDrained: () => void): VenuePool {
  const groups = new Map<string, Group>();
  let closed = false;

  function groupOf(venue: string): Group {
    const known = groups.get(venue) ?? { busy: new Map(), waiting: new Map() };
    groups.set(venue, known);
    return known;
  }

  function begin(group: Group): void {
    for (const [id, work] of group.waiting) {
      if (group.busy.size >= width || closed) {
        return;
      }
      group.waiting.delete(id);
      const done = work().finally(() => {
        group.busy.delete(id);
        const waited = group.waiting.size > 0;
        begin(group);
        if (waited && group.waiting.size === 0) {
          onDrained();
        }
      });
      group.busy.set(id, done);
    }
  }

  return {
    take(venue, id, work) {
      const mine = groupOf(venue);
      for (const group of groups.values()) {
        if (group.busy.has(id)) {
          return;
        }
        if (group !== mine) {
          group.waiting.delete(id);
        }
      }
      mine.waiting.set(id, work);
      begin(mine);
    },
    room: (venue) => Math.max(0, width - groupOf(venue).busy.size - groupOf(venue).waiting.size),
    full: () => [...groups].flatMap(([venue, { waiting }]) => (waiting.size > 0 ? [venue] : [])),
    running: () => [...groups.values()].flatMap(({ busy }) => [...busy.keys()]),
    taken: () => [...groups.values()].flatMap(({ busy, waiting }) => [...busy.keys(), ...waiting.keys()]),
    async close() {
      closed = true;
      await Promise.allSettled([...groups.values()].flatMap(({ busy }) => [...busy.values()]));
    },
  };
}
