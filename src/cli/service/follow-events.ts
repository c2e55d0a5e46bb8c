/** Follows the webhook events of a key as they are recorded, from now on, so that a machine behind a firewall has them too. It stores nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type InlayClient, ServiceUnreachable, UnexpectedAnswer } from '../../client/create-client.ts';
import type { WebhookEventPage } from '../../client/shapes.ts';

export type FollowedEvent = WebhookEventPage['events'][number];

interface FollowEventsOptions {
  /** Only events of these types. */
  readonly types: readonly string[];
  readonly signal: AbortSignal;
  /** Called once, when every later event will be seen. */
  onReady(): void;
  /** Called before each wait for a service that does not answer, or for the requests of the next minute. */
  onWait(why: Error, seconds: number): void;
}

const WAIT_S = 20;
const PAGE = 100;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/** Ends with the signal. @throws ApiError, ServiceUnreachable; a later failure only if it does not pass */
export async function* followEvents(client: InlayClient, options: FollowEventsOptions): AsyncGenerator<FollowedEvent> {
  const { types: type, signal, onReady, onWait } = options;
  const read = (query: { last?: number; cursor?: string; wait?: number }) =>
    client.get('/api/v1/webhook-events', {
      query: { ...query, type: type as FollowedEvent['type'][], limit: PAGE },
      signal,
    });
  let cursor: string | undefined;
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    try {
      const page = await read(cursor === undefined ? { last: 0 } : { cursor, wait: WAIT_S });
      if (cursor === undefined) {
        onReady();
      }
      yield* page.events;
      cursor = page.nextCursor;
      retryMs = FIRST_RETRY_MS;
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      const isLimited = error instanceof ApiError && error.code === 'rate_limited';
      if (cursor === undefined && !isLimited) {
        // what is refused or away at once is told, and not waited for
        throw error;
      }
      const ms = delayOf(error, retryMs);
      onWait(error as Error, Math.ceil(ms / 1000));
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
    }
  }
}

/** @throws an error that does not pass */
function delayOf(error: unknown, retryMs: number): number {
  if (error instanceof ApiError && error.retryAfterSeconds !== undefined) {
    return error.retryAfterSeconds * 1000;
  }
  // a proxy sends 5xx for a service that is away
  const isAway = error instanceof UnexpectedAnswer ? error.status >= 500 : error instanceof ServiceUnreachable;
  if (!isAway && !(error instanceof ApiError && error.retryable)) {
    throw error;
  }
  return retryMs;
}
