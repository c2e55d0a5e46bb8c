/**
 * The orderings of all listed events, one for each sort and direction, kept until their keys change. Sorting is limited
 * to a few percent of the time, so an ordering whose keys change all the time may be a little behind.
 */
import type { Sort, SortDirection } from './event-query.ts';
import type { EventSummary } from './event-summary.ts';
import { compareSortKeys, type SortKey } from './orderings.ts';

interface Ordering {
  readonly version: string;
  readonly sortKeys: readonly SortKey[];
}

export interface OrderingCache {
  /** Whether an ordering was not updated because of its cost, so that it must be checked again without any change. */
  isBehind: boolean;
  /**
   * The listed events in this order.
   * @param version `<membership>.<version of the keys>`; the ordering is made again only if it differs.
   */
  get(sort: Sort, dir: SortDirection, version: string): Ordering;
}

/** An ordering is not made again until this many times its own cost has passed. */
const COST_FACTOR = 20;

export function createOrderingCache(
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
