/**
 * Takes waiting events (outbox_queue) and queues their deliveries and jobs, one batch per statement
 * (sql/functions/webhooks/relay_outbox.sql).
 */
import type { Sql } from '../db/client.ts';

export const RELAY_BATCH = 1_000;

/** @returns the number of events taken; fewer than the batch size means that no more are waiting */
export async function relayOutbox(
  sql: Sql,
  limit: number = RELAY_BATCH,
): Promise<{ readonly relayed: number; readonly queued: number }> {
  const [row] = await sql<{ relayed: number; queued: number }[]>`select relayed, queued from relay_outbox(${limit})`;
  return row ?? { relayed: 0, queued: 0 };
}

const OUTBOX_CHANNEL = 'outbox';

/**
 * A transaction that notifies blocks all others that notify, so a busy process sends at most one notification in this
 * time.
 */
const SPACING_MS = 20;

/** @returns what ends the subscription. */
export async function listenForOutbox(sql: Sql, onEvents: () => void): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(OUTBOX_CHANNEL, onEvents);
  return unlisten;
}

export interface RelayWaker {
  /** Returns at once and never fails: the relay also polls, so a lost call costs latency only. */
  wake(): void;
}

export function createRelayWaker(sql: Sql): RelayWaker {
  let timer: NodeJS.Timeout | undefined;
  let again = false;

  function notify(): void {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) {
        notify();
      }
    }, SPACING_MS);
    timer.unref();
    sql`select pg_notify(${OUTBOX_CHANNEL}, '')`.catch(() => {});
  }

  return {
    wake() {
      if (timer === undefined) {
        notify();
      } else {
        again = true;
      }
    },
  };
}
