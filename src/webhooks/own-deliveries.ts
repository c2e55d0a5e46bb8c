/** Deliveries as their operator reads them: of its own events alone, without responses and secrets. */
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { Delivery } from '../wire/webhook.ts';
import { deliveriesOfEvents, isoText } from './deliveries.ts';

/**
 * All deliveries of some events, oldest first.
 * @param sql also a pool of the tenants' role
 */
export async function readDeliveriesOf(
  sql: Sql,
  operatorId: string,
  eventIds: readonly string[],
): Promise<readonly Delivery[]> {
  return eventIds.length === 0
    ? []
    : (await readOwn(sql, operatorId, deliveriesOfEvents(sql, operatorId, eventIds))).toReversed();
}

type Fragment = ReturnType<Sql>;

/** @param page a query of deliveries of this operator. @returns them, newest first */
function readOwn(sql: Sql, operatorId: string, page: Fragment): Promise<Delivery[]> {
  return asOperator<Delivery[]>(
    sql,
    operatorId,
    sql`
      select d.delivery_id, d.endpoint_id, d.event_id, d.type, told.order_id, d.status, ${isoText(sql, sql`d.created_at`)} as created_at,
        coalesce((
          select json_agg(json_build_object('at', ${isoText(sql, sql`a.started_at`)}, 'status', a.http_status, 'ms', a.duration_ms,
            'error', a.error) order by a.attempt, a.started_at)
          from webhook_attempts a where a.operator_id = ${operatorId} and a.delivery_id = d.delivery_id
            and a.started_at >= d.created_at - interval '1 hour'), '[]') as attempts
      from (${page}) d
        left join lateral (select stored.order_id from journal stored
          where stored.operator_id = ${operatorId} and stored.sequence = d.sequence and stored.recorded_at = d.recorded_at) told on true
      order by d.delivery_id desc`,
  );
}
