/**
 * Which events a list shows and in what order, kept between requests. Books change many times a second, so nothing is
 * sorted because a price changed: an ordering is made again only when its own keys changed, and the trending score at
 * most once a second. It renders nothing.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { refuse } from '../../core/errors.ts';
import type { Board } from '../board/board.ts';
import type { BoardEvent } from '../event.ts';
import { factsOf, isUnchanged, type ListingFacts } from './event-summary.ts';
import type { ListingFilter, ListingQuery, Sort, SortDirection } from './listing-query.ts';
import { compareSortKeys, type SortKey } from './orderings.ts';
import { matchesSearch } from './search.ts';
import { rollsUpInto } from './sports.ts';
import { createTrendingBoard, type TrendingBoard } from './trending-board.ts';

/** Which events are offered to a caller. */
export interface Audience {
  /** Equal for two audiences exactly if both are offered the same events. */
  readonly key: string;
  offers(event: BoardEvent): boolean;
}

export interface ListingIndex {
  readonly trending: TrendingBoard;
  /** Processes changes of the board; returns a number that rises whenever any result might differ from before. */
  sync(): number;
  /**
   * The sort keys of every event that the query finds, in order. The same array as before while nothing in it changed.
   */
  find(audience: Audience, query: ListingQuery): readonly SortKey[];
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
/**
 * An ordering is not made again until this many times its own cost has passed, so that sorting uses only a few percent.
 */
const COST_FACTOR = 20;

export function createListingIndex(board: Board, clock: Clock): ListingIndex {
  const facts = new Map<string, ListingFacts>();
  const dirty = new Set<string>(board.events.keys());
  const trending = createTrendingBoard(board, clock);
  const orderings = new Map<string, { version: string; sortKeys: readonly SortKey[]; readyAt: number }>();
  const cache = new LRUCache<string, Found>({
    maxSize: CACHED_SORT_KEYS,
    sizeCalculation: ({ sortKeys }) => sortKeys.length + 1,
  });
  let tick = 0;
  let membership = 0;
  let tradability = 0;
  let volumes = 0;
  let nextChangeAt = Number.POSITIVE_INFINITY;
  /** Whether an ordering was not updated because of its cost, so that it must be checked again without any change. */
  let isBehind = false;

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
    const older = facts.get(eventId);
    if (event === undefined) {
      if (facts.delete(eventId)) {
        membership += 1;
      }
      return;
    }
    const newer = factsOf(event, now);
    facts.set(eventId, newer);
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
      for (const eventId of [...facts.keys()]) {
        dirty.add(eventId);
      }
    }
    if (dirty.size > 0 || isBehind) {
      for (const eventId of dirty) {
        takeIn(eventId, now);
      }
      dirty.clear();
      isBehind = false;
      tick += 1;
    }
    if (trending.refresh(tick, membership, facts)) {
      tick += 1;
    }
    return tick;
  }

  function keyOf(sort: Sort, { event }: ListingFacts): number {
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

  function ordered(sort: Sort, dir: SortDirection): readonly SortKey[] {
    const name = `${sort}:${dir}`;
    const known = orderings.get(name);
    const version = versionOf(sort);
    if (known !== undefined && known.version === version) {
      return known.sortKeys;
    }
    const startedAt = performance.now();
    const sameMembers = known?.version.split('.')[0] === String(membership);
    if (known !== undefined && sameMembers && startedAt < known.readyAt) {
      isBehind = true;
      return known.sortKeys;
    }
    const sortKeys: SortKey[] = [];
    for (const fact of facts.values()) {
      if (fact.listed) {
        sortKeys.push({ key: keyOf(sort, fact), eventId: fact.event.eventId });
      }
    }
    sortKeys.sort((a, b) => compareSortKeys(a, b, dir));
    const endedAt = performance.now();
    orderings.set(name, { version, sortKeys, readyAt: endedAt + (endedAt - startedAt) * COST_FACTOR });
    return sortKeys;
  }

  function passes(filter: ListingFilter, audience: Audience, { event, tradable }: ListingFacts): boolean {
    if (filter.category !== null && !event.categories.includes(filter.category)) {
      return false;
    }
    if (filter.sport !== null && (event.sport === null || !rollsUpInto(event.sport, filter.sport))) {
      return false;
    }
    if (filter.league !== null && event.league !== filter.league) {
      return false;
    }
    if (filter.tradable && !tradable) {
      return false;
    }
    const closesAt = event.closesAt.getTime();
    if (filter.closesAfter !== null && closesAt < filter.closesAfter) {
      return false;
    }
    if (filter.closesBefore !== null && closesAt > filter.closesBefore) {
      return false;
    }
    return audience.offers(event) && matchesSearch(event, filter.words);
  }

  function requireSport(sport: string, audience: Audience): void {
    const sports = new Set<string>();
    for (const { event } of facts.values()) {
      if (event.sport !== null && audience.offers(event)) {
        if (rollsUpInto(event.sport, sport)) {
          return;
        }
        sports.add(event.sport);
      }
    }
    throw refuse('invalid_sport', undefined, { sports: [...sports].sort() });
  }

  return {
    trending,
    get membership() {
      return membership;
    },
    sync,
    find(audience, { filter, sort, dir }) {
      if (filter.sport !== null) {
        requireSport(filter.sport, audience);
      }
      const base = ordered(sort, dir);
      const name = `${audience.key}\n${sort}:${dir}\n${JSON.stringify(filter)}`;
      const versions = `${orderings.get(`${sort}:${dir}`)?.version}.${filter.tradable ? tradability : 0}`;
      const known = cache.get(name);
      if (known !== undefined && known.versions === versions) {
        return known.sortKeys;
      }
      const sortKeys = base.filter(({ eventId }) => {
        const fact = facts.get(eventId);
        return fact !== undefined && passes(filter, audience, fact);
      });
      cache.set(name, { versions, sortKeys });
      return sortKeys;
    },
    listed(audience) {
      const events: BoardEvent[] = [];
      for (const { event, listed } of facts.values()) {
        if (listed && audience.offers(event)) {
          events.push(event);
        }
      }
      return events;
    },
    close: unsubscribe,
  };
}
