/**
 * The orderings of event lists and the cursors that resume them: keyset positions (key, event id), bound to the
 * ordering that made them. A cursor of another sort or direction is refused; the list never restarts silently.
 */
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { refuse } from '../../core/errors.ts';
import type { Sort, SortDirection } from './event-query.ts';

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

export function mintCursor(sort: Sort, dir: SortDirection, last: SortKey): string {
  return encodeCursor(`events:${sort}:${dir}`, [last.key, last.eventId]);
}

/** @throws invalid_cursor if the cursor is malformed or was made under another ordering */
export function readCursor(sort: Sort, dir: SortDirection, cursor: string): SortKey {
  const [key, eventId] = decodeCursor(`events:${sort}:${dir}`, cursor, 2);
  if (typeof key !== 'number' || typeof eventId !== 'string') {
    throw refuse('invalid_cursor');
  }
  return { key, eventId };
}

/** Index of the first entry after `after` in entries sorted by `compareSortKeys`; `after` itself may be gone. */
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
