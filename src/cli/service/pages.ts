/** Lists in pages: the flags with which a person chooses one, and the requests that read it. */
import { Flags } from '@oclif/core';

/** @param size default of `--limit`, in rows. @param most largest value of `--limit` */
export const pageFlags = (size: number, most = Number.MAX_SAFE_INTEGER) => ({
  limit: Flags.integer({ helpValue: 'N', default: size, min: 1, max: most, summary: 'Rows on a page.' }),
  page: Flags.integer({
    helpValue: 'N',
    min: 1,
    exclusive: ['all', 'cursor'],
    summary: 'Which page; by default the first.',
  }),
  all: Flags.boolean({ default: false, summary: 'All pages.' }),
  cursor: Flags.string({
    helpValue: 'CURSOR',
    summary: 'Continue after an earlier page, even if rows were added since.',
  }),
});

interface PageChoice {
  readonly limit: number;
  readonly page?: number | undefined;
  readonly all: boolean;
  readonly cursor?: string | undefined;
}

/** @param next cursor of the next page. @returns a line for a person: how to get the page after this one */
export function nextPage(
  { page = 1, cursor }: { page?: number | undefined; cursor?: string | undefined },
  next: string,
): string {
  return cursor === undefined ? `The next page: --page ${page + 1}` : `The next page:\n--cursor ${next}`;
}

interface Page {
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
  readonly count: number;
}

const LARGEST_PAGE = 200;

/**
 * Reads the chosen page, or all of them, with as many requests as that takes.
 * @param name field of the answer that holds the items
 * @param largest number of items that the API returns for one request
 * @returns the last answer, with all the items of the page under `name`
 */
export async function readPages<P extends Page, K extends keyof P>(
  name: K,
  { limit, page = 1, all, cursor }: PageChoice,
  read: (query: { limit: number; cursor: string | undefined }) => Promise<P>,
  largest = LARGEST_PAGE,
): Promise<P> {
  const items: unknown[] = [];
  const skipped = (page - 1) * limit;
  const wanted = all ? Number.POSITIVE_INFINITY : skipped + limit;
  let next = cursor;
  for (;;) {
    const answer = await read({ limit: Math.min(largest, wanted - items.length), cursor: next });
    items.push(...(answer[name] as readonly unknown[]));
    if (!answer.hasMore || answer.nextCursor === null || items.length >= wanted) {
      const shown = items.slice(skipped);
      return { ...answer, [name]: shown, count: shown.length };
    }
    next = answer.nextCursor;
  }
}
