/**
 * Small parts that the adapters share: the order side of a venue that is only read, listings that a venue no longer lists, and lines of
 * `doctor`.
 */
import { oneBucket } from '../core/request-budget.ts';
import type { VenueEvent } from './listing.ts';
import type { AccountCheck, Venue } from './port.ts';

type OrderSide = Pick<
  Venue,
  'account' | 'limits' | 'lookupIsComplete' | 'takesCostBound' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'
>;

/** The order side of a venue that is only read: nothing is sent, and every order is refused. */
export const readOnlyOrders: OrderSide = {
  // orders that were placed there by other means would not be found
  lookupIsComplete: false,
  takesCostBound: false,
  account: null,
  limits: oneBucket(10),
  placeOrder: async () => ({ outcome: 'rejected', reason: 'read_only', order: null }),
  findOrder: async () => ({ outcome: 'not_found' }),
  cancelOrder: async () => ({ outcome: 'not_found' }),
  fills: async () => [],
};

/** @returns the listings of `held` that no event contains; they are followed until they end, although the pages omit them */
export function unlisted(held: readonly string[], events: readonly VenueEvent[]): string[] {
  const listed = new Set(events.flatMap((event) => event.markets.map(({ listingId }) => listingId)));
  return held.filter((listingId) => !listed.has(listingId));
}

/** @returns the events that are not among `others` */
export function without(events: readonly VenueEvent[], others: readonly VenueEvent[]): VenueEvent[] {
  const known = new Set(others.map(({ eventId }) => eventId));
  return events.filter(({ eventId }) => !known.has(eventId));
}

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export type Verdict = Omit<AccountCheck, 'name'>;

/** Runs one check of `doctor`. @returns its line, also if the venue does not answer */
export async function said(name: string, ask: () => Promise<Verdict>): Promise<AccountCheck> {
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, ok: false, detail: `the exchange does not say: ${(error as Error).message}` };
  }
}
