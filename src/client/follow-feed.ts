/**
 * Reads the reconciliation feed so that each money fact is applied once: a page and the cursor behind it are handed over together,
 * to be written in one transaction. It keeps nothing itself, and it stops where a number is missing rather than going on.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from './api-error.ts';
import type { InlayClient } from './create-client.ts';
import type { FeedItem, FeedPage } from './shapes.ts';
import { ServiceUnreachable, UnexpectedAnswer } from './transport.ts';

/** Keep it beside your ledger, in the same transaction as what it counts. */
export interface FeedState {
  readonly cursor: string | null;
  /** Number of the last fact applied; 0 before the first, null where nothing but a cursor is known. */
  readonly sequence: number | null;
}

/** A fact is missing between two that came: nothing behind it was applied. Call support. */
export class FeedGap extends Error {
  override name = 'FeedGap';
  readonly expected: number;
  readonly got: number;

  constructor(expected: number, got: number) {
    super(`The feed goes on with ${got} where ${expected} was due.`);
    this.expected = expected;
    this.got = got;
  }
}

export interface FollowOptions {
  readonly from: FeedState;
  /**
   * Writes these facts and this state in one transaction. Where it throws, nothing was applied and the same facts come again.
   * There may be no facts at all where only the place moved.
   */
  apply(facts: readonly FeedItem[], state: FeedState): Promise<void> | void;
  /** Only facts of these types. A filtered feed leaves numbers out, so that a gap in it cannot be told. */
  readonly types?: readonly string[];
  /** Only facts of this customer; as above. */
  readonly externalUserId?: string | undefined;
  /** Ends once caught up; false follows until the signal, and through a service that is away for a while. */
  readonly once?: boolean;
  readonly pollMs?: number;
  /** Heeded between pages: what was read is applied before the end. */
  readonly signal?: AbortSignal;
  /** Told before each wait for a service that is away or has no requests left for this minute. */
  onWait?(why: Error, seconds: number): void;
}

const PAGE = 500;
const POLL_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** @returns the state it ended with. @throws FeedGap, ApiError, ServiceUnreachable and whatever `apply` throws. */
export async function followFeed(client: InlayClient, options: FollowOptions): Promise<FeedState> {
  const { apply, once = true, pollMs = POLL_MS, signal, types = [], externalUserId } = options;
  const isFiltered = types.length > 0 || externalUserId !== undefined;
  let state = options.from;
  let failures = 0;
  while (signal?.aborted !== true) {
    let page: FeedPage;
    try {
      page = await client.get('/api/v1/reconciliation/feed', {
        query: { limit: PAGE, cursor: state.cursor ?? undefined, type: [...types], externalUserId },
      });
      failures = 0;
    } catch (error) {
      failures += 1;
      const ms = patience(error, failures, once);
      options.onWait?.(error as Error, Math.ceil(ms / 1000));
      await rest(ms, signal);
      continue;
    }
    const { sequence: last } = state;
    // a page that was applied while its cursor was not kept comes again: what is behind the number is skipped
    const facts = page.items.filter(({ sequence }) => last === null || sequence > last);
    if (!isFiltered) {
      expectDense(facts, last);
    }
    // behind a filter the number of the last fact says nothing of what is due next
    const next = { cursor: page.nextCursor, sequence: isFiltered ? null : (facts.at(-1)?.sequence ?? last) };
    if (facts.length > 0 || next.cursor !== state.cursor) {
      await apply(facts, next);
    }
    state = next;
    if (!page.hasMore) {
      if (once) {
        return state;
      }
      await rest(pollMs, signal);
    }
  }
  return state;
}

function expectDense(facts: readonly FeedItem[], last: number | null): void {
  let due = last === null ? facts[0]?.sequence : last + 1;
  for (const { sequence } of facts) {
    if (due !== undefined && sequence !== due) {
      throw new FeedGap(due, sequence);
    }
    due = sequence + 1;
  }
}

/** A feed of many pages takes more than a minute's requests: that is waited for, followed or not. @throws what will not pass by itself. */
function patience(error: unknown, failures: number, once: boolean): number {
  if (error instanceof ApiError && error.code === 'rate_limited') {
    return Math.max(1, error.retryAfterSeconds ?? 1) * 1000;
  }
  // a proxy says 5xx of a service that is away; any other answer of something else stays what it is
  const isAway = error instanceof UnexpectedAnswer ? error.status >= 500 : error instanceof ServiceUnreachable;
  const isPassing = isAway || (error instanceof ApiError && error.retryable);
  if (once || !isPassing) {
    throw error;
  }
  return Math.min(LONGEST_WAIT_MS, POLL_MS * 2 ** failures);
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
