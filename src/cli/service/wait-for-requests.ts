/** Reads of many requests wait when the requests of the minute are used up, as long as the service says and within a limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../client/create-client.ts';

const LONGEST_WAIT_S = 120;
const MOST_WAITS = 5;
/** If the refusal does not say how long. */
const UNSAID_WAIT_S = 5;

export interface RetryOptions {
  /** Called before each wait. */
  readonly onWait: (seconds: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * @param ask a request that changes nothing, so that it can be repeated.
 * @throws what `ask` throws; the refusal itself if the wait would be too long, or after several waits.
 */
export async function waitForRequests<T>(ask: () => Promise<T>, { onWait, signal }: RetryOptions): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await ask();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? waitOf(error) : undefined;
      if (seconds === undefined || seconds > LONGEST_WAIT_S || waits === MOST_WAITS) {
        throw error;
      }
      onWait(seconds);
      await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
    }
  }
}

function waitOf({ retryAfterSeconds }: ApiError): number {
  return Math.max(1, Math.ceil(retryAfterSeconds ?? UNSAID_WAIT_S));
}
