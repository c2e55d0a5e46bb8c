/**
 * Takes over an order that a venue has and our books did not send, because a restored database lost the transmission. The order
 * is recorded as begun, and then as the venue reports it. Nothing is sent.
 */
import { otherSide, type Side } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { VenueOrder } from '../../venues/port.ts';
import type { PlannedOrder } from '../execution/plan-attempt.ts';
import { type RecordPorts, recordExecution } from '../execution/record-execution.ts';
import { beginning } from '../execution/transmit-order.ts';
import type { OrderRow } from '../orders/order.ts';
import { readOrderForUpdate } from '../orders/transition-orders.ts';
import type { KnownOrder } from './compared-orders.ts';

/** The limit that was sent was lost with the attempt; the venue has kept to it. */
const ANY_PRICE = { BUY: 999_999n, SELL: 1n };

/** @returns whether the order waited to be sent; one that was withdrawn meanwhile cannot be taken over. */
export async function adoptOrder(
  ports: RecordPorts,
  { operatorId, orderId, mode }: KnownOrder,
  venue: string,
  reported: VenueOrder,
): Promise<boolean> {
  const order = await readOrderForUpdate(ports.sql, operatorId, orderId);
  if (order === undefined || order.status !== 'pending_venue_execution' || order.simulated) {
    return false;
  }
  const side = await sideThere(ports.sql, venue, reported.listingId, order);
  if (order.venue !== venue || side !== reported.side || order.action !== reported.action.toLowerCase()) {
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
    await recordExecution(ports, operatorId, orderId, mode, { from: 'venue', order: reported });
  }
  return code === null;
}

/** The order's side as that listing calls it; undefined if the listing is not one of the order's contract. */
async function sideThere(
  sql: Sql,
  venue: string,
  listingId: string,
  order: Pick<OrderRow, 'contractId' | 'side'>,
): Promise<Side | undefined> {
  const [listing] = await sql<{ inverse: boolean }[]>`
    select listed.inverse <> ours.inverse as inverse
    from listings l join contracts listed on listed.contract_id = l.contract_id
      join contracts ours on ours.contract_id = listed.contract_id or ours.group_key = listed.group_key
    where l.venue = ${venue} and l.listing_id = ${listingId} and ours.contract_id = ${order.contractId}`;
  return listing && (listing.inverse ? otherSide(order.side) : order.side);
}
