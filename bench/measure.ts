/** The result of a row of the bench, and how the row takes turns with its baseline. It decides nothing about bounds. */
import type { Auditor } from './auditor.ts';
import type { World } from './world.ts';

/** A bound of a figure beside the ratio. */
export interface Bound {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost: number;
}

/** Medians of both sides, and how far the rounds lie apart. */
export interface Medians {
  readonly measured: number;
  readonly baseline: number;
  /** The largest ratio of a round minus the smallest, as a share of their median; null of one round. */
  readonly spread: number | null;
}

export interface Measure extends Omit<Medians, 'spread'> {
  readonly spread?: number | null;
  readonly unit: string;
  readonly note?: string;
  readonly bounds?: readonly Bound[];
  readonly costs?: Costs;
  /** Lines of a Markdown table that `--profile` prints. */
  readonly profile?: readonly string[];
}

/** The cost of one order, quote or position: µs of processor time, and bytes. `npm run capacity` computes with it. */
export interface Costs {
  readonly apiMicros?: number;
  readonly databaseMicros?: number;
  readonly storedBytes?: number;
  readonly loggedBytes?: number;
}

/** How much is done: rounds that count, and sizes of a full run shrunk by `--scale`. */
export interface Run {
  readonly rounds: number;
  /** The size of a run: `full` times the scale, at least `least`. */
  size(full: number, least?: number): number;
  readonly auditor: Auditor;
}

export interface Row {
  readonly key: string;
  /** The ratio must not be worse than this. Left out, the ratio is only shown. */
  readonly bound?: number;
  /** Which ratios are better; the bound is the least or the most accordingly. */
  readonly better: 'higher' | 'lower';
  /** Unless `--rounds` is given: five for the short rows. */
  readonly rounds: number;
  /** Rows of one name share a database; left out, the row has one to itself. */
  readonly world?: string;
  /** Why the auditor does not run beside it. */
  readonly withoutAuditor?: string;
  readonly measure: (world: World, run: Run) => Promise<Measure>;
}

/** Medians of both, one after the other in each round. The first round warms both up and is not counted. */
export async function interleave(
  { rounds, auditor }: Run,
  measured: (round: number) => Promise<number>,
  baseline: (round: number) => Promise<number>,
): Promise<Medians> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    await auditor.rest();
    const one = await auditor.during(() => measured(round));
    await auditor.rest();
    const other = await baseline(round);
    if (round > 0) {
      ours.push(one);
      theirs.push(other);
    }
  }
  return mediansOf(ours, theirs);
}

/** @param ours one figure a round, as many as of the baseline. */
export function mediansOf(ours: readonly number[], theirs: readonly number[]): Medians {
  const ratios = ours.map((one, round) => one / (theirs[round] ?? Number.NaN));
  const spread = ratios.length < 2 ? null : (Math.max(...ratios) - Math.min(...ratios)) / median(ratios);
  return { measured: median(ours), baseline: median(theirs), spread };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param share 0 to 1, of values in any order. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
