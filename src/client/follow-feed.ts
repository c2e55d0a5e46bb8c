/**
 * Reads the reconciliation feed so that each money fact is applied once: a page and its cursor are passed on together, so that they can
 * be written in one transaction. It stores nothing itself, and it stops at a missing number.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, type InlayClient, ServiceUnreachable, UnexpectedAnswer } from './create-client.ts';
import type { FeedItem, FeedPage } from './shapes.ts';
import { fetchTarget, type LogState, verifyPage } from './verify-log.ts';

/** Store it with your ledger, in the same transaction as the facts that it counts. */
export interface FeedState {
  readonly cursor: string | null;
  /** Number of the last fact applied; 0 before the first, null if only a cursor is known. */
  readonly sequence: number | null;
  /** The part of the feed that was verified; only with `verify`. */
  readonly log?: LogState | null;
}

/** A fact is missing between two others: nothing after it was applied. Call support. */
export class FeedGap extends Error {
  override name = 'FeedGap';
  readonly expected: number;
  readonly got: number;

  constructor(expected: number, got: number) {
    super(`The feed continues with ${got}, but ${expected} was expected.`);
    this.expected = expected;
    this.got = got;
  }
}

export interface FollowOptions {
  readonly from: FeedState;
  /**
   * Writes these facts and this state in one transaction. If it throws, nothing was applied and the same facts are delivered again.
   * There may be no facts if only the cursor moved.
   */
  apply(facts: readonly FeedItem[], state: FeedState): Promise<void> | void;
  /** Only facts of these types. A filtered feed skips numbers, so that a gap cannot be detected. */
  readonly types?: readonly FeedItem['type'][];
  /** Only facts of this customer. Gaps cannot be detected then either. */
  readonly externalUserId?: string | undefined;
  /**
   * Verifies the feed against its signed log, from the first item on or from a state that was verified. A page that does not fit is
   * not applied. `key` is the verifier key that you stored; without it the first checkpoint names the key.
   */
  readonly verify?: { readonly key?: string };
  /** Ends after the last fact; false follows until the signal, also while the service is unreachable for a time. */
  readonly once?: boolean;
  /** Milliseconds between two requests at the end of the feed, if the service does not let them wait for the next fact. */
  readonly pollMs?: number;
  /** Checked between pages: facts that were read are applied before the end. */
  readonly signal?: AbortSignal;
  /** Called before each wait for an unreachable service or for the requests of the next minute. */
  onWait?(why: Error, seconds: number): void;
}

const PAGE = 500;
const POLL_MS = 1_000;
/** A request at the end of the feed waits this long at the service for the next fact. */
const WAIT_SECONDS = 20;
/** Facts that follow each other quickly are read together. */
const GATHER_MS = 150;
const LONGEST_WAIT_MS = 30_000;

/** @returns the state it ended with. @throws FeedGap, FeedRewritten, ApiError, ServiceUnreachable and the errors of `apply`. */
export async function followFeed(client: InlayClient, options: FollowOptions): Promise<FeedState> {
  const { apply, once = true, pollMs = POLL_MS, signal, types = [], externalUserId, verify } = options;
  const isFiltered = types.length > 0 || externalUserId !== undefined;
  let state = options.from;
  if (verify !== undefined && (isFiltered || (state.sequence !== 0 && (state.log ?? null) === null))) {
    throw new TypeError('A feed is verified whole: from its first item, or from a state that was verified.');
  }
  let failures = 0;
  let begins = true;
  const isEnded = () => signal?.aborted === true;
  while (!isEnded()) {
    let page: FeedPage;
    let log: LogState | null = state.log ?? null;
    const begun = performance.now();
    try {
      // at the end of the feed a new checkpoint proves nothing until there are new facts
      if (verify !== undefined && (begins || log === null || log.later.length > 0)) {
        log = await fetchTarget(client, log, verify.key ?? null);
      }
      page = await client.get('/api/v1/reconciliation/feed', {
        query: {
          limit: PAGE,
          cursor: state.cursor ?? undefined,
          type: [...types],
          externalUserId,
          wait: once ? undefined : WAIT_SECONDS,
        },
        signal: once ? undefined : signal,
      });
      failures = 0;
      begins = false;
    } catch (error) {
      if (isEnded()) {
        return state;
      }
      failures += 1;
      const ms = retryDelayMs(error, failures, once);
      options.onWait?.(error as Error, Math.ceil(ms / 1000));
      await rest(ms, signal);
      continue;
    }
    const { sequence: last } = state;
    // a page that was applied without storing its cursor is delivered again: facts up to the number are skipped
    const facts = page.items.filter(({ sequence }) => last === null || sequence > last);
    if (!isFiltered) {
      expectDense(facts, last);
    }
    // with a filter, the next number does not follow from the last one
    const sequence = isFiltered ? null : (facts.at(-1)?.sequence ?? last);
    const next = {
      cursor: page.nextCursor,
      sequence,
      ...(log !== null && { log: verifyNext(log, page, facts, last) }),
    };
    if (facts.length > 0 || next.cursor !== state.cursor || next.log?.checkpoint !== state.log?.checkpoint) {
      await apply(facts, next);
    }
    state = next;
    if (!page.hasMore) {
      if (once) {
        return state;
      }
      await rest(facts.length > 0 ? GATHER_MS : Math.max(0, pollMs - (performance.now() - begun)), signal);
    }
  }
  return state;
}

function verifyNext(log: LogState, { hasMore }: FeedPage, facts: readonly FeedItem[], last: number | null): LogState {
  return verifyPage(log, { facts, sequence: facts.at(-1)?.sequence ?? last ?? 0, hasMore });
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

/** How long to wait before the next request. A feed of many pages can need more requests than a minute allows. @throws an error that is not temporary */
function retryDelayMs(error: unknown, failures: number, once: boolean): number {
  if (error instanceof ApiError && error.code === 'rate_limited') {
    return Math.max(1, error.retryAfterSeconds ?? 1) * 1000;
  }
  // a proxy sends 5xx for an unreachable service; any other foreign response is an error
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
