/** Reads a paged list until enough items are read; waits when the requests of a minute are used up. */

interface Page {
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
  readonly count: number;
}

const LARGEST_PAGE = 200;

/**
 * @param wanted how many at most; `Infinity` for all.
 * @param largest items on a page, at most.
 * @returns the last page with all the items read under `name`.
 */
export async function readPages<P extends Page, K extends keyof P>(
  name: K,
  wanted: number,
  cursor: string | undefined,
  read: (query: { limit: number; cursor: string | undefined }) => Promise<P>,
  largest = LARGEST_PAGE,
): Promise<P> {
  const items: unknown[] = [];
  let next = cursor;
  for (;;) {
    const page = await read({ limit: Math.min(largest, wanted - items.length), cursor: next });
    items.push(...(page[name] as readonly unknown[]));
    if (!page.hasMore || page.nextCursor === null || items.length >= wanted) {
      return { ...page, [name]: items, count: items.length };
    }
    next = page.nextCursor;
  }
}
