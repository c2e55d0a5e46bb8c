/**
 * The paper venue as the port defines it: catalogue, books, orders and our account over its HTTP interface. It has no concept of money,
 * tenants or tables.
 */
import { z } from 'zod';
import { oneBucket } from '../../core/request-budget.ts';
import { PLACE_TIMEOUT_MS } from '../adapter.ts';
import { openVenueHttp, type VenueAnswer, type VenueHttp } from '../http.ts';
import type { VenueCatalogue } from '../listing.ts';
import {
  type FoundOrder,
  type Locate,
  type MayWrite,
  type OrderToPlace,
  type PlaceAnswer,
  type Venue,
  type VenueAccount,
  VenueUnknown,
} from '../port.ts';
import { expectShape, microsDecimal, misfit, validateItems } from '../shapes.ts';
import {
  accountShape,
  asBook,
  bookShape,
  booksShape,
  catalogueShape,
  eventShape,
  feeOf,
  feeShape,
  fillShape,
  micros,
  orderShape,
  quantity,
  refusalShape,
  text,
  time,
  venueFill,
} from './shapes.ts';
import { type PaperBooks, watchPaper } from './watch.ts';

const LOOK_UP_TIMEOUT_MS = 3_000;
const CATALOGUE_TIMEOUT_MS = 15_000;
const ADDRESS_MS = 2_000;
const REQUESTS_PER_SECOND = 2_000;

/** @param token of core/secret.ts */
export function openPaper(name: string, locate: Locate, token: string): Venue {
  const http = openVenueHttp(name, refusalShape, token);
  const call = caller(name, http, locate);
  const source = { name, token, locate: () => locate(name), books };

  async function catalogue(): Promise<VenueCatalogue> {
    const { body } = await call('GET', '/v1/catalogue', CATALOGUE_TIMEOUT_MS);
    const { good, invalid } = validateItems(
      'event',
      eventShape,
      expectShape(name, 'catalogue', catalogueShape, body).events,
    );
    return { events: good, invalid };
  }

  async function books(): Promise<PaperBooks> {
    const { body } = await call('GET', '/v1/books', CATALOGUE_TIMEOUT_MS);
    const { good, invalid } = validateItems('book', bookShape, expectShape(name, 'books', booksShape, body).books);
    const now = new Date();
    return { books: good.map((book) => asBook(book, now, 'rest')), invalid };
  }

  async function found(method: 'GET' | 'POST', path: string, ourId: string): Promise<FoundOrder> {
    const { status, body } = await call(method, path, LOOK_UP_TIMEOUT_MS);
    if (status === 404 && expectShape(name, 'order', refusalShape, body).error === 'unknown_order') {
      return { outcome: 'not_found' };
    }
    const order = expectShape(name, 'order', orderShape, body);
    if (order.ourId !== ourId) {
      throw misfit(name, 'order', 'the response is about another order', body);
    }
    return { outcome: 'found', order };
  }

  return {
    name,
    lookupIsComplete: true,
    takesCostBound: true,
    limits: oneBucket(REQUESTS_PER_SECOND),
    quantityStepMicros: name === 'paper' ? 10_000n : 1_000_000n,
    minimumQuantityMicros: name === 'paper' ? 10_000n : 1_000_000n,
    minimumAmountMinor: 100n,
    catalogue,
    async book(listingId) {
      const { status, body } = await call('GET', `/v1/books/${encodeURIComponent(listingId)}`, LOOK_UP_TIMEOUT_MS);
      return status === 404 ? null : asBook(expectShape(name, 'book', bookShape, body), new Date(), 'rest');
    },
    watch: async (handlers) => watchPaper(source, handlers),
    async placeOrder(order, mayWrite) {
      const { status, body } = await call('POST', '/v1/orders', PLACE_TIMEOUT_MS, orderBody(order), mayWrite);
      if (status >= 400) {
        return refused(name, status, body);
      }
      const placed = expectShape(name, 'order', orderShape, body);
      if (placed.ourId !== order.ourId || placed.listingId !== order.listingId) {
        throw misfit(name, 'order', 'the response is about another order', body);
      }
      return placed.state === 'rejected'
        ? { outcome: 'rejected', reason: placed.reason ?? 'rejected', order: placed }
        : { outcome: 'accepted', order: placed };
    },
    account: paperAccount(name, (path) => call('GET', path, CATALOGUE_TIMEOUT_MS)),
    findOrder: (ourId) => found('GET', `/v1/orders/${ourId}`, ourId),
    cancelOrder: (ourId) => found('POST', `/v1/orders/${ourId}/cancel`, ourId),
    // read from the venue's account and not from the order in its response, so that the two can be compared
    async fills(ourId) {
      const { status, body } = await call('GET', `/v1/account/fills/${ourId}`, LOOK_UP_TIMEOUT_MS);
      if (status === 404 && expectShape(name, 'account', refusalShape, body).error === 'unknown_order') {
        return [];
      }
      const fills = expectShape(name, 'account', accountShape, body);
      if (fills.some((fill) => fill.ourId !== ourId)) {
        throw misfit(name, 'account', 'the response is about another order', body);
      }
      return fills;
    },
    async feeSchedule(listingId) {
      const { status, body } = await call('GET', `/v1/fees/${encodeURIComponent(listingId)}`, LOOK_UP_TIMEOUT_MS);
      return status === 404 ? null : feeOf(expectShape(name, 'fee', feeShape, body).feeBps);
    },
    close: () => http.close(),
  };
}

function orderBody(order: OrderToPlace): object {
  return {
    ourId: order.ourId,
    listingId: order.listingId,
    side: order.side,
    action: order.action,
    quantity: microsDecimal(order.quantityMicros),
    limitPrice: microsDecimal(order.limitPriceMicros),
    ...(order.maxCostMicros === undefined ? {} : { maxCost: microsDecimal(order.maxCostMicros) }),
    expiresAt: order.expiresAt.toISOString(),
  };
}

/** A request that the venue could not parse was not taken. Any other refusal is an order with the state `rejected`. */
function refused(name: string, status: number, body: unknown): PlaceAnswer {
  const refusal = refusalShape.safeParse(body);
  if (refusal.data?.error !== 'invalid_request') {
    throw misfit(name, 'order', `status ${status}`, body);
  }
  return { outcome: 'rejected', reason: refusal.data.error, order: null };
}

/** Sends a request. The address is cached briefly, so that an order does not wait for the look-up, and read again after every failure. */
function caller(name: string, http: VenueHttp, locate: Locate) {
  let known: { origin: string; until: number } | undefined;
  return async (method: 'GET' | 'POST', path: string, timeoutMs: number, body?: object, mayWrite?: MayWrite) => {
    if (known === undefined || known.until < performance.now()) {
      const origin = await locate(name);
      known = origin === undefined ? undefined : { origin, until: performance.now() + ADDRESS_MS };
    }
    if (known === undefined) {
      throw new VenueUnknown(name, 'its address is not known', { notTaken: true });
    }
    try {
      const url = `${known.origin}${path}`;
      return await http.call(method, url, timeoutMs, { body: method === 'POST' ? (body ?? {}) : undefined, mayWrite });
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
}

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
function paperAccount(name: string, get: (path: string) => Promise<VenueAnswer>): VenueAccount {
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
