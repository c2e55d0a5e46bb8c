/**
 * Takes events from the outbox and queues their deliveries and jobs, one batch per statement
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
