/** Takes events out of the outbox and queues their deliveries and jobs, a batch a statement (sql/functions/webhooks/relay_outbox.sql). */
import type { Sql } from '../db/client.ts';

export const RELAY_BATCH = 1_000;

/** @returns how many events it took: fewer than the batch means that nothing is waiting. */
export async function relayOutbox(
  sql: Sql,
  limit: number = RELAY_BATCH,
): Promise<{ readonly relayed: number; readonly queued: number }> {
  const [row] = await sql<{ relayed: number; queued: number }[]>`select relayed, queued from relay_outbox(${limit})`;
  return row ?? { relayed: 0, queued: 0 };
}
