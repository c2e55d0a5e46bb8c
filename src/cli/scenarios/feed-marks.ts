/** Where the feed of each key stood before a scenario touched it, so that what came earlier does not count. */
import type { ApiClient } from '../api-client.ts';
import { Failure } from '../failure.ts';

export class FeedMarks {
  readonly #isNeeded: boolean;
  readonly #marks = new Map<string, Promise<string | undefined>>();

  constructor(isNeeded: boolean) {
    this.#isNeeded = isNeeded;
  }

  /**
   * Read once a key.
   * @param key of a step; undefined is the run's own.
   * @throws Failure where the feed of the run's own key cannot be read.
   */
  of(api: ApiClient, key: string | undefined): Promise<string | undefined> {
    if (!this.#isNeeded) {
      return Promise.resolve(undefined);
    }
    const known = this.#marks.get(key ?? '');
    // the key of a step may be there to be refused: its feed then begins at the beginning
    const mark = known ?? (key === undefined ? readEnd(api) : readEnd(api).catch(() => undefined));
    this.#marks.set(key ?? '', mark);
    return mark;
  }
}

async function readEnd(api: ApiClient): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const page = await api.send<{ nextCursor?: string; hasMore?: boolean; message?: string; error?: string }>(
      'GET',
      '/api/v1/reconciliation/feed',
      { query: { cursor, limit: 500 } },
    );
    if (page.status >= 400) {
      throw new Failure(page.body.error ?? 'internal_error', page.body.message ?? 'The feed cannot be read.');
    }
    cursor = page.body.nextCursor;
    if (page.body.hasMore !== true) {
      return cursor;
    }
  }
}
