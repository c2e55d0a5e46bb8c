/** Follows a venue's list from page to page. A venue that gives the same cursor twice would otherwise be read without end. */
import { misfit } from './response-shape.ts';

/** More than any list of an account or catalogue has. */
const MOST_PAGES = 10_000;

/** @returns the cursor of the next page; undefined after the last one. @throws VenueUnknown if the list does not end */
export type NextPage = (cursor: string | null | undefined) => string | undefined;

/**
 * @param about which list, for the evidence
 * @param last the cursor of a last page, besides none and an empty one
 */
export function nextPageOf(venue: string, about: string, last = ''): NextPage {
  const followed = new Set<string>();
  return (cursor) => {
    if (cursor == null || cursor === '' || cursor === last) {
      return undefined;
    }
    if (followed.has(cursor) || followed.size >= MOST_PAGES) {
      throw misfit(venue, about, 'the list does not end', { cursor });
    }
    followed.add(cursor);
    return cursor;
  };
}
