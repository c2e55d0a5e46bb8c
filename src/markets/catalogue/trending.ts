/**
 * The trending scores of all listed events (contract 5.7): one number each, from traded volume, available depth, price
 * movement and age. They are computed together at most once a second, however often books change.
 */
import type { Clock } from '../../core/time.ts';
import { MICROS } from '../../money/decimal.ts';
import type { Trending } from '../../wire/catalogue.ts';
import type { Board } from '../board/board.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import { referencePrice } from '../prices/price-rules.ts';
import type { EventSummary } from './event-summary.ts';

const INTERVAL_MS = 1_000;
/** The scores are not computed again until this many times the duration of the last computation has passed. */
const COST_FACTOR = 20;
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
const PARTS = Object.keys(WEIGHTS) as (keyof TrendingComponents)[];

export interface TrendingBoard {
  /** Rises with each computation. */
  readonly version: number;
  /**
   * Computes the scores if something changed and the interval has passed.
   *
   * @param tick rises with any change
   * @param membership rises when events are added or removed
   * @returns whether they were computed
   */
  refresh(tick: number, membership: number, summaries: ReadonlyMap<string, EventSummary>): boolean;
  /** The score in millionths, 0 for an event without one. */
  rankOf(eventId: string): number;
  /** The `trending` block of an event as JSON text, or undefined for an event without a score. */
  blockOf(eventId: string): string | undefined;
}

interface Scored {
  readonly event: BoardEvent;
  readonly score: TrendingScore;
  json: string | undefined;
}

export function createTrendingBoard(board: Board, clock: Clock): TrendingBoard {
  let scored = new Map<string, Scored>();
  let version = 0;
  let computedAt = new Date(0);
  let atTick = -1;
  let atMembership = -1;
  let cost = 0;
  let endedAt = Number.NEGATIVE_INFINITY;

  function isDue(tick: number, membership: number): boolean {
    if (atTick === tick) {
      return false;
    }
    // A new event is ranked at once. A changed price waits for the next second.
    const interval = atMembership === membership ? INTERVAL_MS : 0;
    return performance.now() - endedAt >= Math.max(interval, cost * COST_FACTOR);
  }

  function refresh(tick: number, membership: number, summaries: ReadonlyMap<string, EventSummary>): boolean {
    if (!isDue(tick, membership)) {
      return false;
    }
    const startedAt = performance.now();
    const now = clock.now();
    const events: BoardEvent[] = [];
    for (const { event, listed } of summaries.values()) {
      if (listed) {
        events.push(event);
      }
    }
    const scores = scoreAll(events.map((event) => activityOf(event, now)));
    scored = new Map(
      events.map((event, index) => [event.eventId, { event, score: scores[index] as TrendingScore, json: undefined }]),
    );
    computedAt = now;
    version += 1;
    endedAt = performance.now();
    cost = endedAt - startedAt;
    // The refresh counts as a change of the lists, which must not cause another refresh.
    atTick = tick + 1;
    atMembership = membership;
    return true;
  }

  function blockOf(eventId: string): string | undefined {
    const entry = scored.get(eventId);
    if (entry === undefined) {
      return undefined;
    }
    entry.json ??= JSON.stringify({
      score: entry.score.score,
      components: entry.score.components,
      reasons: [...entry.score.reasons],
      freshness: { level: freshnessOf(board, entry.event, computedAt), computedAt: computedAt.toISOString() },
    } satisfies Trending);
    return entry.json;
  }

  return {
    get version() {
      return version;
    },
    refresh,
    rankOf: (eventId) => Math.round((scored.get(eventId)?.score.score ?? 0) * MICROS),
    blockOf,
  };
}

/** The parts of the score, each from 0 to 1 relative to the busiest event (contract 5.7). */
interface TrendingComponents {
  readonly volume24h: number;
  readonly liquidity: number;
  readonly movement: number;
  readonly recency: number;
}

const TRENDING_REASONS = ['traded_today', 'deep_book', 'price_moving', 'new_today'] as const;
type TrendingReason = (typeof TRENDING_REASONS)[number];

interface TrendingScore {
  /** 0 to 1, with six decimal places. */
  readonly score: number;
  readonly components: TrendingComponents;
  /** One or two, the component with the largest weight first. */
  readonly reasons: readonly TrendingReason[];
}

/** The raw figures of one event, before they are compared with the other events. */
interface Activity {
  /** In contracts. */
  readonly volume24h: number;
  /** The dollars that are available at the best prices of all outcomes. */
  readonly depth: number;
  /** The largest movement among the outcomes, in dollars. */
  readonly movement: number;
  readonly ageMs: number;
}

function activityOf(event: BoardEvent, now: Date): Activity {
  let depth = 0;
  let movement = 0;
  for (const contract of event.contracts) {
    depth += depthAtTouch(contract);
    movement = Math.max(movement, movementOf(contract));
  }
  return {
    volume24h: Number(event.volume24hMicros) / MICROS,
    depth,
    // A five-minute market is always new and always moving, so neither fact distinguishes it.
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

/** A decided contract moves no more. */
function movementOf(contract: BoardContract): number {
  if (contract.price24hAgoMicros === null || contract.resolution !== null) {
    return 0;
  }
  const { halfMicros } = referencePrice(contract);
  return halfMicros === null ? 0 : Math.abs(halfMicros / 2 - Number(contract.price24hAgoMicros)) / MICROS;
}

/**
 * Scores every event relative to the busiest one. Volumes and depths count by their logarithm, because they span orders
 * of magnitude.
 *
 * @returns the scores in the same order
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

/** The freshness levels of a quote (contract 3.10), for the newest confirmed book among the outcomes. */
function freshnessOf(board: Board, event: BoardEvent, now: Date): Trending['freshness']['level'] {
  let age = Number.POSITIVE_INFINITY;
  let connected = false;
  for (const contract of event.contracts) {
    const venue = contract.books[0]?.venue;
    if (venue === undefined) {
      continue;
    }
    age = Math.min(age, board.ageSeconds(contract, venue, now));
    connected ||= board.isConnected(venue);
  }
  if (age <= 5 && connected) {
    return 'live';
  }
  if (age <= 30) {
    return 'recent';
  }
  return age <= 120 ? 'aged' : 'stale';
}
