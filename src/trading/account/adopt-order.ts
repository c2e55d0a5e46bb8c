/**
 * Takes over an order that a venue has and our books did not send, because a restored database lost the transmission. The order
 * is recorded as begun, and then as the venue reports it. Nothing is sent.
 */
import type { VenueOrder } from '../../venues/order.ts';
import type { PlannedOrder } from '../execution/plan-attempt.ts';
import { type RecordPorts, recordExecution } from '../execution/record-execution.ts';
import { beginning } from '../execution/transmit-order.ts';
import { readOrderForUpdate } from '../orders/transition-orders.ts';
import type { KnownOrder } from './compared-orders.ts';

/** The limit that was sent was lost with the attempt; the venue has kept to it. */
const ANY_PRICE = { BUY: 999_999n, SELL: 1n };

/** @returns whether the order waited to be sent; one that was withdrawn meanwhile cannot be taken over. */
export async function adoptOrder(
  ports: RecordPorts,
  { operator_id, order_id, mode }: KnownOrder,
  venue: string,
  reported: VenueOrder,
): Promise<boolean> {
  const order = await readOrderForUpdate(ports.sql, operator_id, order_id);
  const fits = order?.venue === venue && order.side === reported.side && order.action === reported.action.toLowerCase();
  if (order === undefined || !fits || order.status !== 'pending_venue_execution' || order.simulated) {
    return false;
  }
  const planned: PlannedOrder = {
    ourId: reported.ourId,
    listingId: reported.listingId,
    side: reported.side,
    action: reported.action,
    quantityMicros: reported.quantityMicros,
    limitPriceMicros: ANY_PRICE[reported.action],
  };
  const { code } = await ports.transition(beginning(order, planned, true));
  if (code === null) {
    await recordExecution(ports, operator_id, order_id, mode, { from: 'venue', order: reported });
  }
  return code === null;
}
