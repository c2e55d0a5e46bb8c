/** A measured row beside its bound, as the table and the JSON show it. */
import type { Bound, Costs, Measure, Row } from './measure.ts';

export interface Result {
  readonly key: string;
  readonly measured: number | null;
  readonly baseline: number | null;
  readonly unit: string;
  readonly ratio: number | null;
  readonly bound: number | null;
  readonly better: 'higher' | 'lower';
  /** Whether all bounds of the row are met; null if it has none. */
  readonly met: boolean | null;
  readonly rounds: number;
  readonly spread: number | null;
  readonly seconds: number;
  readonly bounds: readonly (Bound & { readonly met: boolean })[];
  readonly note: string | null;
  /** What the auditor read meanwhile, or why it did not run beside the row. */
  readonly auditor: string | null;
  readonly costs?: Costs;
}

const KEY_WIDTH = 20;
/** Rounds that lie further apart than this share are called noisy. */
const QUIET = 0.15;
export const TITLES = `${'row'.padEnd(KEY_WIDTH)} ${'measured'.padStart(11)} ${'baseline'.padStart(11)} ${'unit'.padEnd(6)} ${'ratio'.padStart(6)}  bound         rounds  spread`;

/** @param measure an error if the row could not be measured */
export function resultOf(
  row: Row,
  rounds: number,
  seconds: number,
  measure: Measure | Error,
  auditor: string | null = null,
): Result {
  const { key, bound = null, better } = row;
  if (measure instanceof Error) {
    const note = `not measured: ${measure.message}`;
    const nothing = { measured: null, baseline: null, unit: '', ratio: null, spread: null, bounds: [] };
    return { key, ...nothing, bound, better, met: false, rounds, seconds, note, auditor };
  }
  const { measured, baseline, unit, spread = null, note = null } = measure;
  const ratio = measured / baseline;
  const bounds = (measure.bounds ?? []).map((one) => ({ ...one, met: one.value <= one.atMost }));
  const verdicts = bounds.map((one) => one.met);
  if (bound !== null) {
    verdicts.push(better === 'higher' ? ratio >= bound : ratio <= bound);
  }
  return {
    key,
    measured,
    baseline,
    unit,
    ratio,
    bound,
    better,
    met: verdicts.length === 0 ? null : verdicts.every(Boolean),
    rounds,
    spread,
    seconds,
    bounds,
    note,
    auditor,
    ...(measure.costs && { costs: measure.costs }),
  };
}

export function tableLine(result: Result): string {
  const { key, measured, baseline, unit, ratio, bound, better, met, rounds, spread, bounds, note, auditor } = result;
  const limit = bound === null ? '' : `${better === 'higher' ? '>=' : '<='} ${bound}`;
  const lines = [
    `${key.padEnd(KEY_WIDTH)} ${figure(measured).padStart(11)} ${figure(baseline).padStart(11)} ${unit.padEnd(6)} ` +
      `${(ratio?.toFixed(2) ?? '-').padStart(6)}  ${limit.padEnd(7)} ${verdict(met).padEnd(6)} ${String(rounds).padEnd(6)}  ${spreadText(spread)}`,
    ...bounds.map(
      (one) =>
        `${' '.repeat(KEY_WIDTH)} ${one.what}: ${figure(one.value)} ${one.unit}, at most ${one.atMost}: ${verdict(one.met)}`,
    ),
    ...[note, auditor].flatMap((one) => (one === null ? [] : [`${' '.repeat(KEY_WIDTH)} ${one}`])),
  ];
  return lines.join('\n');
}

function verdict(met: boolean | null): string {
  return met === null ? '' : met ? 'met' : 'MISSED';
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
