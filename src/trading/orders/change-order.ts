/**
 * Changes an order that was not sent: withdraws it for the operator or the service, confirms its reserve, or arms it. An order that may
 * have been sent is refused. A withdrawal releases exactly the authorization (contract 10.15).
 */
import { refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { PlanRefusal } from '../../money/live-plan.ts';
import { formatMinor } from '../../money/usd.ts';
import type { Cancellation } from '../../wire/order.ts';
import { orderWithdrawn, reserveConfirmed } from './journal-rows.ts';
import { OPERATOR_REQUEST, type OrderCommand, type OrderRow } from './order.ts';
import {
  AGAIN,
  type ApplyTransition,
  awaitDurable,
  decideAgain,
  readOrderForUpdate,
  type TransmissionRefusal,
} from './orders.ts';

/** The operator's own cancel, a reason not to send, or a term that the venue's book no longer offers. */
export type WithdrawReason = typeof OPERATOR_REQUEST | TransmissionRefusal | PlanRefusal['code'] | 'line_not_available';

/** The transition that withdraws an order. @throws Error if the order may have been sent */
export function withdrawal(
  order: OrderRow,
  mode: Mode,
  reason: WithdrawReason,
  cancellationId = newId('cnl'),
): OrderCommand {
  if (order.transmissionState !== 'not_transmitted') {
    throw new Error(`order ${order.orderId} is not withdrawn: its transmission is ${order.transmissionState}`);
  }
  return {
    ...order,
    status: 'cancelled',
    venueFeeKnown: true,
    cancellationId,
    cancelReason: reason,
    holdQuantityMicros: order.action === 'sell' ? -order.quotedQuantityMicros : 0n,
    journal: orderWithdrawn(order, mode, cancellationId, reason),
  };
}

/**
 * Cancels an order for the operator. A repeated cancel returns the same cancellation.
 * @throws unknown_order; order_not_cancellable with the transmissionState if something may have been sent
 */
export async function cancelOrder(
  ports: { readonly sql: Sql; readonly transition: ApplyTransition },
  operator: { readonly operatorId: string; readonly mode: Mode },
  orderId: string,
): Promise<Cancellation> {
  // If the response to a transition is lost, this call may have written it, and then its cancellation is not a replay.
  const tried = new Set<string>();
  return decideAgain('internal_error', async () => {
    const order = await readOrderForUpdate(ports.sql, operator.operatorId, orderId);
    if (order === undefined) {
      throw refuse('unknown_order');
    }
    if (order.cancellationId !== null) {
      await awaitDurable(ports.sql, operator.operatorId, orderId);
      return cancellation(order, order.cancellationId, !tried.has(order.cancellationId));
    }
    if (order.transmissionState !== 'not_transmitted') {
      throw refuse('order_not_cancellable', whyNotCancellable(order), { transmissionState: order.transmissionState });
    }
    const cancellationId = newId('cnl');
    tried.add(cancellationId);
    const verdict = await ports.transition(withdrawal(order, operator.mode, OPERATOR_REQUEST, cancellationId));
    if (verdict.code !== null) {
      return AGAIN;
    }
    return cancellation(order, cancellationId, false);
  });
}

function whyNotCancellable({ status, transmissionState }: OrderRow): string {
  if (transmissionState === 'unknown') {
    return 'The order was sent to a venue and may still fill: hold the authorization and poll it.';
  }
  return status === 'cancelled' || status === 'rejected'
    ? `The order is ${status} already and nothing of it is held.`
    : `The order is final: it is ${status.replace('_', ' ')}.`;
}

function cancellation(order: OrderRow, cancellationId: string, replay: boolean): Cancellation {
  return {
    cancellationId,
    currency: 'USD',
    authorizationAmount: formatMinor(order.authorizationMinor),
    actualDebit: '0.00',
    releaseAmount: formatMinor(order.authorizationMinor),
    ...(replay ? { idempotentReplay: true } : {}),
  };
}

/**
 * Confirms the operator's reserve, so that the order may be sent (contract 10.13). An order that was confirmed before is returned
 * unchanged, and one that this call confirmed is returned as it is by then, even if the worker has withdrawn it.
 * @param reserveReference up to 200 characters, or null
 * @throws unknown_order, order_cancelled, not_an_intent, insufficient_collateral
 */
export async function confirmReserve(
  ports: { readonly sql: Sql; readonly transition: ApplyTransition },
  operator: { readonly operatorId: string; readonly mode: Mode },
  orderId: string,
  reserveReference: string | null,
): Promise<OrderRow> {
  let confirmed = false;
  return decideAgain('internal_error', async () => {
    const order = await readOrderForUpdate(ports.sql, operator.operatorId, orderId);
    if (order === undefined) {
      throw refuse('unknown_order');
    }
    if (confirmed) {
      return order;
    }
    if (order.intent !== 'record_intent') {
      throw refuse('not_an_intent');
    }
    if (order.status === 'cancelled' && order.cancellationId !== null) {
      throw refuse('order_cancelled');
    }
    if (order.status !== 'reserve_pending') {
      await awaitDurable(ports.sql, operator.operatorId, orderId);
      return order;
    }
    const verdict = await ports.transition(confirmation(order, operator.mode, reserveReference));
    if (verdict.code === 'insufficient_collateral') {
      throw refuse('insufficient_collateral', undefined, { orderId });
    }
    confirmed = verdict.code === null;
    return AGAIN; // reads the order as it is now
  });
}

function confirmation(order: OrderRow, mode: Mode, reserveReference: string | null): OrderCommand {
  const confirmed: OrderRow = {
    ...order,
    status: 'pending_venue_execution',
    reserveReference: reserveReference ?? order.reserveReference,
  };
  const commitsMinor = mode === 'live' && order.action === 'buy' ? order.authorizationMinor : 0n;
  return {
    ...confirmed,
    collateralMinor: commitsMinor,
    journal: reserveConfirmed(confirmed, order.status, mode, commitsMinor, reserveReference),
  };
}

/**
 * Arms one order of an account whose arming is manual, and wakes the worker that sends it.
 * @returns whether the order was waiting to be armed
 */
export async function armOrder(sql: Sql, order: Pick<OrderRow, 'operatorId' | 'orderId'>): Promise<boolean> {
  const rows = await sql`
    update orders set armed = true, version = version + 1, updated_at = now()
    where operator_id = ${order.operatorId} and order_id = ${order.orderId} and not armed
      and status in ('reserve_pending', 'pending_venue_execution') returning order_id`;
  await sql`select pg_notify('transmit', '')`;
  return rows.length > 0;
}
