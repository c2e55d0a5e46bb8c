/** Records what a person learned from the venue about an unknown order, with the evidence for it. */
import { refuse } from '../../core/errors.ts';
import type { ReferencedOrder } from '../orders/find-orders.ts';
import { findOrder } from '../orders/orders.ts';
import { type RecordPorts, recordExecution } from './record-execution.ts';
import type { Learned } from './resolution-by-person.ts';
import { findAttempt } from './transmissions.ts';

/**
 * @throws order_not_unknown if it was never sent or its outcome is known; contradicts_fills if the fills recorded say
 * otherwise; order_still_unknown if it could not be recorded. Nothing is recorded by the first two.
 */
export async function resolveByPerson(
  ports: RecordPorts,
  order: ReferencedOrder,
  learned: Learned,
  evidence: string,
): Promise<void> {
  const { operatorId, orderId } = order;
  const attempt = await findAttempt(ports.sql, operatorId, orderId);
  if (attempt === undefined || order.transmissionState !== 'unknown') {
    throw refuse('order_not_unknown');
  }
  await recordExecution(ports, operatorId, orderId, order.mode, { from: 'person', learned, evidence });
  const now = await findOrder(ports.sql, operatorId, orderId);
  if (now?.transmissionState !== 'resolved') {
    throw refuse('order_still_unknown');
  }
}
