/**
 * What a venue's report is validated against: the order, its attempt and the fills recorded so far. Who began the attempt knows
 * all of it. Reads of others that arrive while another is running go together. The statement verifies the transition that is
 * decided on either.
 */
import { createBatcher } from '../../core/batcher.ts';
import { callByOperator, operatorOf } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import type { OrderRow } from '../orders/order.ts';
import type { Attempt, SentAttempt } from './transmissions.ts';
import type { RecordedFill } from './validate-report.ts';

export interface OrderKey {
  readonly operatorId: string;
  readonly orderId: string;
}

export interface ExecutionContext {
  readonly order: OrderRow | undefined;
  readonly attempt: SentAttempt | undefined;
  /** The venue has already said that it has the order. */
  readonly acknowledged: boolean;
  /** In the order of their numbers. */
  readonly recorded: readonly RecordedFill[];
}

export type ReadExecutionContext = (key: OrderKey) => Promise<ExecutionContext>;

type FillOfOrder = RecordedFill & { readonly orderId: string };
type AttemptOfOrder = SentAttempt & Pick<Attempt, 'orderId' | 'state'>;

/** The order as its transition to `submitted` left it; whatever has changed it since has raised its version. */
export function begunContext(order: OrderRow, attempt: SentAttempt): ExecutionContext {
  const begun = { ...order, status: 'submitted', transmissionState: 'unknown', version: order.version + 1n } as const;
  return { order: begun, attempt, acknowledged: false, recorded: [] };
}

/** More than an order can have: each is at least a step of the venue's quantity. */
const MOST_FILLS = 100_000;
const MAX_BATCH = 128;
const CONCURRENCY = 2;

export function createExecutionContextReader(sql: Sql): ReadExecutionContext {
  return createBatcher<OrderKey, ExecutionContext>(
    (all) =>
      callByOperator(sql, all, async (operatorId, keys) => {
        const operatorIds = keys.map(({ operatorId }) => operatorId);
        const orderIds = keys.map(({ orderId }) => orderId);
        // Laterals with a limit: a plan made while the table was small would otherwise keep reading all of it.
        const orders = await sql<OrderRow[]>`
        select r.* from unnest(${operatorIds}::text[], ${orderIds}::text[]) as x(operator_id, order_id) cross join lateral (
          select * from orders r where r.operator_id = ${operatorOf(sql, operatorId)} and r.order_id = x.order_id
          order by r.operator_id, r.order_id limit 1) r`;
        // Read after the order: fills newer than the order are refused by its version, but missing ones would be booked twice.
        const [attempts, fills] = await Promise.all([
          sql<AttemptOfOrder[]>`
          select t.* from unnest(${operatorIds}::text[], ${orderIds}::text[]) as x(operator_id, order_id) cross join lateral (
            select * from transmissions t where t.operator_id = ${operatorOf(sql, operatorId)} and t.order_id = x.order_id
            order by t.operator_id, t.order_id limit 1) t`,
          sql<FillOfOrder[]>`
          select f.* from (select distinct * from unnest(${operatorIds}::text[], ${orderIds}::text[])) as x(operator_id, order_id)
            cross join lateral (
              select f.order_id, f.fill_id, f.quantity, f.price_micros, f.fee_micros, f.venue_fill_id from fills f
              where f.operator_id = ${operatorOf(sql, operatorId)} and f.order_id = x.order_id order by f.fill_no limit ${MOST_FILLS}) f`,
        ]);
        const orderOf = new Map(orders.map((order) => [order.orderId, order]));
        const attemptOf = new Map(attempts.map((attempt) => [attempt.orderId, attempt]));
        const fillsOf = Map.groupBy(fills, (fill) => fill.orderId);
        return orderIds.map((orderId) => ({
          order: orderOf.get(orderId),
          attempt: attemptOf.get(orderId),
          acknowledged: ['working', 'reading_fee'].includes(attemptOf.get(orderId)?.state ?? ''),
          recorded: fillsOf.get(orderId) ?? [],
        }));
      }),
    { name: 'read for executions', maxBatch: MAX_BATCH, concurrency: CONCURRENCY, retryAlone: true },
  );
}
