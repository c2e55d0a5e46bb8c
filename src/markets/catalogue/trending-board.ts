/**
 * The trending scores of all listed events, computed together at most once a second however often books change. The
 * formula is in trending.ts.
 */

import type { Clock } from '../../core/time.ts';
import { MICROS } from '../../money/decimal.ts';
import type { Trending } from '../../wire/catalogue.ts';
import type { Board } from '../board/board.ts';
import type { BoardEvent } from '../event.ts';
import type { EventSummary } from './event-summary.ts';
import { activityOf, scoreAll, type TrendingScore } from './trending.ts';

export interface TrendingBoard {
  /** Rises with each computation. */
  readonly version: number;
  /** Recomputes the scores if something changed and the interval has passed; returns whether it did. */
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

const INTERVAL_MS = 1_000;
const COST_FACTOR = 20;

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
    // A new event is ranked at once; a changed price waits for the next second.
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
    // Its own refresh counts as a change of the lists, which must not cause another refresh.
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
