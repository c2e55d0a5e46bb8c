/**
 * Withdraws an order of which nothing was sent: by the operator's cancel, or by the service on a breached cap, a pause, a
 * suspension or the end of its market. Releases exactly the authorization (contract 10.15).
 */

import { refuse } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { PlanRefusal } from '../../money/live-plan.ts';
import { formatMinor } from '../../money/usd.ts';
import type { RelayWaker } from '../../webhooks/relay.ts';
import type { Cancellation } from '../../wire/order.ts';
import { orderWithdrawn } from '../records/order-rows.ts';
import { OPERATOR_REQUEST, type OrderRow } from './order.ts';
import type { OrderCommand } from './order-command.ts';
import {
  type ApplyTransition,
  awaitDurable,
  readOrderForUpdate,
  type TransmissionRefusal,
} from './transition-orders.ts';

/** The operator's own cancel, a reason not to send, or what the venue's book no longer gives. */
export type WithdrawReason = typeof OPERATOR_REQUEST | TransmissionRefusal | PlanRefusal['code'] | 'line_not_available';

/** The transition that withdraws an order, for the operator and for the service. @throws where the order may have been sent. */
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
    countedStakeMinor: 0n,
    cancellationId,
    cancelReason: reason,
    holdQuantity: order.action === 'sell' ? -order.quotedQuantity : 0n,
    journal: orderWithdrawn(order, mode, cancellationId, reason),
  };
}

const DECISIONS = 8;

/**
 * The operator's cancel; the same again replays it.
 * @throws unknown_order; order_not_cancellable with the transmissionState where something may have been sent.
 */
export async function cancelOrder(
  ports: { readonly sql: Sql; readonly transition: ApplyTransition; readonly relay: RelayWaker },
  operator: { readonly operatorId: string; readonly mode: Mode },
  orderId: string,
): Promise<Cancellation> {
  // A transition whose answer was lost may have been written: what this call wrote is no replay.
  const tried = new Set<string>();
  for (let decision = 0; decision < DECISIONS; decision += 1) {
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
    if (verdict.code === null) {
      ports.relay.wake();
      return cancellation(order, cancellationId, false);
    }
  }
  throw refuse('internal_error');
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
