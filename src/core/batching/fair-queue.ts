/** Waiting items in groups that take turns, so that a group with many items delays the others by its share only. */

export interface FairQueue<T> {
  readonly length: number;
  add(group: string, item: T): void;
  /** @returns at most `max` items of groups that may go, the group that was served longest ago first; within a group in order. */
  take(max: number, mayGo: (group: string) => boolean): T[];
  /** Removes and returns the items of which it is true. */
  remove(isGone: (item: T) => boolean): T[];
  /** The number of items that are served before a new one of this group, at most, if no others arrive. */
  ahead(group: string): number;
}

/** The number of items that a group has served in its turn. Fewer groups in a call are fewer rows to lock in it. */
const TURN = 32;

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns. */
  const groups = new Map<string, T[]>();
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(group, item) {
      const items = groups.get(group);
      if (items === undefined) {
        groups.set(group, [item]);
      } else {
        items.push(item);
      }
      length += 1;
    },
    take(max, mayGo) {
      const taken: T[] = [];
      // the loop also visits a group that is put back at the end
      for (const [group, items] of groups) {
        if (taken.length === max) {
          break;
        }
        if (mayGo(group)) {
          taken.push(...items.splice(0, Math.min(TURN, max - taken.length)));
          groups.delete(group);
          if (items.length > 0) {
            groups.set(group, items);
          }
        }
      }
      length -= taken.length;
      return taken;
    },
    remove(isGone) {
      const gone: T[] = [];
      for (const [group, items] of groups) {
        gone.push(...items.filter(isGone));
        const left = items.filter((item) => !isGone(item));
        if (left.length === 0) {
          groups.delete(group);
        } else {
          groups.set(group, left);
        }
      }
      length -= gone.length;
      return gone;
    },
    ahead(group) {
      const own = groups.get(group)?.length ?? 0;
      const turns = Math.floor(own / TURN) + 1;
      const waiting = groups.size + (own === 0 ? 1 : 0);
      return Math.min(length, turns * TURN * waiting);
    },
  };
}
