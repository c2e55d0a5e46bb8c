/** Waiting items in groups that take turns, so that a group with many items delays the others by its share only. */

export interface FairQueue<T> {
  readonly length: number;
  /** The number of items that are expected. */
  readonly expected: number;
  /** An item of this group will come: it counts among those before others. @returns what ends that; to be called once */
  expect(group: string): () => void;
  add(group: string, item: T): void;
  /** @returns at most `max` items that may go, those of the group that was served longest ago first; within a group in order. */
  take(max: number, mayGo: (item: T) => boolean): T[];
  /** Removes and returns the items of which it is true. */
  remove(isGone: (item: T) => boolean): T[];
  /** The number of items, expected ones included, that are served before a new one of this group, at most, if no others arrive. */
  ahead(group: string): number;
}

/** The number of items that a group has served in its turn. Fewer groups in a call are fewer rows to lock in it. */
const TURN = 32;

interface Group<T> {
  items: T[];
  expected: number;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns; those from which only items are expected have none to take. */
  const groups = new Map<string, Group<T>>();
  let length = 0;
  let expected = 0;

  function groupOf(name: string): Group<T> {
    let group = groups.get(name);
    if (group === undefined) {
      group = { items: [], expected: 0 };
      groups.set(name, group);
    }
    return group;
  }

  function forgetEmpty(name: string, { items, expected: coming }: Group<T>): void {
    if (items.length === 0 && coming === 0) {
      groups.delete(name);
    }
  }

  return {
    get length() {
      return length;
    },
    get expected() {
      return expected;
    },
    expect(name) {
      groupOf(name).expected += 1;
      expected += 1;
      return () => {
        const group = groupOf(name);
        group.expected -= 1;
        expected -= 1;
        forgetEmpty(name, group);
      };
    },
    add(name, item) {
      groupOf(name).items.push(item);
      length += 1;
    },
    take(max, mayGo) {
      const taken: T[] = [];
      // the loop also visits a group that is put back at the end
      for (const [name, group] of groups) {
        if (taken.length === max) {
          break;
        }
        const going = firstOf(group.items, Math.min(TURN, max - taken.length), mayGo);
        if (going.size > 0) {
          taken.push(...going);
          group.items = group.items.filter((item) => !going.has(item));
          groups.delete(name);
          if (group.items.length > 0 || group.expected > 0) {
            groups.set(name, group);
          }
        }
      }
      length -= taken.length;
      return taken;
    },
    remove(isGone) {
      const gone: T[] = [];
      for (const [name, group] of groups) {
        gone.push(...group.items.filter(isGone));
        group.items = group.items.filter((item) => !isGone(item));
        forgetEmpty(name, group);
      }
      length -= gone.length;
      return gone;
    },
    ahead(name) {
      const group = groups.get(name);
      const own = group === undefined ? 0 : group.items.length + group.expected;
      const turns = Math.floor(own / TURN) + 1;
      const waiting = groups.size + (group === undefined ? 1 : 0);
      return Math.min(length + expected, turns * TURN * waiting);
    },
  };
}

function firstOf<T>(items: readonly T[], most: number, mayGo: (item: T) => boolean): Set<T> {
  const first = new Set<T>();
  for (const item of items) {
    if (first.size === most) {
      break;
    }
    if (mayGo(item)) {
      first.add(item);
    }
  }
  return first;
}
