/**
 * Parts that the adapters share: the address of a venue, the order side of a venue that is only read, the meaning of a failed request for
 * an order, the start of a search for an order, listings that a venue no longer lists, and lines of `doctor`.
 */
import { oneBucket } from '../core/request-budget.ts';
import type { VenueEvent } from './listing.ts';
import { type AccountCheck, isOurId, type Locate, type Venue, VenueUnknown } from './port.ts';

/**
 * @param host name of one of the venue's hosts in the configuration
 * @returns the origin of the host. @throws VenueUnknown with `notTaken` if it is not configured
 */
export async function originOf(venue: string, host: string, locate: Locate): Promise<string> {
  const url = await locate(host);
  if (url === undefined) {
    throw new VenueUnknown(venue, `the address of ${host} is not configured`, { notTaken: true });
  }
  return url;
}

/** @throws VenueUnknown with `notTaken` if the key or the secret cannot be read, because nothing is sent then */
export function withKey<T>(venue: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw new VenueUnknown(venue, (cause as Error).message, { cause, notTaken: true });
  }
}

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

/** Runs a request that precedes the order. If it fails, the venue has certainly not received the order. @throws VenueUnknown with `notTaken` */
export function notSentYet<T>(venue: string, ask: () => Promise<T>): Promise<T> {
  return aboutOrder(venue, ask, true);
}

/**
 * Runs a request about an order that the venue may already have. If it fails, the order is unknown, even if this request was certainly not
 * received. @throws VenueUnknown without `notTaken`
 */
export function sentAlready<T>(venue: string, ask: () => Promise<T>): Promise<T> {
  return aboutOrder(venue, ask, false);
}

async function aboutOrder<T>(venue: string, ask: () => Promise<T>, notTaken: boolean): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof VenueUnknown ? new VenueUnknown(venue, cause.message, { cause, notTaken }) : cause;
  }
}

/** How long the response to an order is waited for: longer than the API waits, so that a lost response is not taken for a slow one. */
export const PLACE_TIMEOUT_MS = 6_000;

/** By how much the clock of a venue may differ from ours. A search is this much wider. */
export const CLOCKS_MS = 120_000;
/** How far back a search goes if the id does not contain the time at which it was made. */
const LONGEST_MS = 7 * 86_400_000;

/** Our ids begin with the time at which they were made. @returns milliseconds since 1970; undefined if the id is not ours */
export function madeMs(ourId: string): number | undefined {
  return isOurId(ourId) ? Number.parseInt(ourId.slice('att_'.length, 'att_'.length + 12), 16) : undefined;
}

/**
 * Where a search for an order begins: before the time in its id or the time of the attempt, whichever is earlier, because clocks differ.
 *
 * @returns milliseconds since 1970
 */
export function searchFromMs(ourId: string, sentAt?: Date): number {
  const now = Date.now();
  const made = madeMs(ourId);
  const fromId = made === undefined || made > now + CLOCKS_MS ? now - LONGEST_MS : made;
  return Math.min(fromId, sentAt?.getTime() ?? fromId) - CLOCKS_MS;
}

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

/** By how much a clock may differ from that of this machine. Beyond that nothing is sent to a venue. */
export const MOST_SKEW_MS = 2_000;

/** The line of `doctor` about the clock of an exchange. */
export function clockCheck(serverTime: () => Promise<Date>): Promise<AccountCheck> {
  return said('clock', async () => {
    const offset = (await serverTime()).getTime() - Date.now();
    const ok = Math.abs(offset) <= MOST_SKEW_MS;
    const detail = `${offset} ms from that of this machine`;
    return { ok, detail: ok ? detail : `${detail}; nothing is sent beyond ${MOST_SKEW_MS} ms: set the clock (NTP)` };
  });
}

/** Runs one check of `doctor`. @returns its line, also if the venue does not respond */
export async function said(name: string, ask: () => Promise<Verdict>): Promise<AccountCheck> {
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, ok: false, detail: `cannot be read at the exchange: ${(error as Error).message}` };
  }
}
