/**
 * Deliveries that are not acknowledged yet: the numbers of the metrics and the stuck deliveries of the reconciliation
 * report. Reads only.
 */
import type { Sql } from '../../db/client.ts';

export interface WebhookTotals {
  /** Deliveries that are not acknowledged yet, and events that the relay has not processed yet. */
  readonly queued: number;
  /** Deliveries acknowledged since the beginning. */
  readonly delivered: number;
  /** Attempts that failed since the beginning. */
  readonly failed: number;
  /** Deliveries that were given up and not replayed. */
  readonly exhausted: number;
  /** Age of the oldest outstanding one, in seconds; 0 if there is none. */
  readonly oldestAgeSeconds: number;
}

export async function measureWebhooks(sql: Sql): Promise<WebhookTotals> {
  const [row] = await sql<WebhookTotals[]>`
    select (w.waiting + d.pending)::float8 as queued, h.delivered::float8 as delivered, h.failed::float8 as failed,
      (select count(*) from webhook_deliveries where status = 'exhausted')::float8 as exhausted,
      greatest(coalesce(extract(epoch from now() - least(w.oldest, d.oldest)), 0), 0)::float8 as "oldestAgeSeconds"
    from (select count(*) as waiting, min(recorded_at) as oldest from waiting_events()) w,
      (select count(*) as pending, min(created_at) as oldest from webhook_deliveries where status = 'pending') d,
      (select coalesce(sum(delivered), 0) as delivered, coalesce(sum(failed), 0) as failed from webhook_health) h`;
  if (row === undefined) {
    throw new Error('an aggregate query returned no row');
  }
  return row;
}

/** Contract 22.15: check `webhook_stuck`, a warning after one hour. */
const STUCK_AFTER_MS = 3_600_000;

export interface StuckDeliveries {
  readonly operatorId: string;
  /** Null for events that wait for the relay. */
  readonly endpointId: string | null;
  readonly count: number;
  readonly oldestAt: string;
  /** The delivery id of the oldest one, or its event id if the relay has not processed it. */
  readonly oldestId: string;
}

/** Deliveries that were given up since a time and not replayed, one row for each endpoint that is not removed. */
export async function findExhaustedDeliveries(sql: Sql, operatorId: string, from: Date): Promise<StuckDeliveries[]> {
  return sql<StuckDeliveries[]>`
    select d.operator_id as "operatorId", d.endpoint_id as "endpointId", count(*)::float8 as count,
      to_char(min(d.finished_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "oldestAt", min(d.delivery_id) as "oldestId"
    from webhook_deliveries d join webhook_endpoints e on e.operator_id = d.operator_id and e.endpoint_id = d.endpoint_id
    where d.operator_id = ${operatorId} and d.status = 'exhausted' and d.finished_at >= ${from} and e.removed_at is null
    group by d.operator_id, d.endpoint_id order by d.endpoint_id`;
}

/**
 * One row for each endpoint with a delivery that has been outstanding for longer than `olderThanMs`, so that a dead
 * endpoint is one finding and not a million.
 */
export async function findStuckDeliveries(
  sql: Sql,
  operatorId: string | null,
  olderThanMs: number = STUCK_AFTER_MS,
): Promise<StuckDeliveries[]> {
  const age = `${olderThanMs} milliseconds`;
  const iso = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  return sql<StuckDeliveries[]>`
    select operator_id as "operatorId", endpoint_id as "endpointId", count(*)::float8 as count,
      to_char(min(created_at) at time zone 'UTC', ${iso}) as "oldestAt", min(subject_id) as "oldestId"
    from (
      select operator_id, endpoint_id, created_at, delivery_id as subject_id from webhook_deliveries
      where status = 'pending' and created_at < now() - ${age}::interval
      union all
      select operator_id, null, recorded_at, event_id from waiting_events()
      where recorded_at < now() - ${age}::interval
    ) owed
    where ${operatorId}::text is null or operator_id = ${operatorId}
    group by operator_id, endpoint_id order by operator_id, endpoint_id`;
}
