/**
 * Which events a list shows and in what order, kept between requests. Books change many times a second, so nothing is
 * sorted because a price changed: an ordering is made again only when its own keys changed, and the trending score at
 * most once a second. It renders nothing.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/time.ts';
import type { Board } from '../board/board.ts';
import type { BoardEvent } from '../event.ts';
import type { HaltedVenues } from '../prices/halted-venues.ts';
import { type Audience, passesFilter, requireSport } from './event-filter.ts';
import type { EventQuery, Sort } from './event-query.ts';
import { type EventSummary, isUnchanged, summarize } from './event-summary.ts';
import { createOrderingCache } from './ordering-cache.ts';
import type { SortKey } from './orderings.ts';
import { createTrendingBoard, type TrendingBoard } from './trending-board.ts';

export interface EventIndex {
  readonly trending: TrendingBoard;
  /** Processes changes of the board; returns a number that rises whenever any result might differ from before. */
  sync(): number;
  /**
   * The sort keys of every event that the query finds, in order. The same array as before while nothing in it changed.
   * @param halted venues whose markets are not tradable for this audience now
   */
  find(audience: Audience, query: EventQuery, halted: HaltedVenues | null): readonly SortKey[];
  /** Listed events of the audience, in no particular order. */
  listed(audience: Audience): BoardEvent[];
  /** Rises when an event is added, removed, or moved to another category. */
  readonly membership: number;
  close(): void;
}

interface Found {
  readonly versions: string;
  readonly sortKeys: readonly SortKey[];
}

/** Sort keys cached over all lists together. */
const CACHED_SORT_KEYS = 1_000_000;

export function openEventIndex(board: Board, clock: Clock): EventIndex {
  const summaries = new Map<string, EventSummary>();
  const dirty = new Set<string>(board.events.keys());
  const trending = createTrendingBoard(board, clock);
  const orderings = createOrderingCache(summaries, keyOf);
  const cache = new LRUCache<string, Found>({
    maxSize: CACHED_SORT_KEYS,
    sizeCalculation: ({ sortKeys }) => sortKeys.length + 1,
  });
  let tick = 0;
  let membership = 0;
  let tradability = 0;
  let volumes = 0;
  let nextChangeAt = Number.POSITIVE_INFINITY;

  const unsubscribe = board.onChange((change) => {
    for (const eventId of change.events) {
      dirty.add(eventId);
    }
    for (const contractId of change.contracts) {
      const contract = board.contracts.get(contractId);
      if (contract !== undefined) {
        dirty.add(contract.eventId);
      }
    }
  });

  function takeIn(eventId: string, now: Date): void {
    const event = board.events.get(eventId);
    const older = summaries.get(eventId);
    if (event === undefined) {
      if (summaries.delete(eventId)) {
        membership += 1;
      }
      return;
    }
    const newer = summarize(event, now);
    summaries.set(eventId, newer);
    if (older === undefined || !isUnchanged(older, newer)) {
      membership += 1;
    }
    if (older?.tradable !== newer.tradable) {
      tradability += 1;
    }
    if (older?.event.volumeMicros !== event.volumeMicros) {
      volumes += 1;
    }
    nextChangeAt = Math.min(nextChangeAt, newer.changesAt);
  }

  function sync(): number {
    const now = clock.now();
    const isDue = now.getTime() >= nextChangeAt;
    if (isDue) {
      nextChangeAt = Number.POSITIVE_INFINITY;
      for (const eventId of [...summaries.keys()]) {
        dirty.add(eventId);
      }
    }
    if (dirty.size > 0 || orderings.isBehind) {
      for (const eventId of dirty) {
        takeIn(eventId, now);
      }
      dirty.clear();
      orderings.isBehind = false;
      tick += 1;
    }
    if (trending.refresh(tick, membership, summaries)) {
      tick += 1;
    }
    return tick;
  }

  function keyOf(sort: Sort, { event }: EventSummary): number {
    switch (sort) {
      case 'trending':
        return trending.rankOf(event.eventId);
      case 'volume':
        return Number(event.volumeMicros);
      case 'closing-soon':
        return event.closesAt.getTime();
      case 'new':
        return event.opensAt.getTime();
    }
  }

  function versionOf(sort: Sort): string {
    const own = sort === 'trending' ? trending.version : sort === 'volume' ? volumes : 0;
    return `${membership}.${own}`;
  }

  return {
    trending,
    get membership() {
      return membership;
    },
    sync,
    find(audience, { filter, sort, dir }, halted) {
      if (filter.sport !== null) {
        requireSport(summaries.values(), filter.sport, audience);
      }
      const base = orderings.get(sort, dir, versionOf(sort));
      const name = `${audience.key}\n${sort}:${dir}\n${JSON.stringify(filter)}`;
      const isHalted = filter.tradable && halted !== null;
      const versions = `${base.version}.${isHalted ? `${halted.key}.${tick}` : filter.tradable ? tradability : 0}`;
      const known = cache.get(name);
      if (known !== undefined && known.versions === versions) {
        return known.sortKeys;
      }
      const now = clock.now();
      const sortKeys = base.sortKeys.filter(({ eventId }) => {
        const summary = summaries.get(eventId);
        const seen = isHalted && summary !== undefined ? summarize(summary.event, now, halted) : summary;
        return seen !== undefined && passesFilter(filter, audience, seen);
      });
      cache.set(name, { versions, sortKeys });
      return sortKeys;
    },
    listed(audience) {
      const events: BoardEvent[] = [];
      for (const { event, listed } of summaries.values()) {
        if (listed && audience.offers(event)) {
          events.push(event);
        }
      }
      return events;
    },
    close: unsubscribe,
  };
}
