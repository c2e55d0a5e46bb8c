/**
 * The lists of our account at Gemini: orders that are open, orders that have ended, and trades. An order is in one of the first two; they
 * are read in that order, so that one that ends meanwhile is not missed. Prices and fees of its fills are in the list of trades alone.
 */
import { noteFields } from '../documented.ts';
import type { SentOrder } from '../order.ts';
import { isOurId } from '../port.ts';
import { expectShape, misfit, readable } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import {
  type GeminiOrder,
  type GeminiTrade,
  geminiOrder,
  geminiOrderHead,
  geminiOrders,
  geminiTrade,
  geminiTradeHead,
  geminiTrades,
} from './order-schemas.ts';
import type { GeminiRest } from './rest.ts';

const ACTIVE_PATH = '/v1/prediction-markets/orders/active';
export const HISTORY_PATH = '/v1/prediction-markets/orders/history';
export const TRADES_PATH = '/v1/mytrades';
const ACTIVE_PAGE = 100;
const HISTORY_PAGE = 1_000;
const TRADES_PAGE = 500;
/** An order is looked for from before our id was made, and to after now: clocks differ. */
const CLOCKS_MS = 120_000;
/** How far back an order is looked for whose id does not say when it was made. */
const LONGEST_MS = 7 * 86_400_000;
/** Fields of its trades that its document does not name. */
const SEEN_OF_TRADES: ReadonlySet<string> = new Set(['is_clearing_fill', 'symbol']);
/** The symbols of prediction markets; the account may trade others, which are named. */
const OURS = /^GEMI-/i;

export interface GeminiLists {
  /**
   * @param sent where and when the order was sent, if known
   * @returns the order, and whether another order of ours was read in the same lists, which shows that they work
   * @throws VenueUnknown also if an order in the lists could be this one but carries no id of its sender
   */
  find(
    ourId: string,
    sent: SentOrder | undefined,
  ): Promise<{ readonly order: GeminiOrder | undefined; readonly readOthers: boolean }>;
  /** Trades of an order that was made since then, oldest first. @throws VenueUnknown */
  tradesOf(orderId: string, symbol: string, since: Date): Promise<readonly GeminiTrade[]>;
  /** Open orders, and those that ended since then, by anybody; one of somebody else's that cannot be read is left out. @throws VenueUnknown */
  ordersSince(since: Date): Promise<readonly GeminiOrder[]>;
  /** Trades of prediction markets since then, as they came. @throws VenueUnknown */
  tradesSince(since: Date): Promise<readonly unknown[]>;
}

interface Page {
  readonly orders: readonly GeminiOrder[];
  /** How many it lists, those that cannot be read too. */
  readonly listed: number;
}

export function geminiLists(venue: string, rest: GeminiRest, note: Note): GeminiLists {
  async function page(path: string, parameters: object): Promise<Page> {
    const { orders: raw } = expectShape(venue, path, geminiOrders, await rest.ask(path, parameters));
    noteFields(note, 'gemini', 'OrderResponse', raw);
    const orders = raw.flatMap((one) => {
      const { clientOrderId } = expectShape(venue, path, geminiOrderHead, one);
      // one that names no sender could be ours
      return readable(venue, path, geminiOrder, one, !clientOrderId || isOurId(clientOrderId));
    });
    return { orders, listed: raw.length };
  }

  async function active(symbol: object): Promise<GeminiOrder[]> {
    const found = new Map<string, GeminiOrder>();
    for (let offset = 0; ; offset += ACTIVE_PAGE) {
      const { orders, listed } = await page(ACTIVE_PATH, { ...symbol, limit: ACTIVE_PAGE, offset });
      for (const order of orders) {
        found.set(order.orderId, order);
      }
      if (listed < ACTIVE_PAGE) {
        return [...found.values()];
      }
    }
  }

  /** A window of time has no pages: one that is full is asked for in halves. */
  async function ended(symbol: object, from: number, to: number): Promise<GeminiOrder[]> {
    const { orders, listed } = await page(HISTORY_PATH, { ...symbol, limit: HISTORY_PAGE, from, to });
    if (listed < HISTORY_PAGE) {
      return [...orders];
    }
    const middle = Math.floor((from + to) / 2);
    if (middle === from) {
      throw misfit(venue, HISTORY_PATH, 'more orders ended in a millisecond than it lists', { from, to });
    }
    return [...(await ended(symbol, from, middle)), ...(await ended(symbol, middle, to))];
  }

  async function ordersFrom(from: number, symbol: object): Promise<GeminiOrder[]> {
    const open = await active(symbol);
    return [...open, ...(await ended(symbol, from, Date.now() + CLOCKS_MS))];
  }

  /** Each page begins with the last moment of the one before, until one brings nothing new. */
  async function trades(since: Date, symbol: object): Promise<unknown[]> {
    const found = new Map<string, unknown>();
    for (let from = since.getTime(); ; ) {
      const page = expectShape(
        venue,
        TRADES_PATH,
        geminiTrades,
        await rest.ask(TRADES_PATH, { ...symbol, limit_trades: TRADES_PAGE, timestamp: from }),
      );
      const before = found.size;
      for (const one of page) {
        found.set(JSON.stringify(one), one);
        from = Math.max(from, expectShape(venue, TRADES_PATH, geminiTradeHead, one).timestampms);
      }
      if (page.length < TRADES_PAGE || found.size === before) {
        return [...found.values()];
      }
    }
  }

  return {
    async find(ourId, sent) {
      const from = madeMs(ourId, sent?.sentAt);
      const listed = await ordersFrom(from, sent === undefined ? {} : { symbol: sent.listingId });
      const order = listed.findLast(({ clientOrderId }) => clientOrderId === ourId);
      const nameless = listed.find(({ clientOrderId, createdAt }) => !clientOrderId && createdAt.getTime() >= from);
      if (order === undefined && nameless !== undefined) {
        throw misfit(venue, 'orders', 'an order that names no sender could be this one', nameless);
      }
      return { order, readOthers: listed.some(({ clientOrderId }) => isOurId(clientOrderId ?? '')) };
    },
    async tradesOf(orderId, symbol, since) {
      const all = await trades(new Date(since.getTime() - CLOCKS_MS), { symbol });
      return readTrades(venue, all, (one) => one === orderId).filter(({ order_id: of }) => of === orderId);
    },
    ordersSince: (since) => ordersFrom(since.getTime(), {}),
    async tradesSince(since) {
      const all = (await trades(since, {})).filter((one) => OURS.test((one as { symbol?: string }).symbol ?? 'GEMI-'));
      noteFields(note, 'gemini-rest', 'MyTrade', all, SEEN_OF_TRADES);
      return all;
    },
  };
}

/**
 * Trades that can be read, oldest first.
 * @param mustFit decides by the exchange's id of its order whether a trade has to be read
 * @throws VenueUnknown if one of those cannot be read, or one without a readable id
 */
export function readTrades(
  venue: string,
  raw: readonly unknown[],
  mustFit: (orderId: string) => boolean,
): readonly GeminiTrade[] {
  const read = raw.flatMap((one) => {
    const { order_id: orderId } = expectShape(venue, TRADES_PATH, geminiTradeHead, one);
    return readable(venue, TRADES_PATH, geminiTrade, one, mustFit(orderId));
  });
  return read.sort(
    (one, other) => one.timestampms - other.timestampms || (BigInt(one.tid) < BigInt(other.tid) ? -1 : 1),
  );
}

/** An order is looked for from the time in its id or that of its attempt, whichever is earlier. */
function madeMs(ourId: string, sentAt: Date | undefined): number {
  const made = Number.parseInt(/^att_([0-9a-f]{12})/.exec(ourId)?.[1] ?? '', 16);
  const now = Date.now();
  const fromId = Number.isNaN(made) || made > now + CLOCKS_MS ? now - LONGEST_MS : made;
  return Math.min(fromId, sentAt?.getTime() ?? fromId) - CLOCKS_MS;
}
