/**
 * Starts finished deliveries over, one by one or all since a time, because a receiver may have lost what it
 * acknowledged.
 */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

export interface ReplayScope {
  readonly operatorId?: string | undefined;
  readonly endpointId?: string | undefined;
  /** Deliveries queued at or after this time. */
  readonly since: Date;
}

/** @returns the ids of the replayed deliveries; those of disabled endpoints are not replayed */
export async function replaySince(sql: Sql, scope: ReplayScope): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select * from replay_webhook_deliveries(null, ${scope.operatorId ?? null}, ${scope.endpointId ?? null}, ${scope.since.toISOString()}::timestamptz) as id`;
  return rows.map((row) => row.id);
}

/**
 * Replays all of the named deliveries or none.
 * @throws `unknown_delivery`, `delivery_pending`, `endpoint_disabled`, each naming the first delivery that prevents it
 */
export async function replayDeliveries(sql: Sql, deliveryIds: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(deliveryIds)];
  const found = await sql<{ id: string; status: string; active: boolean }[]>`
    select d.delivery_id as id, d.status, e.active from webhook_deliveries d
    join webhook_endpoints e on e.operator_id = d.operator_id and e.endpoint_id = d.endpoint_id
    where (d.operator_id, d.delivery_id) in (
      select op.operator_id, given.id from operators op cross join unnest(${wanted}::text[]) as given (id))`;
  const byId = new Map(found.map((row) => [row.id, row]));
  for (const id of wanted) {
    const delivery = byId.get(id);
    if (delivery === undefined) {
      throw refuse('unknown_delivery', `There is no webhook delivery ${id}.`);
    }
    if (delivery.status === 'pending') {
      throw refuse('delivery_pending', `${id} is still being delivered.`);
    }
    if (!delivery.active) {
      throw refuse('endpoint_disabled', `The endpoint of ${id} is disabled; enable it first.`);
    }
  }
  const rows = await sql<{ id: string }[]>`
    select * from replay_webhook_deliveries(${wanted}::text[], null, null, null) as id`;
  return rows.map((row) => row.id);
}
