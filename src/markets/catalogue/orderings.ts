/**
 * The orderings of event lists and the cursors that resume them: keyset positions (key, event id), bound to the
 * ordering that minted them. A cursor of another sort or direction is refused, never a restart.
 */
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { refuse } from '../../core/errors.ts';
import type { Sort, SortDirection } from './listing-query.ts';

/** Where an event stands in one ordering. Ties are broken by event id, rising, in both directions. */
export interface Place {
  readonly key: number;
  readonly eventId: string;
}

export function comparePlaces(a: Place, b: Place, dir: SortDirection): number {
  if (a.key !== b.key) {
    return dir === 'asc' ? a.key - b.key : b.key - a.key;
  }
  return a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0;
}

export function mintCursor(sort: Sort, dir: SortDirection, last: Place): string {
  return encodeCursor(`events:${sort}:${dir}`, [last.key, last.eventId]);
}

/** @throws invalid_cursor where the cursor is malformed or was minted under another ordering. */
export function readCursor(sort: Sort, dir: SortDirection, cursor: string): Place {
  const [key, eventId] = decodeCursor(`events:${sort}:${dir}`, cursor, 2);
  if (typeof key !== 'number' || typeof eventId !== 'string') {
    throw refuse('invalid_cursor');
  }
  return { key, eventId };
}

/** Index of the first place after `after` in places sorted by `comparePlaces`; the place itself need not be there any more. */
export function indexAfter(places: readonly Place[], after: Place, dir: SortDirection): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const place = places[middle] as Place;
    if (comparePlaces(place, after, dir) <= 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
