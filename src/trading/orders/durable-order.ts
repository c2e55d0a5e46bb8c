/** Makes sure that an order which is answered for again survives a fail-over. */
import type { Sql } from '../../db/client.ts';

/**
 * Waits until what was read of the order is where synchronous replication wants it. A read alone does not wait: after a crash,
 * a primary shows commits that no standby has yet. The weakest row lock writes to the log, so the commit of this statement
 * waits for everything before it; it blocks neither moves nor other readers.
 */
export async function awaitDurable(sql: Sql, operatorId: string, orderId: string): Promise<void> {
  await sql`select from orders where operator_id = ${operatorId} and order_id = ${orderId} for key share`;
}
