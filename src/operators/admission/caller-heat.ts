/** How many requests a caller makes while a lease lasts, and so how many are worth counting in advance. */

/** A caller with fewer is cheaper to admit one by one: a lease costs two statements. */
const LEAST = 3;
const MOST = 2_000;
/** A lease that is used up before it ends costs a statement more than one that is given back. */
const SPARE = 1.25;

export interface CallerHeat {
  /** A request was made. */
  note(now: number): void;
  /** How many requests to count in advance; 0 for a caller that is not worth it. */
  expected(now: number): number;
}

/** @param termMs how long a lease lasts */
export function createCallerHeat(termMs: number): CallerHeat {
  let term = 0;
  let current = 0;
  let before = 0;

  function roll(now: number): void {
    const started = Math.floor(now / termMs);
    if (started !== term) {
      before = started === term + 1 ? current : 0;
      current = 0;
      term = started;
    }
  }

  return {
    note(now) {
      roll(now);
      current += 1;
    },
    expected(now) {
      roll(now);
      const most = Math.max(current, before);
      return most < LEAST ? 0 : Math.min(Math.ceil(most * SPARE), MOST);
    },
  };
}
