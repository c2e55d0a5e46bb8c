/** The end of each key's feed before a scenario ran, so that earlier items do not count. */
import { ApiError } from '../../../client/create-client.ts';
import type { ApiClient } from '../../service/api-client.ts';
import { waitForRequests } from '../../service/wait-for-requests.ts';

export class FeedMarks {
  readonly #isNeeded: boolean;
  readonly #marks = new Map<string, Promise<string | undefined>>();

  readonly #onWait: (seconds: number) => void;

  /** @param onWait called before the run's own key waits for its requests of the next minute. */
  constructor(isNeeded: boolean, onWait: (seconds: number) => void) {
    this.#isNeeded = isNeeded;
    this.#onWait = onWait;
  }

  /**
   * Read once per key.
   * @param key of a step; undefined is the run's own.
   * @throws ApiError where the feed of the run's own key cannot be read.
   */
  of(api: ApiClient, key: string | undefined): Promise<string | undefined> {
    if (!this.#isNeeded) {
      return Promise.resolve(undefined);
    }
    const known = this.#marks.get(key ?? '');
    // a step may use a key that is to be refused: its feed then starts at the beginning
    const mark = known ?? (key === undefined ? readEnd(api, this.#onWait) : readEnd(api).catch(() => undefined));
    this.#marks.set(key ?? '', mark);
    return mark;
  }
}

interface FeedEnd {
  readonly nextCursor?: string;
  readonly hasMore?: boolean;
}

async function readEnd(api: ApiClient, onWait?: (seconds: number) => void): Promise<string | undefined> {
  let cursor: string | undefined;
  for (;;) {
    const ask = () => readPage(api, cursor);
    const body = await (onWait === undefined ? ask() : waitForRequests(ask, { onWait }));
    cursor = body.nextCursor;
    if (body.hasMore !== true) {
      return cursor;
    }
  }
}

async function readPage(api: ApiClient, cursor: string | undefined): Promise<FeedEnd> {
  const query = { cursor, limit: 500 };
  const { status, body } = await api.send<FeedEnd>('GET', '/api/v1/reconciliation/feed', { query });
  if (status >= 400) {
    throw new ApiError(status, undefined, body);
  }
  return body;
}
