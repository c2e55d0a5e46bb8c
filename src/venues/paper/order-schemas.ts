/** The exact shapes of the paper venue's responses about our orders and fills. */
import { z } from 'zod';
import type { VenueFill, VenueOrder } from '../order.ts';
import { micros, price, quantity, text, time } from './values.ts';

const side = z.enum(['YES', 'NO']);
const action = z.enum(['BUY', 'SELL']);

export const fillShape = z.strictObject({ fillId: text, quantity, price, fee: micros.nullable(), at: time });

type Fill = z.output<typeof fillShape>;

export function venueFill(of: { ourId: string; listingId: string }, one: Fill): VenueFill {
  return {
    fillId: one.fillId,
    ourId: of.ourId,
    listingId: of.listingId,
    quantityMicros: one.quantity,
    priceMicros: one.price,
    feeMicros: one.fee,
    occurredAt: one.at,
  };
}

function fillsOf(of: { ourId: string; listingId: string; fills: Fill[] }): VenueFill[] {
  return of.fills.map((one) => venueFill(of, one));
}

export const orderShape = z
  .strictObject({
    ourId: text,
    orderId: text,
    listingId: text,
    side,
    action,
    quantity,
    limitPrice: price,
    maxCost: micros.nullable(),
    state: z.enum(['working', 'closed', 'rejected']),
    reason: text.nullable(),
    fills: z.array(fillShape),
    receivedAt: time,
  })
  .refine((order) => (order.reason !== null) === (order.state === 'rejected'), 'a reason without a refusal')
  .transform(
    (order): VenueOrder => ({
      ourId: order.ourId,
      venueOrderId: order.orderId,
      listingId: order.listingId,
      state: order.state,
      reason: order.reason,
      side: order.side,
      action: order.action,
      quantityMicros: order.quantity,
      fills: fillsOf(order),
    }),
  );

/** The account's entries for one order. */
export const accountShape = z
  .strictObject({ ourId: text, listingId: text, fills: z.array(fillShape) })
  .transform(fillsOf);

export const refusalShape = z.strictObject({ error: text, message: z.string().optional() });
