/** Writes transitions of recorded orders: the batched money statement, and the read that a transition is decided on. */
import type { Sql } from '../../db/client.ts';
import { createCommandQueue } from './command-queue.ts';
import type { OrderRow } from './order.ts';
import type { OrderCommand } from './order-command.ts';

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

/** The order as the transition leaves it, with the `version` that it was decided on. */
export type ApplyTransition = (transition: OrderCommand) => Promise<TransitionVerdict>;

export function createTransitions(sql: Sql): ApplyTransition {
  return createCommandQueue(
    sql,
    (parameters) => sql<TransitionVerdict[]>`select code, moved_at from move_orders(${parameters}) order by number`,
  );
}

export async function readOrderForUpdate(sql: Sql, operatorId: string, orderId: string): Promise<OrderRow | undefined> {
  const [row] = await sql<OrderRow[]>`
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
