/** Random walks back from the present price, on a grid that is finer the nearer it is to now. Deterministic and pure. */
import { MICROS } from '../../money/decimal.ts';
import type { HistoryPoint } from './price-history.ts';

export interface Path {
  /** Present price, 0 to 1. */
  readonly price: number;
  /** Standard normal numbers, always the same for the same name. */
  readonly walk: () => number;
  readonly sign: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const LONGEST = 150 * DAY;
/** Standard deviation of the log-odds in one day. */
const DAILY = 0.11;
/** Prices of the simulated exchange scatter around their slow course by this much, in log-odds, within minutes. */
const SCATTER = 0.03;
const SCATTER_MS = 3 * MINUTE;
const LEAST = 1_000;
const MOST = 999_000;

/**
 * @param now the moment of the present prices
 * @returns points by path, oldest first. In a field the prices keep the sum that they have now.
 */
export function pastOf(paths: readonly Path[], kind: 'field' | 'alone', opensAt: Date, now: Date): HistoryPoint[][] {
  const times = timesBefore(now, Math.max(opensAt.getTime(), now.getTime() - LONGEST));
  const past: HistoryPoint[][] = paths.map(() => []);
  const offsets = paths.map(() => 0);
  const total = paths.reduce((sum, { price }) => sum + price, 0);
  let later = now.getTime();
  for (const at of times) {
    const spread = DAILY * Math.sqrt((later - at) / DAY);
    later = at;
    // None now, so that the past leads to the present price.
    const scatter = SCATTER * Math.sqrt(1 - Math.exp((at - now.getTime()) / SCATTER_MS));
    const scattered = paths.map(({ walk, sign }, index) => {
      offsets[index] = (offsets[index] ?? 0) + sign * spread * walk();
      return (offsets[index] ?? 0) + sign * scatter * walk();
    });
    const prices = pricesAt(paths, scattered, kind, total);
    for (const [index, price] of prices.entries()) {
      const priceMicros = BigInt(Math.min(MOST, Math.max(LEAST, Math.round(price * MICROS))));
      past[index]?.push({ at: new Date(at), priceMicros });
    }
  }
  return past.map((points) => points.reverse());
}

function pricesAt(
  paths: readonly Path[],
  offsets: readonly number[],
  kind: 'field' | 'alone',
  total: number,
): number[] {
  if (kind === 'field') {
    const weights = paths.map(({ price }, index) => price * Math.exp(offsets[index] ?? 0));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    return weights.map((weight) => (weight / sum) * total);
  }
  return paths.map(({ price }, index) => {
    const odds = (price / (1 - price)) * Math.exp(offsets[index] ?? 0);
    return odds / (1 + odds);
  });
}

/** Newest first: ten minutes apart in the last day, an hour in the last week, six in the last month, then a day. */
function timesBefore(now: Date, from: number): number[] {
  const times: number[] = [];
  let at = Math.floor(now.getTime() / (10 * MINUTE)) * 10 * MINUTE;
  while (at > from) {
    times.push(at);
    const age = now.getTime() - at;
    const step = age < DAY ? 10 * MINUTE : age < WEEK ? HOUR : age < 31 * DAY ? 6 * HOUR : DAY;
    at = Math.floor((at - 1) / step) * step;
  }
  return times;
}

/** Numbers that follow from a name alone (mulberry32, Box and Muller). */
export function createWalk(name: string): () => number {
  let state = 0x811c9dc5;
  for (const character of name) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
