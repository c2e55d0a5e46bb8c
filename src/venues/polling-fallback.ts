/** Reports a venue whose books are streamed as up or down, and polls its books while the stream is down for longer than a moment. */
import { type PolledVenue, watchByPolling } from './polling-watch.ts';
import type { Watch, WatchHandlers } from './port.ts';

/** How long the stream may be down before the books are polled. */
const POLL_AFTER_MS = 3_000;

export interface PollingFallback {
  /** Whether the books come over the stream or by polling. */
  readonly connected: boolean;
  /** Whether the books come over the stream. */
  readonly streams: boolean;
  /** The stream has all books. Polling ends before the venue is reported as up. */
  streamUp(): Promise<void>;
  streamDown(reason: string): void;
  close(): Promise<void>;
}

export function openPollingFallback(polled: PolledVenue, handlers: WatchHandlers): PollingFallback {
  let up = false;
  let closed = false;
  let polling: Watch | undefined;
  let pollSoon: NodeJS.Timeout | undefined = setTimeout(poll, POLL_AFTER_MS);

  function poll(): void {
    polling ??= watchByPolling(polled, handlers);
  }

  return {
    get connected() {
      return up || polling?.connected === true;
    },
    get streams() {
      return up;
    },
    async streamUp() {
      if (up || closed) {
        return;
      }
      up = true;
      clearTimeout(pollSoon);
      const before = polling;
      polling = undefined;
      await before?.close();
      if (up && !closed) {
        handlers.up();
      }
    },
    streamDown(reason) {
      if (up && !closed) {
        up = false;
        handlers.down(reason);
        pollSoon = setTimeout(poll, POLL_AFTER_MS);
      }
    },
    async close() {
      closed = true;
      clearTimeout(pollSoon);
      await polling?.close();
    },
  };
}
