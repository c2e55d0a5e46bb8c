/**
 * Store of deliveries and of their attempts: workers claim and record them here, and support lists, measures, replays and expires them. It
 * decides neither when to retry nor the meaning of a response.
 */
import { refuse } from '../core/errors.ts';
import { operatorOf, readByOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { type RowPlace, readRowsAt } from '../ledger/journal.ts';
import { eventOf, type JournalEvent } from '../ledger/render/events.ts';
import type { DeliveryStatus } from '../wire/webhook.ts';

export interface ClaimedDelivery {
  readonly operatorId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  /** Attempts made so far in this retry window. */
  readonly windowAttempts: number;
  /** Time since the first attempt of the window, 0 before it. */
  readonly windowElapsedMs: number;
  readonly eventId: string;
  readonly type: string;
  readonly dedupeKey: string;
  /** JSON text, the same in every attempt: rendered from a row that never changes. */
  readonly data: string;
  readonly url: string;
  readonly host: string;
  readonly secretSealed: string;
}

export interface Claim {
  readonly operatorId: string;
  readonly endpointId: string;
  readonly limit: number;
}

/**
 * Leases due deliveries of several endpoints in one statement.
 * @returns the deliveries for each claim, in order
 */
export async function claimDeliveries(
  sql: Sql,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<ClaimedDelivery[][]> {
  const claimed = await readByOperator(
    sql,
    claims,
    (operatorId, some) => sql<(Omit<ClaimedDelivery, 'dedupeKey' | 'data'> & RowPlace)[]>`
      select operator_id, endpoint_id, delivery_id, window_attempts, window_elapsed_ms, event_id, sequence, recorded_at, type, url, host,
        secret_sealed
      from claim_webhook_deliveries(${operatorId}, ${some.map((claim) => claim.operatorId)}::text[],
        ${some.map((claim) => claim.endpointId)}::text[], ${some.map((claim) => claim.limit)}::int[], ${`${leaseMs} milliseconds`}::interval)`,
  );
  const eventAt = await readEvents(sql, claimed);
  const rows = claimed.map((delivery): ClaimedDelivery => {
    const { dedupeKey, data } = eventAt(delivery);
    return { ...delivery, dedupeKey, data: JSON.stringify(data) };
  });
  const byEndpoint = Map.groupBy(rows, (row) => row.endpointId);
  return claims.map((claim) => {
    const found = byEndpoint.get(claim.endpointId) ?? [];
    byEndpoint.delete(claim.endpointId);
    return found;
  });
}

/** Ends the lease of deliveries that were claimed but not attempted. */
export async function releaseDeliveries(sql: Sql, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  await readByOperator(
    sql,
    deliveries,
    (operatorId, some) => sql`
      update webhook_deliveries d set next_attempt_at = now()
      from unnest(${some.map((delivery) => delivery.operatorId)}::text[], ${some.map((delivery) => delivery.deliveryId)}::text[])
        as x (operator_id, delivery_id)
      where d.operator_id = ${operatorOf(sql, operatorId)} and d.delivery_id = x.delivery_id and d.status = 'pending'`,
  );
}

export interface RecordedAttempt {
  readonly operatorId: string;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly response: string | null;
  readonly outcome: 'delivered' | 'retry' | 'exhausted' | 'gone';
  readonly retryMs: number | null;
}

export async function recordAttempts(sql: Sql, attempts: readonly RecordedAttempt[]): Promise<void> {
  await readByOperator(sql, attempts, (operatorId, some) => {
    const column = <K extends keyof RecordedAttempt>(name: K) => some.map((attempt) => attempt[name]);
    return sql`
      select record_webhook_attempts(${operatorId}, ${column('operatorId')}::text[], ${column('endpointId')}::text[],
        ${column('deliveryId')}::text[], ${some.map((attempt) => attempt.startedAt.toISOString())}::timestamptz[],
        ${column('durationMs')}::int[], ${column('httpStatus')}::int[], ${column('error')}::text[], ${column('response')}::text[],
        ${column('outcome')}::text[], ${column('retryMs')}::float8[])`;
  });
}

/** No delivery to the endpoint is attempted until the pause is over; then a job probes it. */
export async function pauseEndpoint(sql: Sql, operatorId: string, endpointId: string, pauseMs: number): Promise<void> {
  await sql`select pause_webhook_endpoint(${operatorId}, ${endpointId}, ${`${pauseMs} milliseconds`}::interval)`;
}

export interface LoggedAttempt {
  readonly attempt: number;
  readonly startedAt: string;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Null if the delivery was acknowledged. */
  readonly error: string | null;
  /** The first 1 KB of the response. */
  readonly response: string | null;
}

export interface Delivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly dedupeKey: string;
  readonly status: DeliveryStatus;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly LoggedAttempt[];
}

export interface DeliveryFilter {
  readonly operatorId?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly limit: number;
}

/** Newest first, each with the attempts that are still stored. */
export async function listDeliveries(sql: Sql, filter: DeliveryFilter): Promise<Delivery[]> {
  const newest = (operator: Fragment): Fragment => sql`
    select * from webhook_deliveries w where w.operator_id = ${operator}
      ${filter.endpointId === undefined ? sql`` : sql`and w.endpoint_id = ${filter.endpointId}`}
      ${filter.status === undefined ? sql`` : sql`and w.status = ${filter.status}`}
    order by w.delivery_id desc limit ${filter.limit}`;
  if (filter.operatorId !== undefined) {
    return readDeliveries(sql, newest(sql`${filter.operatorId}`), filter.operatorId);
  }
  const found = await sql<{ operatorId: string; deliveryId: string }[]>`
    select page.operator_id, page.delivery_id
    from operator_ledgers op cross join lateral (${newest(sql`op.operator_id`)}) page
    order by page.created_at desc, page.delivery_id desc limit ${filter.limit}`;
  const read = await Promise.all(
    [...Map.groupBy(found, ({ operatorId }) => operatorId)].map(([operatorId, own]) =>
      readDeliveries(
        sql,
        sql`
        select * from webhook_deliveries w
        where w.operator_id = ${operatorId} and w.delivery_id = any (${own.map(({ deliveryId }) => deliveryId)}::text[])`,
        operatorId,
      ),
    ),
  );
  const deliveries = new Map(read.flat().map((delivery) => [delivery.deliveryId, delivery]));
  return found.flatMap(({ deliveryId }) => deliveries.get(deliveryId) ?? []);
}

/** All deliveries of some events, newest first. */
export async function listDeliveriesOfEvents(
  sql: Sql,
  operatorId: string,
  eventIds: readonly string[],
): Promise<Delivery[]> {
  return readDeliveries(sql, deliveriesOfEvents(sql, operatorId, eventIds), operatorId);
}

type Fragment = ReturnType<Sql>;

/**
 * A query of the deliveries of some events. The id of a delivery starts with the id of its event, which is how they are found. Its bounds
 * are plain values, because under the tenants' policy an expression would keep them out of the index. The offset keeps the planner from
 * reading all deliveries in their order instead.
 */
export function deliveriesOfEvents(sql: Sql, operatorId: string, eventIds: readonly string[]): Fragment {
  const stems = eventIds.map((id) => `dlv_${id.slice(id.indexOf('_') + 1)}`);
  return sql`
    select w.* from unnest(${stems.map((stem) => `${stem}_`)}::text[], ${stems.map((stem) => `${stem}\``)}::text[]) as e (first, beyond)
      cross join lateral (select * from webhook_deliveries d where d.operator_id = ${operatorId}
        and d.delivery_id >= e.first and d.delivery_id < e.beyond offset 0) w`;
}

/** @param page a query of deliveries of this operator */
async function readDeliveries(sql: Sql, page: Fragment, operatorId: string): Promise<Delivery[]> {
  const rows = await sql<(Omit<Delivery, 'dedupeKey'> & Omit<RowPlace, 'operatorId'>)[]>`
    select d.sequence, d.recorded_at as "recordedAt", d.delivery_id as "deliveryId", d.endpoint_id as "endpointId", d.event_id as "eventId",
      d.type, d.status, ${isoText(sql, sql`d.created_at`)} as "createdAt",
      case when d.status = 'pending' then ${isoText(sql, sql`d.next_attempt_at`)} end as "nextAttemptAt",
      coalesce((
        select json_agg(json_build_object('attempt', a.attempt, 'startedAt', ${isoText(sql, sql`a.started_at`)}, 'status', a.http_status,
          'durationMs', a.duration_ms, 'error', a.error, 'response', a.response) order by a.attempt, a.started_at)
        from webhook_attempts a where a.operator_id = ${operatorId} and a.delivery_id = d.delivery_id
          and a.started_at >= d.created_at - interval '1 hour'), '[]') as attempts
    from (${page}) d
    order by d.created_at desc, d.delivery_id desc`;
  const eventAt = await readEvents(
    sql,
    rows.map(({ sequence, recordedAt }) => ({ operatorId, sequence, recordedAt })),
  );
  return rows.map(({ sequence, recordedAt, ...delivery }) => {
    const { deliveryId, endpointId, eventId, type, ...rest } = delivery;
    return {
      deliveryId,
      endpointId,
      eventId,
      type,
      dedupeKey: eventAt({ operatorId, sequence, recordedAt }).dedupeKey,
      ...rest,
    };
  });
}

/** @returns the event of the row at a place */
async function readEvents(sql: Sql, places: readonly RowPlace[]): Promise<(place: RowPlace) => JournalEvent> {
  const keyOf = ({ operatorId, sequence }: RowPlace) => `${operatorId} ${sequence}`;
  const rows = places.length === 0 ? [] : await readRowsAt(sql, places);
  const events = new Map(rows.map((row) => [keyOf(row), eventOf(row)]));
  return (place) => {
    const event = events.get(keyOf(place));
    if (!event) {
      throw new Error(`row ${place.sequence} of ${place.operatorId} raises no event`);
    }
    return event;
  };
}

/** A time as the wire has it. */
export function isoText(sql: Sql, time: Fragment): Fragment {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export interface WebhookTotals {
  /** Deliveries that are not acknowledged yet, and events that the relay has not processed yet. */
  readonly queued: number;
  /** Deliveries acknowledged since the beginning. */
  readonly delivered: number;
  /** Attempts that failed since the beginning. */
  readonly failed: number;
  /** Deliveries that were given up and not replayed. */
  readonly exhausted: number;
  /** Age of the oldest outstanding delivery or event, in seconds; 0 if there is none. */
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

/** Which finished deliveries start over. A receiver may have lost deliveries that it acknowledged. */
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

/** A worker that has not reported for this long is considered dead; its jobs are unlocked. */
const SILENCE = '12 seconds';

/**
 * Records that this worker is alive, unlocks the jobs of dead workers and makes jobs for endpoints that have something due
 * (sql/functions/webhooks/deliveries.sql).
 * @param poolId the pool under which the jobs of this worker are locked
 */
export async function recoverDeliveries(sql: Sql, poolId: string): Promise<void> {
  await sql`select recover_webhooks(${poolId}, ${SILENCE}::interval)`;
}

/**
 * Deletes old attempts and gives up deliveries that are past their three days
 * (sql/functions/webhooks/maintain.sql).
 */
export async function expireDeliveries(sql: Sql, keepDays: number): Promise<void> {
  await sql`select maintain_webhooks(${`${keepDays} days`}::interval)`;
}
