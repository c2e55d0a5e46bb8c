/** Our account at the paper venue, as the port defines it. */
import { z } from 'zod';
import type { VenueAccount } from '../account.ts';
import type { VenueAnswer } from '../http.ts';
import { expectShape } from '../response-shape.ts';
import { fillShape, orderShape, venueFill } from './order-schemas.ts';
import { micros, quantity, text, time } from './values.ts';

const timeShape = z.strictObject({ now: time });
const ordersShape = z.strictObject({ orders: z.array(orderShape) });
const fillsShape = z.strictObject({
  fills: z.array(fillShape.extend({ ourId: text, listingId: text }).transform((fill) => venueFill(fill, fill))),
});
const positionsShape = z.strictObject({
  positions: z.array(
    z
      .strictObject({ listingId: text, side: z.enum(['YES', 'NO']), quantity })
      .transform((held) => ({ listingId: held.listingId, side: held.side, quantityMicros: held.quantity })),
  ),
});
const balanceShape = z.strictObject({ balance: micros });

/** @param get sends a GET request to the venue */
export function paperAccount(name: string, get: (path: string) => Promise<VenueAnswer>): VenueAccount {
  const ask = async <T>(about: string, path: string, shape: z.ZodType<T>): Promise<T> =>
    expectShape(name, about, shape, (await get(path)).body);
  const from = (since: Date) => `since=${encodeURIComponent(since.toISOString())}`;
  return {
    serverTime: async () => (await ask('time', '/v1/time', timeShape)).now,
    ordersSince: async (since) => (await ask('orders', `/v1/account/orders?${from(since)}`, ordersShape)).orders,
    fillsSince: async (since) => (await ask('fills', `/v1/account/fills?${from(since)}`, fillsShape)).fills,
    positions: async () => (await ask('positions', '/v1/account/positions', positionsShape)).positions,
    balanceMicros: async () => (await ask('balance', '/v1/account/balance', balanceShape)).balance,
  };
}
