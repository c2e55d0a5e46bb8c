/** Writes transitions of recorded orders: the batched money statement, and the read that a transition is decided on. */
import type { Sql } from '../../db/client.ts';
import { createCommandQueue } from './command-queue.ts';
import type { OrderRow } from './order.ts';
import { ORDER_TRANSITION, type OrderTransition, type TransitionHead } from './order-transition.ts';

/** An order with what a transition is decided on. */
export interface OrderForUpdate extends OrderRow {
  readonly version: bigint;
  readonly slippageMicros: bigint;
  readonly venue: string;
  readonly armed: boolean;
  readonly exitedFills: number;
}

/** Why an order may never be sent: it is withdrawn with this code. `transmission_refusal` in SQL answers with it. */
const TRANSMISSION_REFUSALS = [
  'operator_suspended',
  'user_suspended',
  'market_not_open',
  'market_unavailable',
  'trading_paused',
  'over_order_limit',
  'over_tenant_exposure',
  'venue_unavailable',
] as const;
export type TransmissionRefusal = (typeof TRANSMISSION_REFUSALS)[number];

/** Why a transition was not written. `waits` is a closed gate; `order_moved` and `position_changed` ask for a new decision. */
export type TransitionCode =
  | TransmissionRefusal
  | 'waits'
  | 'order_moved'
  | 'position_changed'
  | 'unknown_order'
  | 'insufficient_collateral';

export interface TransitionVerdict {
  /** Null if the transition was written. */
  readonly code: TransitionCode | null;
  readonly movedAt: Date;
}

export function isTransmissionRefusal(code: TransitionCode): code is TransmissionRefusal {
  return TRANSMISSION_REFUSALS.some((refusal) => refusal === code);
}

export type ApplyTransition = (transition: OrderTransition) => Promise<TransitionVerdict>;

export function createTransitions(sql: Sql): ApplyTransition {
  return createCommandQueue(
    ORDER_TRANSITION,
    ({ rows, journal, commands }) => sql<TransitionVerdict[]>`select code, moved_at 
      from move_orders(${rows}::text::json, ${journal}::text::json, ${[...commands]}::integer[]) order by number`,
  );
}

export function transitionOf(order: OrderForUpdate): TransitionHead {
  return {
    operatorId: order.operatorId,
    externalUserId: order.externalUserId,
    orderId: order.orderId,
    expectedVersion: order.version,
  };
}

export async function readOrderForUpdate(
  sql: Sql,
  operatorId: string,
  orderId: string,
): Promise<OrderForUpdate | undefined> {
  const [row] = await sql<OrderForUpdate[]>`
    select * from orders where operator_id = ${operatorId} and order_id = ${orderId}`;
  return row;
}

/**
 * Waits until everything read of the order is replicated synchronously, so that its replay survives a fail-over. A read alone
 * does not wait: after a crash a primary shows commits that no standby has yet. The weakest row lock writes to the log, so the
 * commit of this statement waits for all earlier ones; it blocks neither transitions nor other readers.
 */
export async function awaitDurable(sql: Sql, operatorId: string, orderId: string): Promise<void> {
  await sql`select from orders where operator_id = ${operatorId} and order_id = ${orderId} for key share`;
}
