/** The level that a ladder of thresholds implies: where its reference probability passes one half. Pure, display only. */
import type { BoardEvent } from '../event.ts';
import { referencePrice } from './price-rules.ts';

const HALF = 0.5;
const DOLLAR_HALF_MICROS = 2_000_000;
const SIGNIFICANT_DIGITS = 4;

interface ThresholdPrice {
  readonly threshold: number;
  /** Probability of ending above the threshold. */
  readonly above: number;
}

/**
 * @returns the level interpolated between the two thresholds around one half, or nulls if the event is no ladder, its
 * thresholds have both directions, or all of them are on the same side of one half
 */
export function impliedLevel(event: Pick<BoardEvent, 'kind' | 'contracts' | 'levelFormat'>): {
  readonly impliedLevel: number | null;
  readonly impliedLevelLabel: string | null;
} {
  const none = { impliedLevel: null, impliedLevelLabel: null };
  if (event.kind !== 'cumulative_ladder') {
    return none;
  }
  const thresholds = readThresholds(event.contracts);
  for (const [index, low] of thresholds.entries()) {
    const high = thresholds[index + 1];
    if (high === undefined || low.above < HALF || high.above > HALF) {
      continue;
    }
    const share = low.above === high.above ? HALF : (low.above - HALF) / (low.above - high.above);
    const level = Number((low.threshold + share * (high.threshold - low.threshold)).toPrecision(SIGNIFICANT_DIGITS));
    return { impliedLevel: level, impliedLevelLabel: labelOf(level, event.levelFormat, areYears(thresholds)) };
  }
  return none;
}

function readThresholds(contracts: BoardEvent['contracts']): ThresholdPrice[] {
  const directions = new Set(contracts.map(({ direction }) => direction));
  if (directions.size !== 1 || directions.has(null)) {
    return [];
  }
  const thresholds: ThresholdPrice[] = [];
  for (const contract of contracts) {
    const { halfMicros } = referencePrice(contract);
    if (contract.threshold === null || halfMicros === null) {
      continue;
    }
    const probability = halfMicros / DOLLAR_HALF_MICROS;
    thresholds.push({
      threshold: contract.threshold,
      above: contract.direction === 'above' ? probability : 1 - probability,
    });
  }
  return thresholds.sort((a, b) => a.threshold - b.threshold);
}

/** Whole numbers of this century and its neighbours without a unit: "before 2028". */
function areYears(thresholds: readonly ThresholdPrice[]): boolean {
  return thresholds.every(({ threshold }) => Number.isInteger(threshold) && threshold >= 1900 && threshold <= 2100);
}

function labelOf(level: number, format: string | null, areAllYears: boolean): string {
  // A year is not a quantity and has no thousands separator.
  const isYear = areAllYears && (format === null || format === '{k}');
  const figure = level.toLocaleString('en-US', { maximumFractionDigits: isYear ? 0 : 6, useGrouping: !isYear });
  return format === null ? figure : format.replace('{k}', () => figure);
}
