/**
 * The trending score: one number from traded volume, available depth, price movement and age. Pure; the catalogue
 * decides when it is computed and how events are ordered. Components are relative to the busiest event, 0 to 1.
 */
import { MICROS } from '../../money/decimal.ts';
import type { BoardContract } from '../contract.ts';
import type { BoardEvent } from '../event.ts';
import { referencePrice } from '../prices/price-rules.ts';

/** Contract 5.7. */
export interface TrendingComponents {
  readonly volume24h: number;
  readonly liquidity: number;
  readonly movement: number;
  readonly recency: number;
}

const TRENDING_REASONS = ['traded_today', 'deep_book', 'price_moving', 'new_today'] as const;
export type TrendingReason = (typeof TRENDING_REASONS)[number];

export interface TrendingScore {
  /** 0 to 1, with six decimal places. */
  readonly score: number;
  readonly components: TrendingComponents;
  /** One or two, the component with the largest weight first. */
  readonly reasons: readonly TrendingReason[];
}

const WEIGHTS: Readonly<Record<keyof TrendingComponents, number>> = {
  volume24h: 0.45,
  liquidity: 0.15,
  movement: 0.25,
  recency: 0.15,
};
const REASONS: Readonly<Record<keyof TrendingComponents, TrendingReason>> = {
  volume24h: 'traded_today',
  liquidity: 'deep_book',
  movement: 'price_moving',
  recency: 'new_today',
};
/** A reference price that moved this far within a day gets the full movement score. */
const FULL_MOVE_DOLLARS = 0.2;
const RECENCY_HALF_LIFE_MS = 24 * 3_600_000;
/** A second reason is shown if it weighs at least this share of the first. */
const SECOND_REASON_SHARE = 0.5;

/** The raw figures of one event, before they are compared with the other events. */
export interface Activity {
  /** Contracts. */
  readonly volume24h: number;
  /** Dollars available at the best prices of all outcomes. */
  readonly depth: number;
  /** Dollars; the largest movement among the outcomes. */
  readonly movement: number;
  readonly ageMs: number;
}

export function activityOf(event: BoardEvent, now: Date): Activity {
  let depth = 0;
  let movement = 0;
  for (const contract of event.contracts) {
    depth += depthAtTouch(contract);
    movement = Math.max(movement, movementOf(contract));
  }
  return {
    volume24h: Number(event.volume24hMicros) / MICROS,
    depth,
    // A recurring five-minute market is always new and always moving, so neither is informative.
    movement: event.fiveMinute ? 0 : movement,
    ageMs: event.fiveMinute ? Number.POSITIVE_INFINITY : Math.max(0, now.getTime() - event.opensAt.getTime()),
  };
}

function depthAtTouch(contract: BoardContract): number {
  const book = contract.books[0];
  const bid = book?.bids[0];
  const ask = book?.asks[0];
  const bidDollars = bid === undefined ? 0 : (Number(bid.priceMicros) / MICROS) * Number(bid.quantityMicros);
  const askDollars = ask === undefined ? 0 : (1 - Number(ask.priceMicros) / MICROS) * Number(ask.quantityMicros);
  return (bidDollars + askDollars) / MICROS;
}

function movementOf(contract: BoardContract): number {
  if (contract.price24hAgoMicros === null) {
    return 0;
  }
  const { halfMicros } = referencePrice(contract);
  return halfMicros === null ? 0 : Math.abs(halfMicros / 2 - Number(contract.price24hAgoMicros)) / MICROS;
}

/**
 * Scores every event relative to the busiest one. Volumes and depths count by their logarithm, because they span orders
 * of magnitude.
 */
export function scoreAll(activities: readonly Activity[]): TrendingScore[] {
  let maxVolume = 0;
  let maxDepth = 0;
  for (const activity of activities) {
    maxVolume = Math.max(maxVolume, activity.volume24h);
    maxDepth = Math.max(maxDepth, activity.depth);
  }
  return activities.map((activity) => {
    const components: TrendingComponents = {
      volume24h: logShare(activity.volume24h, maxVolume),
      liquidity: logShare(activity.depth, maxDepth),
      movement: places(Math.min(1, activity.movement / FULL_MOVE_DOLLARS)),
      recency: places(0.5 ** (activity.ageMs / RECENCY_HALF_LIFE_MS)),
    };
    return { score: scoreOf(components), components, reasons: reasonsOf(components) };
  });
}

function logShare(value: number, max: number): number {
  return max <= 0 ? 0 : places(Math.log1p(value) / Math.log1p(max));
}

function places(share: number): number {
  return Math.round(share * MICROS) / MICROS;
}

function weightedShare(components: TrendingComponents, part: keyof TrendingComponents): number {
  return WEIGHTS[part] * components[part];
}

const PARTS = Object.keys(WEIGHTS) as (keyof TrendingComponents)[];

function scoreOf(components: TrendingComponents): number {
  return places(PARTS.reduce((sum, part) => sum + weightedShare(components, part), 0));
}

function reasonsOf(components: TrendingComponents): TrendingReason[] {
  const [first, second] = PARTS.toSorted((a, b) => weightedShare(components, b) - weightedShare(components, a)) as [
    keyof TrendingComponents,
    keyof TrendingComponents,
  ];
  const tellsBoth = weightedShare(components, second) >= weightedShare(components, first) * SECOND_REASON_SHARE;
  return tellsBoth && components[second] > 0 ? [REASONS[first], REASONS[second]] : [REASONS[first]];
}
