/**
 * Takes over an order that a venue has and the books never sent: what a restored database repeats, or lost the sending of. It
 * is recorded as begun, as the venue has it, and then as the venue told it. Nothing is sent.
 */
import type { VenueOrder } from '../../venues/order.ts';
import type { PlannedOrder } from '../execution/plan-attempt.ts';
import { type RecordPorts, recordExecution } from '../execution/record-execution.ts';
import { beginning } from '../execution/transmit-order.ts';
import { readOrderForUpdate } from '../orders/transition-orders.ts';
import type { KnownOrder } from './compared-orders.ts';

/** The venue kept to whatever limit was sent, which was lost with the attempt. */
const ANY_PRICE = { BUY: 999_999n, SELL: 1n };

/** @returns whether the order waited to be sent; one that was withdrawn meanwhile cannot be taken over. */
export async function adoptOrder(
  ports: RecordPorts,
  { operator_id, order_id, mode }: KnownOrder,
  venue: string,
  told: VenueOrder,
): Promise<boolean> {
  const order = await readOrderForUpdate(ports.sql, operator_id, order_id);
  const fits = order?.venue === venue && order.side === told.side && order.action === told.action.toLowerCase();
  if (order === undefined || !fits || order.status !== 'pending_venue_execution' || order.simulated) {
    return false;
  }
  const planned: PlannedOrder = {
    ourId: told.ourId,
    listingId: told.listingId,
    side: told.side,
    action: told.action,
    quantityMicros: told.quantityMicros,
    limitPriceMicros: ANY_PRICE[told.action],
  };
  const { code } = await ports.transition(beginning(order, planned, true));
  if (code === null) {
    await recordExecution(ports, operator_id, order_id, mode, { from: 'venue', order: told });
  }
  return code === null;
}
