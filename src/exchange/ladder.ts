/**
 * Matches an order against one side of a book, as each exchange that this project plays does it: from the best level down to a worst
 * price. The emulated exchanges and the paper venue use it, and nothing else.
 */

/** One dollar and one contract, in millionths. */
export const DOLLAR = 1_000_000n;

export interface Level {
  /** Micro-dollars. */
  readonly price: bigint;
  /** Micro-contracts, above 0. */
  readonly count: bigint;
}

interface Taker {
  /** Whether the order buys the outcome that it trades. */
  readonly buys: boolean;
  /** Worst price of the traded outcome: the highest for a buy, the lowest for a sale. */
  readonly limit: bigint;
  /** The most that the order takes, in micro-contracts. */
  readonly count: bigint;
  /** Whether the levels have the prices of the other outcome, whose complements are the prices of the traded one. */
  readonly mirrored?: boolean;
  /** Called once per level within the limit, best first. @returns how many of these contracts the order takes; if missing, all */
  readonly accept?: (count: bigint, price: bigint) => bigint;
}

/**
 * Decides what an order takes from a ladder, and changes nothing.
 *
 * @param levels best first
 * @returns `taken`: one item per level, best first, with prices of the traded outcome. `rest`: the levels that remain, with their own prices
 */
export function takeLevels(
  levels: readonly Level[],
  { buys, limit, count, mirrored = false, accept = (offered) => offered }: Taker,
): { readonly taken: readonly Level[]; readonly rest: Level[] } {
  const taken: Level[] = [];
  const rest: Level[] = [];
  let left = count;
  for (const level of levels) {
    const price = mirrored ? DOLLAR - level.price : level.price;
    const fits = left > 0n && (buys ? price <= limit : price >= limit);
    const part = fits ? accept(level.count < left ? level.count : left, price) : 0n;
    if (part > 0n) {
      taken.push({ price, count: part });
      left -= part;
    }
    if (part < level.count) {
      rest.push({ price: level.price, count: level.count - part });
    }
  }
  return { taken, rest };
}

/** The contracts of several levels or fills together. */
export function countOf(levels: readonly Pick<Level, 'count'>[]): bigint {
  return levels.reduce((sum, { count }) => sum + count, 0n);
}

/** The levels as bids are matched: the highest price first. */
export function asBids(levels: readonly Level[]): Level[] {
  return levels.toSorted((one, other) => (one.price > other.price ? -1 : 1));
}

/** The levels as asks are matched: the lowest price first. */
export function asAsks(levels: readonly Level[]): Level[] {
  return levels.toSorted((one, other) => (one.price < other.price ? -1 : 1));
}
