/**
 * Decides which events a list shows and in what order, keeps that between requests, and makes the cursors that resume a
 * list. Books change many times a second, so events are not sorted because a price changed: an ordering is made again
 * only when its own keys changed.
 */
import { LRUCache } from 'lru-cache';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { refuse } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { Board } from '../board/board.ts';
import type { HaltedVenues } from '../board/board-state.ts';
import type { BoardEvent } from '../event.ts';
import { type EventFilter, type EventQuery, matchesSearch, type Sort, type SortDirection } from './event-query.ts';
import { type EventSummary, isUnchanged, summarize } from './event-summary.ts';
import { createTrendingBoard, type TrendingBoard } from './trending.ts';

interface EventIndex {
  readonly trending: TrendingBoard;
  /** Processes changes of the board. @returns a number that rises whenever any result might differ from before */
  sync(): number;
  /**
   * The sort keys of every event that the query finds, in order. The array is the same as before if nothing in it
   * changed.
   *
   * @param halted venues whose markets are not tradable for this audience now
   */
  find(audience: Audience, query: EventQuery, halted: HaltedVenues | null): readonly SortKey[];
  /** Listed events that are offered to the audience, in no particular order. */
  listed(audience: Audience): BoardEvent[];
  /** Rises when an event is added, removed, or moved to another category. */
  readonly membership: number;
  close(): void;
}

interface Found {
  readonly versions: string;
  readonly sortKeys: readonly SortKey[];
}

/** Over all lists together. */
const CACHED_LIST_BYTES = 64 * 1024 * 1024;
/** A list that is older than the ordering keeps the sort keys themselves, not only its references to them. */
const SORT_KEY_BYTES = 64;
const LIST_BYTES = 256;

export function openEventIndex(board: Board, clock: Clock): EventIndex {
  const summaries = new Map<string, EventSummary>();
  const dirty = new Set<string>(board.events.keys());
  const trending = createTrendingBoard(board, clock);
  const orderings = createOrderingCache(summaries, keyOf);
  const cache = new LRUCache<string, Found>({
    maxSize: CACHED_LIST_BYTES,
    // Callers choose the key: it contains their filter.
    sizeCalculation: ({ sortKeys }, key) => sortKeys.length * SORT_KEY_BYTES + key.length * 2 + LIST_BYTES,
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

/** Which events are offered to a caller. */
export interface Audience {
  /** Two audiences have the same key exactly if both are offered the same events. */
  readonly key: string;
  /** Whether its customers trade at venues. Contracts that no venue may trade now are not tradable for it. */
  readonly live: boolean;
  offers(event: BoardEvent): boolean;
}

function passesFilter(filter: EventFilter, audience: Audience, { event, tradable }: EventSummary): boolean {
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

/** @throws invalid_sport, with the sports that the audience is offered, if no offered event has this sport */
function requireSport(summaries: Iterable<EventSummary>, sport: string, audience: Audience): void {
  const sports = new Set<string>();
  for (const { event } of summaries) {
    if (event.sport !== null && audience.offers(event)) {
      if (rollsUpInto(event.sport, sport)) {
        return;
      }
      sports.add(event.sport);
    }
  }
  throw refuse('invalid_sport', undefined, { sports: [...sports].sort() });
}

interface Ordering {
  readonly version: string;
  readonly sortKeys: readonly SortKey[];
}

interface OrderingCache {
  /**
   * Whether an ordering was not updated because of its cost. It must be checked again then, even if nothing changes.
   */
  isBehind: boolean;
  /**
   * The listed events in this order.
   *
   * @param version `<membership>.<version of the keys>`. The ordering is made again only if it differs
   */
  get(sort: Sort, dir: SortDirection, version: string): Ordering;
}

/** An ordering is not made again until this many times the duration of its last sorting has passed. */
const COST_FACTOR = 20;

/**
 * Keeps the orderings of all listed events, one per sort and direction, until their keys change. Sorting is limited to
 * a few percent of the time, so an ordering whose keys change all the time may be a little behind.
 */
function createOrderingCache(
  summaries: ReadonlyMap<string, EventSummary>,
  keyOf: (sort: Sort, summary: EventSummary) => number,
): OrderingCache {
  const orderings = new Map<string, Ordering & { readonly readyAt: number }>();

  const cache: OrderingCache = {
    isBehind: false,
    get(sort, dir, version) {
      const name = `${sort}:${dir}`;
      const known = orderings.get(name);
      if (known !== undefined && known.version === version) {
        return known;
      }
      const startedAt = performance.now();
      const sameMembers = known?.version.split('.')[0] === version.split('.')[0];
      if (known !== undefined && sameMembers && startedAt < known.readyAt) {
        cache.isBehind = true;
        return known;
      }
      const sortKeys: SortKey[] = [];
      for (const summary of summaries.values()) {
        if (summary.listed) {
          sortKeys.push({ key: keyOf(sort, summary), eventId: summary.event.eventId });
        }
      }
      sortKeys.sort((a, b) => compareSortKeys(a, b, dir));
      const endedAt = performance.now();
      const ordering = { version, sortKeys, readyAt: endedAt + (endedAt - startedAt) * COST_FACTOR };
      orderings.set(name, ordering);
      return ordering;
    },
  };
  return cache;
}

/**
 * The sports of each family. A slug that starts with `<family>-` also belongs to it (`rugby-union`, `esports-dota-2`).
 */
const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'american-football': ['nfl', 'college-football'],
    'combat-sports': ['mma', 'ufc', 'boxing', 'judo', 'wrestling'],
    cycling: ['road-cycling', 'track-cycling'],
    esports: ['counter-strike', 'cs2', 'dota-2', 'league-of-legends', 'valorant', 'rainbow-six', 'rocket-league'],
    football: ['soccer', 'american-football', 'nfl', 'college-football', 'canadian-football', 'australian-football'],
    hockey: ['ice-hockey', 'field-hockey'],
    'horse-racing': ['thoroughbred', 'harness-racing'],
    motorsport: ['formula-1', 'f1', 'motogp', 'nascar', 'indycar', 'rally'],
    'racket-sports': ['tennis', 'table-tennis', 'badminton', 'padel', 'pickleball', 'squash'],
    rugby: ['rugby-union', 'rugby-league', 'rugby-sevens'],
    'winter-sports': ['alpine-skiing', 'biathlon', 'bobsleigh', 'curling', 'ski-jumping', 'snowboarding'],
  }),
);

/** Whether a search for `asked` finds an event of `sport`: `racket-sports` finds `tennis` as well (contract 7.2). */
export function rollsUpInto(sport: string, asked: string): boolean {
  return sport === asked || sport.startsWith(`${asked}-`) || (FAMILIES.get(asked)?.includes(sport) ?? false);
}

/** The sort key of an event in one ordering. Ties are broken by event id, ascending in both directions. */
export interface SortKey {
  readonly key: number;
  readonly eventId: string;
}

export function compareSortKeys(a: SortKey, b: SortKey, dir: SortDirection): number {
  if (a.key !== b.key) {
    return dir === 'asc' ? a.key - b.key : b.key - a.key;
  }
  return a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0;
}

/**
 * The cursor of the next page: the position of the last event, bound to the ordering.
 *
 * @param last the last event of the page
 */
export function mintCursor(sort: Sort, dir: SortDirection, last: SortKey): string {
  return encodeCursor(`events:${sort}:${dir}`, [last.key, last.eventId]);
}

/**
 * @throws invalid_cursor if the cursor is malformed or belongs to another ordering, so that no list restarts silently
 */
export function readCursor(sort: Sort, dir: SortDirection, cursor: string): SortKey {
  const [key, eventId] = decodeCursor(`events:${sort}:${dir}`, cursor, 2);
  if (typeof key !== 'number' || typeof eventId !== 'string') {
    throw refuse('invalid_cursor');
  }
  return { key, eventId };
}

/** The index of the first key behind `after` among sorted keys. `after` itself may be gone. */
export function indexAfter(sortKeys: readonly SortKey[], after: SortKey, dir: SortDirection): number {
  let low = 0;
  let high = sortKeys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const sortKey = sortKeys[middle] as SortKey;
    if (compareSortKeys(sortKey, after, dir) <= 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
