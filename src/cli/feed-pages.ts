/** Pages of the feed one after the other, following it where that is wanted; a service that is away is waited for. */
import { setTimeout as wait } from 'node:timers/promises';
import type { FeedItem } from '../wire/feed.ts';
import type { ApiClient } from './api-client.ts';
import { Failure } from './failure.ts';

const PAGE = 500;
const POLL_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export interface FeedOrder {
  readonly types: readonly string[];
  readonly user: string | undefined;
  readonly since: string | undefined;
  readonly follow: boolean;
  readonly signal: AbortSignal;
  note(text: string): void;
}

interface Page {
  readonly items: readonly FeedItem[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/** Ends when the feed is caught up, or with the signal where it follows. The signal is heeded between pages alone. */
export async function* feedPages(api: ApiClient, order: FeedOrder): AsyncGenerator<Page> {
  let cursor = order.since;
  let failures = 0;
  while (!order.signal.aborted) {
    let page: Page;
    try {
      page = await api.get<Page>(pathOf(order, cursor));
      failures = 0;
    } catch (error) {
      const seconds = retryAfter(error);
      if (seconds !== undefined) {
        order.note(`The minute's requests are used; going on in ${seconds} s.`);
        await rest(seconds * 1000, order.signal);
        continue;
      }
      if (!order.follow || !isPassing(error)) {
        throw error;
      }
      failures += 1;
      const ms = Math.min(LONGEST_WAIT_MS, POLL_MS * 2 ** failures);
      order.note(`${(error as Failure).message} Trying again in ${Math.round(ms / 1000)} s.`);
      await rest(ms, order.signal);
      continue;
    }
    cursor = page.nextCursor;
    yield page;
    if (!page.hasMore) {
      if (!order.follow) {
        return;
      }
      await rest(POLL_MS, order.signal);
    }
  }
}

function pathOf({ types, user }: FeedOrder, cursor: string | undefined): string {
  const query = new URLSearchParams({ limit: String(PAGE) });
  for (const type of types) {
    query.append('type', type);
  }
  if (user !== undefined) {
    query.set('externalUserId', user);
  }
  if (cursor !== undefined) {
    query.set('cursor', cursor);
  }
  return `/api/v1/reconciliation/feed?${query.toString()}`;
}

/** A feed of many pages takes more than a minute's requests: that is waited for, followed or not. */
function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof Failure) || error.code !== 'rate_limited') {
    return undefined;
  }
  const { retryAfterSeconds } = error.extra;
  return typeof retryAfterSeconds === 'number' ? Math.max(1, retryAfterSeconds) : 1;
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof Failure && ['service_unreachable', 'service_unavailable', 'internal_error'].includes(error.code)
  );
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}
