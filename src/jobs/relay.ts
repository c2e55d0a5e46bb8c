/** Runs the relay: woken by processes that committed facts, and by a slow poll in case a notification is lost. */
import type { Context } from '../context.ts';
import { isSpread } from '../db/by-operator.ts';
import { listenForEvents, relayEvents } from '../webhooks/relay.ts';
import { logFailures } from './failure-log.ts';

/** Costs a comparison of two numbers of each operator; an event without a notification waits at most this long. */
const POLL_MS = 100;
/** Where operators are spread over servers it asks all of them. */
const SPREAD_POLL_MS = 1_000;
const AFTER_FAILURE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

export async function startRelay(context: Context): Promise<{ close(): Promise<void> }> {
  const { sql, log } = context;
  const trouble = logFailures(log, 'relay', 'the webhook relay failed; will retry');
  const pollMs = (await isSpread(sql)) ? SPREAD_POLL_MS : POLL_MS;
  let closed = false;
  let woken = false;
  let wake = () => {};

  async function rest(ms: number): Promise<void> {
    if (closed || woken) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }

  const unlisten = await listenForEvents(sql, () => {
    woken = true;
    wake();
  });

  const loop = (async () => {
    while (!closed) {
      woken = false;
      try {
        const { behind } = await relayEvents(sql);
        trouble.over();
        if (!behind) {
          await rest(pollMs);
        }
      } catch (error) {
        if (isLockTimeout(error)) {
          await rest(pollMs);
          continue;
        }
        trouble.failed(error);
        woken = false;
        await rest(AFTER_FAILURE_MS);
      }
    }
  })();

  return {
    close: async () => {
      closed = true;
      wake();
      await loop;
      await unlisten().catch(() => {});
    },
  };
}

/** It gave way to a runner that was ending its jobs (sql/functions/webhooks/relay_events.sql). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}
