/** Confirms the operator's reserve, so that the order may be sent (contract 10.13). */

import { refuse } from '../../core/errors.ts';
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import { reserveConfirmed } from '../records/order-rows.ts';
import type { OrderRow } from './order.ts';
import type { OrderCommand } from './order-command.ts';
import { type ApplyTransition, awaitDurable, readOrderForUpdate } from './transition-orders.ts';

const DECISIONS = 8;

/**
 * Idempotent: an order that was confirmed before is returned unchanged.
 * @param reserveReference up to 200 characters, or null.
 * @throws unknown_order, order_cancelled, not_an_intent, insufficient_collateral.
 */
export async function confirmReserve(
  ports: { readonly sql: Sql; readonly transition: ApplyTransition },
  operator: { readonly operatorId: string; readonly mode: Mode },
  orderId: string,
  reserveReference: string | null,
): Promise<OrderRow> {
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    const order = await readOrderForUpdate(ports.sql, operator.operatorId, orderId);
    if (order === undefined) {
      throw refuse('unknown_order');
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
  }
  throw refuse('internal_error');
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
