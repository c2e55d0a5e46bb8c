/** A measured row beside its target, as the table and the JSON show it. */
import type { Bound, Costs, Measure, Row } from './measure.ts';

export interface Result {
  readonly key: string;
  readonly measured: number | null;
  readonly baseline: number | null;
  readonly unit: string;
  readonly ratio: number | null;
  readonly target: number;
  readonly better: 'higher' | 'lower';
  readonly reached: boolean;
  readonly rounds: number;
  readonly spread: number | null;
  readonly seconds: number;
  readonly bounds: readonly (Bound & { readonly reached: boolean })[];
  readonly note: string | null;
  readonly costs?: Costs;
}

const KEY_WIDTH = 20;
/** Rounds that lie further apart than this share are called noisy. */
const QUIET = 0.15;
export const TITLES = `${'row'.padEnd(KEY_WIDTH)} ${'measured'.padStart(11)} ${'baseline'.padStart(11)} ${'unit'.padEnd(6)} ${'ratio'.padStart(6)}  target          rounds  spread`;

/** @param measure an error where the row could not be measured. */
export function resultOf(row: Row, rounds: number, seconds: number, measure: Measure | Error): Result {
  const { key, target, better } = row;
  if (measure instanceof Error) {
    const note = `not measured: ${measure.message}`;
    const nothing = { measured: null, baseline: null, unit: '', ratio: null, spread: null, bounds: [] };
    return { key, ...nothing, target, better, reached: false, rounds, seconds, note };
  }
  const { measured, baseline, unit, spread = null, note = null } = measure;
  const ratio = measured / baseline;
  const bounds = (measure.bounds ?? []).map((bound) => ({ ...bound, reached: bound.value <= bound.atMost }));
  const met = better === 'higher' ? ratio >= target : ratio <= target;
  const reached = met && bounds.every((bound) => bound.reached);
  return {
    key,
    measured,
    baseline,
    unit,
    ratio,
    target,
    better,
    reached,
    rounds,
    spread,
    seconds,
    bounds,
    note,
    ...(measure.costs && { costs: measure.costs }),
  };
}

export function tableLine(result: Result): string {
  const { key, measured, baseline, unit, ratio, target, better, reached, rounds, spread, bounds, note } = result;
  const sign = better === 'higher' ? '>=' : '<=';
  const lines = [
    `${key.padEnd(KEY_WIDTH)} ${figure(measured).padStart(11)} ${figure(baseline).padStart(11)} ${unit.padEnd(6)} ` +
      `${(ratio?.toFixed(2) ?? '-').padStart(6)}  ${sign} ${String(target).padEnd(5)} ${reached ? 'reached' : 'MISSED '} ${String(rounds).padEnd(6)}  ${spreadText(spread)}`,
    ...bounds.map(
      (bound) =>
        `${' '.repeat(KEY_WIDTH)} ${bound.what}: ${figure(bound.value)} ${bound.unit}, at most ${bound.atMost}: ${bound.reached ? 'reached' : 'MISSED'}`,
    ),
    ...(note === null ? [] : [`${' '.repeat(KEY_WIDTH)} ${note}`]),
  ];
  return lines.join('\n');
}

/** `4 %`, or `31 % noisy`. */
export function spreadText(spread: number | null): string {
  return spread === null ? '-' : `${(spread * 100).toFixed(0)} %${spread > QUIET ? ' noisy' : ''}`;
}

/** Three digits or more. */
export function figure(value: number | null): string {
  if (value === null) {
    return '-';
  }
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value < 10 ? 2 : 1);
}
