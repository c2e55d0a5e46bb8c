/**
 * The lists of our account at Kalshi: orders, fills and settled positions. What is older than a list's cut-off is in its historical
 * list alone. Each cut-off is of its own and moves by itself, so that it is read every time, after the live list: what moved
 * meanwhile was in the one or is in the other.
 */
import type { z } from 'zod';
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

type Filter = Readonly<Record<string, string>>;
type Page = { cursor?: string | null | undefined };
export type Cutoffs = z.output<typeof kalshiCutoff>;

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
  /** Fills of an order, oldest first. @param filled how many micro-contracts it counts itself. @throws VenueUnknown */
  fillsOf(orderId: string, ourId: string, listingId: string, filled: bigint): Promise<readonly KalshiFill[]>;
  /** Orders as they came, newest first, by anybody. @param since Unix seconds. @throws VenueUnknown */
  ordersSince(since: number): Promise<readonly unknown[]>;
  /** Fills as they came. @param since Unix seconds. @throws VenueUnknown */
  fillsSince(since: number): Promise<readonly unknown[]>;
  /** Every item of a live list. @throws VenueUnknown */
  all<Body extends Page, Item>(
    path: string,
    filter: Filter,
    shape: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): Promise<Item[]>;
  /** @throws VenueUnknown */
  cutoffs(): Promise<Cutoffs>;
}

/** @param subaccount of our account; undefined: the primary one */
export function kalshiOrderLists(venue: string, rest: KalshiRest, subaccount: number | undefined): OrderLists {
  const ours: Filter = subaccount === undefined ? {} : { subaccount: String(subaccount) };

  /** Every page of a list, until its cursor ends. */
  async function* pages<Body extends Page, Item>(
    path: string,
    filter: Filter,
    shape: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): AsyncGenerator<readonly Item[]> {
    const query = new URLSearchParams({ limit: String(PAGE), ...ours, ...filter });
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

  const orderPages = (path: string, filter: Filter) => pages(path, filter, kalshiOrders, (body) => body.orders);
  const fillPages = (path: string, filter: Filter) => pages(path, filter, kalshiFills, (body) => body.fills);

  async function cutoffs(): Promise<Cutoffs> {
    const { status, body } = await rest.get('/historical/cutoff');
    if (status === 404) {
      throw new VenueUnknown(venue, 'the exchange names no cut-offs of its lists');
    }
    return expectShape(venue, 'cutoff', kalshiCutoff, body);
  }

  const isBefore = (since: number, cutoff: Date) => since < cutoff.getTime() / 1_000;

  async function* orders(since: number, filter: Filter): AsyncGenerator<readonly unknown[]> {
    const asked = { min_ts: String(since), ...filter };
    yield* orderPages('/portfolio/orders', asked);
    if (isBefore(since, (await cutoffs()).orders_updated_ts)) {
      yield* orderPages('/historical/orders', asked);
    }
  }

  /** The historical list cannot be asked for one order. */
  async function* fills(since: number, live: Filter, historical: Filter): AsyncGenerator<readonly unknown[]> {
    yield* fillPages('/portfolio/fills', live);
    yield* archivedFills(since, historical);
  }

  async function* archivedFills(since: number, filter: Filter): AsyncGenerator<readonly unknown[]> {
    if (isBefore(since, (await cutoffs()).trades_created_ts)) {
      yield* fillPages('/historical/fills', { min_ts: String(since), ...filter });
    }
  }

  return {
    async find(ourId, sent) {
      let readOthers = false;
      const filter: Filter = sent === undefined ? {} : { ticker: sent.listingId };
      for await (const page of orders(sinceSeconds(ourId, sent?.sentAt), filter)) {
        const read = readableOrders(venue, page, (one) => one === ourId);
        const order = read.find((one) => one.client_order_id === ourId);
        if (order !== undefined) {
          return { order, readOthers };
        }
        readOthers ||= read.some((one) => isOurId(one.client_order_id ?? ''));
      }
      return { order: undefined, readOthers };
    },
    async fillsOf(orderId, ourId, listingId, filled) {
      const found = new Map<string, KalshiFill>();
      const take = (page: readonly unknown[], mustFit: (id: string) => boolean) => {
        for (const fill of readableFills(venue, page, mustFit).filter((one) => one.order_id === orderId)) {
          found.set(fill.fill_id, fill);
        }
      };
      for await (const page of fillPages('/portfolio/fills', { order_id: orderId })) {
        take(page, () => true);
      }
      if ([...found.values()].reduce((sum, fill) => sum + fill.count_fp, 0n) < filled) {
        for await (const page of archivedFills(madeSeconds(ourId), { ticker: listingId })) {
          take(page, (id) => id === orderId);
        }
      }
      return [...found.values()].reverse();
    },
    ordersSince: (since) => collect(orders(since, {})),
    fillsSince: (since) => collect(fills(since, { min_ts: String(since) }, {})),
    all: (path, filter, shape, itemsOf) => collect(pages(path, filter, shape, itemsOf)),
    cutoffs,
  };
}

async function collect<Item>(pages: AsyncGenerator<readonly Item[]>): Promise<Item[]> {
  return (await Array.fromAsync(pages)).flat();
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
