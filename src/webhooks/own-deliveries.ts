/** Deliveries as their operator reads them and sends them again: of its own events alone, without responses and secrets. */
import { decodeId, encodeCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { Delivery, DeliveryPage } from '../wire/webhook.ts';
import { deliveriesOfEvents, isoText } from './deliveries.ts';

export interface DeliveriesRequest {
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly orderId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Deliveries that are read for one page. Those that the filters leave out may be most of them. */
const MOST_READ = 2_000;

/**
 * Newest first. A page may have fewer deliveries than its limit although more follow.
 * @param sql also a pool of the tenants' role
 * @throws invalid_cursor
 */
export async function pageDeliveries(
  sql: Sql,
  operatorId: string,
  { cursor, limit, ...filter }: DeliveriesRequest,
): Promise<DeliveryPage> {
  const purpose = `webhook-deliveries:${operatorId}`;
  const before = cursor === undefined ? undefined : decodeId(purpose, cursor, 'dlv');
  const next = (most: number) => sql`
    select w.* from (${candidatesOf(sql, operatorId, filter)}) w
    ${before === undefined ? sql`` : sql`where w.delivery_id < ${before}`} order by w.delivery_id desc limit ${most}`;
  const found = await readIds(
    sql,
    operatorId,
    sql`select w.delivery_id from (${next(MOST_READ)}) w where ${wantedBy(sql, operatorId, filter)} order by w.delivery_id desc limit ${limit + 1}`,
  );
  const page = found.slice(0, limit);
  // if the page is not full, it ends where reading ended
  const [last] =
    found.length > limit
      ? page.slice(-1)
      : await readIds(sql, operatorId, sql`select w.delivery_id from (${next(MOST_READ)}) w offset ${MOST_READ - 1}`);
  return {
    deliveries: await readDeliveries(sql, operatorId, page),
    nextCursor: last === undefined ? null : encodeCursor(purpose, [last]),
    hasMore: last !== undefined,
  };
}

async function readIds(sql: Sql, operatorId: string, query: Parameters<typeof asOperator>[2]): Promise<string[]> {
  const rows = await asOperator<{ deliveryId: string }[]>(sql, operatorId, query);
  return rows.map(({ deliveryId }) => deliveryId);
}

type DeliveryFilter = Omit<DeliveriesRequest, 'limit' | 'cursor'>;

/** The deliveries of an event or of an order, found by their ids, or all of the operator. */
function candidatesOf(sql: Sql, operatorId: string, { eventId, orderId }: DeliveryFilter): Fragment {
  if (eventId !== undefined) {
    return deliveriesOfEvents(sql, operatorId, [eventId]);
  }
  if (orderId === undefined) {
    return sql`select * from webhook_deliveries where operator_id = ${operatorId}`;
  }
  return sql`
    select sent.* from (
        select stem || '_' as first, stem || '\`' as beyond from journal told
          cross join lateral (select 'dlv_' || substr(item_id('evn', told.digits, told.order_id), 5) as stem) event
        where told.operator_id = ${operatorId} and told.order_id = ${orderId} offset 0) event
      cross join lateral (select * from webhook_deliveries d where d.operator_id = ${operatorId}
        and d.delivery_id >= event.first and d.delivery_id < event.beyond offset 0) sent`;
}

/** Whether a delivery `w` is one that was asked for. */
function wantedBy(sql: Sql, operatorId: string, { endpointId, orderId, eventId, status }: DeliveryFilter): Fragment {
  const isOfOrder = sql`exists (select from journal told where told.operator_id = ${operatorId} and told.sequence = w.sequence
    and told.recorded_at = w.recorded_at and told.order_id = ${orderId ?? null})`;
  return sql`true
    ${endpointId === undefined ? sql`` : sql`and w.endpoint_id = ${endpointId}`}
    ${status === undefined ? sql`` : sql`and w.status = any (${status}::text[])`}
    ${eventId === undefined || orderId === undefined ? sql`` : sql`and ${isOfOrder}`}`;
}

/**
 * Puts a delivery back to the start of the schedule, also one that is still retried: its next attempt is made now.
 * @param sql a pool of the service's own role
 * @returns the delivery as it was put back, with the attempts before the next one, which may be made already
 * @throws unknown_delivery, also for one of another operator; endpoint_disabled
 */
export async function resendDelivery(sql: Sql, operatorId: string, deliveryId: string): Promise<Delivery> {
  const [delivery] = await readDeliveries(sql, operatorId, [deliveryId]);
  if (delivery === undefined) {
    throw refuse('unknown_delivery');
  }
  const [row] = await sql<{ isActive: boolean | null }[]>`
    select resend_webhook_delivery(${operatorId}, ${deliveryId}) as is_active`;
  if (!row?.isActive) {
    throw refuse('endpoint_disabled');
  }
  return { ...delivery, status: 'pending' };
}

const readDeliveries = (sql: Sql, operatorId: string, deliveryIds: readonly string[]): Promise<Delivery[]> =>
  readOwn(
    sql,
    operatorId,
    sql`select * from webhook_deliveries w where w.operator_id = ${operatorId} and w.delivery_id = any (${deliveryIds}::text[])`,
  );

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
