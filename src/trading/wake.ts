/** Wakes the worker's transmission after a commit: one notification for all orders of a moment, never inside a money statement. */
import type { Sql } from '../db/client.ts';

const GATHER_MS = 5;

export function openWake(sql: Sql, channel: 'transmit'): () => void {
  let planned = false;
  return () => {
    if (planned) {
      return;
    }
    planned = true;
    setTimeout(() => {
      planned = false;
      // Lost only with the connection; the worker's own poll finds the order then.
      sql`select pg_notify(${channel}, '')`.catch(() => undefined);
    }, GATHER_MS);
  };
}
