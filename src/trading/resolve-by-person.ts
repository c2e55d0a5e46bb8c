/** Records what a person learned from the venue about an unknown order: the same path as the venue's own word, with evidence. */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { VenueOrder } from '../venues/order.ts';
import type { FoundOrder } from './find-orders.ts';
import { type RecordPorts, recordExecution } from './record-execution.ts';
import { findAttempt, recordEvidence } from './transmissions.ts';

export type Learned =
  | { readonly rejected: true }
  /** Filled micro-contracts, average price in micro-dollars, fee in cents; the venue has closed the order. */
  | {
      readonly rejected: false;
      readonly quantityMicros: bigint;
      readonly priceMicros: bigint;
      readonly feeMinor: bigint;
    };

const MICROS_PER_CENT = 10_000n;

/** @throws invalid_request where nothing is unknown about the order, or it was never sent. */
export async function resolveByPerson(
  ports: RecordPorts,
  order: FoundOrder,
  learned: Learned,
  evidence: string,
): Promise<void> {
  const attempt = await findAttempt(ports.sql, order.operator_id, order.order_id);
  if (attempt === undefined || order.transmission_state !== 'unknown') {
    throw refuse('invalid_request', 'Nothing is unknown about this order.');
  }
  await recordEvidence(ports.sql, {
    operatorId: order.operator_id,
    orderId: order.order_id,
    kind: 'person',
    severity: 'info',
    raw: { evidence, learned },
  });
  if (learned.rejected) {
    await recordExecution(ports, order.operator_id, order.order_id, order.mode, {
      from: 'refusal',
      reason: 'rejected_by_venue',
    });
    return;
  }
  const { quantityMicros, priceMicros, feeMinor } = learned;
  const unread = await ports.sql<{ venue_fill_id: string; quantity: bigint; price_micros: bigint }[]>`
    select venue_fill_id, quantity, price_micros from fills
    where operator_id = ${order.operator_id} and order_id = ${order.order_id} and fee_micros is null order by fill_no`;
  const head = { ourId: attempt.our_id, listingId: attempt.listing_id, occurredAt: attempt.expires_at };
  const more = quantityMicros - order.filled_quantity;
  const lines = [
    ...unread.map((fill) => ({
      fillId: fill.venue_fill_id,
      quantityMicros: fill.quantity,
      priceMicros: fill.price_micros,
    })),
    ...(more > 0n ? [{ fillId: newId('att'), quantityMicros: more, priceMicros }] : []),
  ];
  const report: VenueOrder = {
    ourId: attempt.our_id,
    venueOrderId: attempt.our_id,
    listingId: attempt.listing_id,
    state: 'closed',
    reason: null,
    side: order.side,
    action: order.action === 'buy' ? 'BUY' : 'SELL',
    quantityMicros: attempt.quantity,
    // one fee was learned, of all that was not read yet: it goes with the first of them
    fills: lines.map((line, index) => ({ ...head, ...line, feeMicros: index === 0 ? feeMinor * MICROS_PER_CENT : 0n })),
  };
  await recordExecution(ports, order.operator_id, order.order_id, order.mode, { from: 'venue', order: report });
}
