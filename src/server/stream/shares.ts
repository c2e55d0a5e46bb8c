/** How many connections each address and each embed session holds. */

export interface Shares {
  of(subject: string): number;
  /**
   * Counts one connection for each subject.
   * @returns a function that undoes the counting
   */
  take(subjects: readonly string[]): () => void;
}

export function createShares(): Shares {
  const held = new Map<string, number>();

  function add(subject: string, count: number): void {
    const now = (held.get(subject) ?? 0) + count;
    if (now === 0) {
      held.delete(subject);
    } else {
      held.set(subject, now);
    }
  }

  return {
    of: (subject) => held.get(subject) ?? 0,
    take(subjects) {
      for (const subject of subjects) {
        add(subject, 1);
      }
      return () => {
        for (const subject of subjects) {
          add(subject, -1);
        }
      };
    },
  };
}
