/**
 * Our orders and fills in the lists of Kalshi. What ended before the exchange's cut-off, about three months ago, is in its historical
 * lists alone: an order as old as that is looked for there as well.
 */
import type { SentOrder } from '../order.ts';
import { nextPageOf } from '../page-cursor.ts';
import { isOurId, VenueUnknown } from '../port.ts';
import { expectShape, misfit } from '../response-shape.ts';
import {
  type KalshiFill,
  type KalshiOrder,
  kalshiCutoff,
  kalshiFills,
  kalshiOrders,
  readableFills,
  readableOrders,
} from './order-schemas.ts';
import type { KalshiRest } from './rest.ts';

const PAGE = 1_000;
/** An order is looked for from before our id was made: clocks differ. */
const EARLIER_SECONDS = 120;
/** How far back an order is looked for whose id does not say when it was made. */
const LONGEST_SECONDS = 7 * 86_400;
/** Anything younger is in the live lists, wherever the cut-off is. */
const LIVE_SECONDS = 14 * 86_400;

export interface OrderLists {
  /**
   * @param sent where and when the order was sent, if known
   * @returns the order, and whether another order of ours was read in the same lists, which shows that they work
   * @throws VenueUnknown also for a 404: an account always has these lists, so it is no answer of the exchange
   */
  find(
    ourId: string,
    sent: SentOrder | undefined,
  ): Promise<{ readonly order: KalshiOrder | undefined; readonly readOthers: boolean }>;
  /** Fills of an order, oldest first. @throws VenueUnknown */
  fillsOf(orderId: string, ourId: string, listingId: string): Promise<readonly KalshiFill[]>;
}

export function kalshiOrderLists(venue: string, rest: KalshiRest): OrderLists {
  /** Every page of a list, until its cursor ends. */
  async function* pages<T extends { cursor?: string | null | undefined }, Item>(
    path: string,
    filter: Readonly<Record<string, string>>,
    shape: Parameters<typeof expectShape<T>>[2],
    itemsOf: (body: T) => readonly Item[],
  ): AsyncGenerator<readonly Item[]> {
    const query = new URLSearchParams({ limit: String(PAGE), ...filter });
    const nextPage = nextPageOf(venue, path);
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      if (cursor !== '') {
        query.set('cursor', cursor);
      }
      const { status, body } = await rest.get(`${path}?${query}`);
      if (status === 404) {
        throw misfit(venue, path, 'status 404', body);
      }
      const page = expectShape(venue, path, shape, body);
      yield itemsOf(page);
      cursor = nextPage(page.cursor);
    }
  }

  const orderPages = (path: string, filter: Readonly<Record<string, string>>) =>
    pages(path, filter, kalshiOrders, (body) => body.orders);
  const fillPages = (path: string, filter: Readonly<Record<string, string>>) =>
    pages(path, filter, kalshiFills, (body) => body.fills);

  async function mayBeHistorical(ourId: string): Promise<boolean> {
    const made = madeSeconds(ourId);
    if (made > Date.now() / 1_000 - LIVE_SECONDS) {
      return false;
    }
    const { status, body } = await rest.get('/historical/cutoff');
    if (status === 404) {
      throw new VenueUnknown(venue, 'the exchange names no cut-off of its lists');
    }
    const { orders_updated_ts: orders, trades_created_ts: trades } = expectShape(venue, 'cutoff', kalshiCutoff, body);
    return made < Math.max(orders.getTime(), trades.getTime()) / 1_000;
  }

  return {
    async find(ourId, sent) {
      const ticker: Readonly<Record<string, string>> = sent === undefined ? {} : { ticker: sent.listingId };
      let readOthers = false;
      const searchIn = async (path: string, filter: Readonly<Record<string, string>>) => {
        for await (const page of orderPages(path, filter)) {
          const orders = readableOrders(venue, page, (one) => one === ourId);
          const order = orders.find((one) => one.client_order_id === ourId);
          if (order !== undefined) {
            return order;
          }
          readOthers ||= orders.some((one) => isOurId(one.client_order_id ?? ''));
        }
        return undefined;
      };
      const order =
        (await searchIn('/portfolio/orders', { min_ts: String(sinceSeconds(ourId, sent?.sentAt)), ...ticker })) ??
        ((await mayBeHistorical(ourId)) ? await searchIn('/historical/orders', ticker) : undefined);
      return { order, readOthers };
    },
    async fillsOf(orderId, ourId, listingId) {
      const fills = new Map<string, KalshiFill>();
      const take = (page: readonly unknown[], mustFit: (id: string) => boolean) => {
        for (const fill of readableFills(venue, page, mustFit).filter((one) => one.order_id === orderId)) {
          fills.set(fill.fill_id, fill);
        }
      };
      for await (const page of fillPages('/portfolio/fills', { order_id: orderId })) {
        take(page, () => true);
      }
      if (await mayBeHistorical(ourId)) {
        for await (const page of fillPages('/historical/fills', { ticker: listingId })) {
          take(page, (id) => id === orderId);
        }
      }
      return [...fills.values()].reverse();
    },
  };
}

/** An order is looked for from the time in its id or that of its attempt, whichever is earlier: clocks differ. */
function sinceSeconds(ourId: string, sentAt: Date | undefined): number {
  const sent = sentAt === undefined ? Number.POSITIVE_INFINITY : Math.floor(sentAt.getTime() / 1_000) - EARLIER_SECONDS;
  return Math.min(madeSeconds(ourId), sent);
}

/** Our ids begin with the time at which they were made, in milliseconds. */
function madeSeconds(ourId: string): number {
  const made = /^att_([0-9a-f]{12})/.exec(ourId)?.[1];
  const seconds = made === undefined ? 0 : Math.floor(Number.parseInt(made, 16) / 1_000);
  const now = Math.floor(Date.now() / 1_000);
  return seconds > 0 && seconds <= now + EARLIER_SECONDS ? seconds - EARLIER_SECONDS : now - LONGEST_SECONDS;
}
