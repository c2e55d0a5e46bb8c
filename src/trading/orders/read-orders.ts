/**
 * Reads orders: the one that a reference names, or those near it, over all operators (for support staff); the pages of one operator;
 * and an order as it reads on the wire.
 */
import { decodeId, encodeCursor } from '../../core/cursor.ts';
import { readExecutionRef, readReferenceBeginning, referencesNear } from '../../core/ids.ts';
import { readMomentOrOther } from '../../core/moment.ts';
import type { Mode, Side } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { RecordedFill } from '../../ledger/fills.ts';
import { orderExitMoneyBlock, orderMoneyBlock, settlementState } from '../../money/blocks.ts';
import { jsonNumber, MICRO_SCALE, MINOR_SCALE } from '../../money/decimal.ts';
import { averagePrice } from '../../money/exit.ts';
import type { Fill, OrderDetail, OrderPage, Intent as WireIntent } from '../../wire/order.ts';
import { cancelReasonOf, type OrderRow } from './order.ts';
import { findOrder, findOrderByKey, listOrders } from './orders.ts';

export interface ReferencedOrder extends OrderRow {
  readonly slug: string;
  readonly mode: Mode;
}

/** Bounds of a search. */
export interface OrdersWithin {
  /** Slug or id. */
  readonly operator?: string | undefined;
  readonly externalUserId?: string | undefined;
  /** Earliest time of creation. */
  readonly since?: Date | undefined;
}

const MAX_FOUND = 20;
const MIN_LETTERS_OF_ID = 6;
const MAX_NEAR = 5;
/** `inl_Best_` and as many characters as two references seldom share. */
const SAME_BEGINNING = 14;

/**
 * Finds orders whose executionRef, id or clientOrderId is the reference. If there are none, it finds those whose reference was written
 * with other signs, was abbreviated, or only begins like this.
 */
export async function findOrders(sql: Sql, reference: string, within: OrdersWithin = {}): Promise<ReferencedOrder[]> {
  const exact = await findWhere(
    sql,
    within,
    sql`(r.execution_ref = ${readExecutionRef(reference)} or r.order_id = ${reference} or r.client_order_id = ${reference})`,
  );
  if (exact.length > 0) {
    return exact;
  }
  const [head = '', tail = ''] = reference.trim().split(/…|\.\.\./);
  if (/^ord_./.test(head) && head.length + tail.length >= MIN_LETTERS_OF_ID) {
    return findWhere(
      sql,
      within,
      sql`starts_with(r.order_id, ${head}) and right(r.order_id, ${tail.length}) = ${tail}`,
    );
  }
  const beginning = readReferenceBeginning(reference);
  return beginning === undefined ? [] : findWhere(sql, within, sql`r.execution_ref like ${`${beginning}%`}`);
}

/**
 * For a reference that is not found: orders whose reference differs by one slip or begins in the same way. If there are none and a
 * customer is named, it returns the newest orders of the customer.
 */
export async function findNearOrders(sql: Sql, reference: string, within: OrdersWithin): Promise<ReferencedOrder[]> {
  const beginning = readReferenceBeginning(reference)?.slice(0, SAME_BEGINNING);
  const near = await findWhere(sql, within, sql`r.execution_ref = any (${referencesNear(reference)}::text[])`);
  if (near.length === 0 && beginning !== undefined) {
    near.push(...(await findWhere(sql, within, sql`r.execution_ref like ${`${beginning}%`}`)));
  }
  if (near.length === 0 && within.externalUserId !== undefined) {
    near.push(...(await findWhere(sql, within, sql`true`)));
  }
  return near.slice(0, MAX_NEAR);
}

function findWhere(
  sql: Sql,
  { operator, externalUserId, since }: OrdersWithin,
  condition: ReturnType<Sql>,
): Promise<ReferencedOrder[]> {
  return sql<ReferencedOrder[]>`
    select r.*, o.slug, o.mode from orders r join operators o using (operator_id)
    where ${condition}
      ${operator === undefined ? sql`` : sql`and (o.slug = ${operator} or o.operator_id = ${operator})`}
      ${externalUserId === undefined ? sql`` : sql`and r.external_user_id = ${externalUserId}`}
      ${since === undefined ? sql`` : sql`and r.created_at >= ${since}`}
    order by r.order_id desc limit ${MAX_FOUND}`;
}

const ORDER_ID = /^ord_/;

/**
 * The order of an operator that its partner names.
 * @param reference its id, its executionRef in upper or lower case, or, with the customer, the operator's own id of it
 * @param externalUserId the order is of this customer, if one is named
 */
export async function findOrderByReference(
  sql: Sql,
  operatorId: string,
  reference: string,
  externalUserId: string | undefined,
): Promise<OrderRow | undefined> {
  const found = ORDER_ID.test(reference)
    ? await findOrder(sql, operatorId, reference)
    : (await listOrders(sql, operatorId, { executionRef: readExecutionRef(reference), limit: 1 }))[0];
  if (externalUserId === undefined || found?.externalUserId === externalUserId) {
    return found;
  }
  return findOrderByKey(sql, operatorId, externalUserId, reference);
}

/** The newest orders over all operators, newest first. Ids rise with time. */
export function listNewest(sql: Sql, most: number): Promise<ReferencedOrder[]> {
  return sql`
    select r.*, o.slug, o.mode from operator_ledgers l join operators o using (operator_id) cross join lateral (
      select * from orders where operator_id = l.operator_id order by order_id desc limit ${most}) r
    order by r.order_id desc limit ${most}`;
}

/** An order whose outcome at the venue is unknown, with the state of its attempt. */
export interface StuckOrder extends ReferencedOrder {
  readonly attempt: string | null;
  readonly sentAt: Date | null;
  readonly lookups: number | null;
}

/** Orders whose outcome at the venue is unknown, oldest first. */
export function listStuck(sql: Sql): Promise<StuckOrder[]> {
  return sql`
    select r.*, o.slug, o.mode, t.state as attempt, t.sent_at, t.lookups
    from orders r join operators o using (operator_id) left join transmissions t on t.operator_id = r.operator_id and t.order_id = r.order_id
    where r.transmission_state = 'unknown' and r.status in ('submitted', 'partially_filled')
    order by r.order_id`;
}

export interface OrderPageRequest {
  readonly externalUserId?: string | undefined;
  readonly clientOrderId?: string | undefined;
  readonly executionRef?: string | undefined;
  readonly contractId?: string | undefined;
  readonly side?: Side | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  /** A bound that is not a date-time is ignored. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @throws invalid_date; invalid_cursor if the cursor is malformed, or belongs to another operator or another listing */
export async function pageOrders(sql: Sql, operatorId: string, request: OrderPageRequest): Promise<OrderPage> {
  const { externalUserId, clientOrderId } = request;
  const since = readBound('since', request.since);
  const until = readBound('until', request.until);
  if (clientOrderId !== undefined && externalUserId !== undefined) {
    const found = await findOrderByKey(sql, operatorId, externalUserId, clientOrderId);
    const orders = found === undefined ? [] : [renderOrder(found, { intent: true })];
    return { orders, count: orders.length, nextCursor: null, hasMore: false };
  }
  const purpose = `orders:${operatorId}`;
  const rows = await listOrders(sql, operatorId, {
    externalUserId,
    status: request.status,
    contractId: request.contractId,
    side: request.side,
    executionRef: request.executionRef === undefined ? undefined : readExecutionRef(request.executionRef),
    since,
    until,
    before: request.cursor === undefined ? undefined : decodeId(purpose, request.cursor, 'ord'),
    limit: request.limit,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rows.length > request.limit;
  return {
    orders: page.map((row) => renderOrder(row)),
    count: page.length,
    nextCursor: hasMore && last !== undefined ? encodeCursor(purpose, [last.orderId]) : null,
    hasMore,
  };
}

/**
 * Text that is not a date sets no bound (contract 11.13).
 * @throws invalid_date
 */
function readBound(name: string, text: string | undefined): Date | undefined {
  return text === undefined ? undefined : readMomentOrOther(name, text);
}

/** An order as it reads on the wire (contract chapter 11), with its intent and its fills if they are wanted. */
export function renderOrder(
  order: OrderRow,
  options: { replay?: boolean; intent?: boolean; fills?: readonly RecordedFill[] } = {},
): OrderDetail {
  const filled = order.filledQuantityMicros > 0n;
  return {
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    externalUserId: order.externalUserId,
    executionRef: order.executionRef,
    status: order.status,
    contractId: order.contractId,
    side: order.side,
    action: order.action,
    filledQuantity: jsonNumber(order.filledQuantityMicros, MICRO_SCALE),
    averagePrice: filled
      ? jsonNumber(averagePrice(BigInt(order.priceWeight), order.filledQuantityMicros), MICRO_SCALE)
      : null,
    platformFee: jsonNumber(order.quotedFeeMinor, MINOR_SCALE),
    platformFeeBps: order.feeBps,
    notional: jsonNumber(order.tradeMinor, MINOR_SCALE),
    stake: order.action === 'buy' ? jsonNumber(order.authorizationMinor, MINOR_SCALE) : null,
    rejectReason: order.rejectReason,
    cancelReason: cancelReasonOf(order),
    simulated: order.simulated,
    createdAt: order.createdAt.toISOString(),
    idempotentReplay: options.replay ?? false,
    routing: { reason: order.routingReason, consideredVenues: order.consideredVenues },
    settlementState: settlementState(order),
    transmissionState: order.transmissionState,
    operatorMoney: orderMoneyBlock(order),
    operatorExitMoney: orderExitMoneyBlock(order),
    ...(options.intent ? { intent: renderIntent(order) } : {}),
    ...(options.fills ? { fills: options.fills.map(renderFill) } : {}),
  };
}

/** Every key is present and null until it applies (contract 11.9). */
function renderIntent(order: OrderRow): WireIntent {
  const withdrawn = order.cancellationId !== null;
  return {
    recordedAt: order.createdAt.toISOString(),
    reserveConfirmedAt: order.reserveConfirmedAt?.toISOString() ?? null,
    reserveReference: order.reserveReference,
    cancellationId: order.cancellationId,
    releaseAmount: withdrawn ? (orderMoneyBlock(order)?.releaseAmount ?? '0.00') : null,
    cancelledAt: order.cancelledAt?.toISOString() ?? null,
    reason: cancelReasonOf(order),
  };
}

function renderFill(fill: RecordedFill): Fill {
  return {
    fillId: fill.fillId,
    quantity: jsonNumber(fill.quantityMicros, MICRO_SCALE),
    price: jsonNumber(fill.priceMicros, MICRO_SCALE),
    filledAt: fill.filledAt.toISOString(),
  };
}
