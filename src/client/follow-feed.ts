/**
 * Reads the reconciliation feed so that each money fact is applied once: a page and the cursor behind it are handed over together,
 * to be written in one transaction. It keeps nothing itself, and it stops where a number is missing rather than going on.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FeedItem, FeedPage } from '../wire/feed.ts';
import { expectData, type InlayClient } from './create-client.ts';

/** Keep it beside your ledger, in the same transaction as what it counts. */
export interface FeedState {
  readonly cursor: string | null;
  /** Number of the last fact applied; 0 before the first. */
  readonly sequence: number;
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
  /** Writes these facts and this state in one transaction. Where it throws, nothing was applied and the same facts come again. */
  apply(facts: readonly FeedItem[], state: FeedState): Promise<void> | void;
  /** Ends once caught up; false follows until the signal. */
  readonly once?: boolean;
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

const PAGE = 500;
const POLL_MS = 1_000;

/** @returns the state it ended with. @throws FeedGap, ApiRefusal, ServiceUnreachable and whatever `apply` throws. */
export async function followFeed(client: InlayClient, options: FollowOptions): Promise<FeedState> {
  const { apply, once = true, pollMs = POLL_MS, signal } = options;
  let state = options.from;
  while (signal?.aborted !== true) {
    const query = { limit: PAGE, ...(state.cursor === null ? {} : { cursor: state.cursor }) };
    const answer = await expectData(client.GET('/api/v1/reconciliation/feed', { params: { query } }));
    // openapi-fetch leaves fields that are always null out of its types
    const page = answer as FeedPage;
    // a page that was applied while its cursor was not kept comes again: what is behind the number is skipped
    const facts = page.items.filter((item) => item.sequence > state.sequence);
    let due = state.sequence + 1;
    for (const { sequence } of facts) {
      if (sequence !== due) {
        throw new FeedGap(due, sequence);
      }
      due += 1;
    }
    const next = { cursor: page.nextCursor, sequence: due - 1 };
    if (facts.length > 0) {
      await apply(facts, next);
    }
    state = next;
    if (!page.hasMore) {
      if (once) {
        return state;
      }
      await wait(pollMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    }
  }
  return state;
}
