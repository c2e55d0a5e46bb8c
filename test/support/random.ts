/** Seeded chance for tests (mulberry32): the same seed gives the same run. */
export interface Chance {
  /** From 0 to below `end`. */
  below(end: number): number;
  /** True `share` of the time. */
  happens(share: number): boolean;
  pick<T>(items: readonly T[]): T;
}

export function openChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  // similar seeds start alike
  for (let turn = 0; turn < 4; turn += 1) {
    next();
  }
  return {
    below: (end) => Math.floor(next() * end),
    happens: (share) => next() < share,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) {
        throw new RangeError('nothing to pick from');
      }
      return item;
    },
  };
}
