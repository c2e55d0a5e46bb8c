/** The regular maintenance of deliveries: jobs of dead workers, the log of attempts, deliveries whose three days are over. */
import type { Sql } from '../../db/client.ts';

/** A worker that has not reported for this long is considered dead; its jobs are unlocked. */
const SILENCE = '12 seconds';

/**
 * Records that this worker is alive, unlocks the jobs of dead workers and makes jobs for endpoints that have something due
 * (sql/functions/webhooks/recover_webhooks.sql).
 * @param poolId under which the jobs of this worker are locked.
 */
export async function recoverDeliveries(sql: Sql, poolId: string): Promise<void> {
  await sql`select recover_webhooks(${poolId}, ${SILENCE}::interval)`;
}

/**
 * Deletes old attempts and gives up deliveries that are past their three days
 * (sql/functions/webhooks/maintain_webhooks.sql).
 */
export async function expireDeliveries(sql: Sql, keepDays: number): Promise<void> {
  await sql`select maintain_webhooks(${`${keepDays} days`}::interval)`;
}
