/**
 * Our orders at Gemini: how they are sent, found in the lists of the account, filled, cancelled and refused. An order fills up to its limit
 * price and leaves nothing resting (`immediate-or-cancel`). It carries our id, but the exchange may list it under an id of its own: then
 * the order is recognised by its terms, and kept under the exchange's id from then on.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { CLOCKS_MS, PLACE_TIMEOUT_MS, searchFromMs, sentAlready } from '../adapter.ts';
import {
  type FoundOrder,
  isOurId,
  type MayWrite,
  type Note,
  type OrderToPlace,
  type PlaceAnswer,
  type SentOrder,
  type UnnamedOrder,
  type Venue,
  type VenueFill,
  type VenueOrder,
  VenueUnknown,
} from '../port.ts';
import { decimalMicros, expectShape, microsDecimal, misfit, noteFields, readable } from '../shapes.ts';
import { amongUnnamed, saysTheSame } from '../unnamed-orders.ts';
import type { Grid } from './catalogue.ts';
import type { GeminiRest } from './rest.ts';
import {
  type GeminiOrder,
  type GeminiTrade,
  type GeminiTradeHead,
  geminiOrder,
  geminiOrderHead,
  geminiOrders,
  geminiRefusal,
  geminiTrade,
  geminiTrades,
} from './shapes.ts';

const ORDER_PATH = '/v1/prediction-markets/order';
const CANCEL_PATH = '/v1/prediction-markets/order/batch/cancel';
const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'closed']);

type GeminiOrderSide = Required<Pick<Venue, 'prepareOrder' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'>>;

/** @param gridOf returns what orders of a contract must fit, undefined if that is not known; it throws VenueUnknown */
export function geminiOrderSide(
  venue: string,
  rest: GeminiRest,
  lists: GeminiLists,
  gridOf: (listingId: string) => Promise<Grid | undefined>,
  note: Note,
): GeminiOrderSide {
  async function placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer> {
    const sentAt = new Date();
    const { status, body } = await rest.call(ORDER_PATH, parametersOf(order), {
      mayWrite,
      timeoutMs: PLACE_TIMEOUT_MS,
    });
    const refused = refusalOf(status, body);
    if (refused !== undefined) {
      return status === 406
        ? await refuseUnlessThere(order, sentAt, refused)
        : { outcome: 'rejected', reason: refused, order: null };
    }
    if (wasNotLookedAt(status, body)) {
      throw new VenueUnknown(venue, `order: ${wordOf(body)}`, { notTaken: true, status });
    }
    if (wordOf(body) === 'DuplicateOrder') {
      const found = await sentAlready(venue, () => findOrder(order.ourId, { ...order, sentAt }));
      if (found.outcome === 'found') {
        return { outcome: 'accepted', order: found.order };
      }
      throw misfit(venue, 'order', 'a duplicate that cannot be found', body);
    }
    if (status >= 300) {
      note('answer to an order', `${status} ${wordOf(body) ?? ''}`.trim());
      throw misfit(venue, 'order', `status ${status}`, body);
    }
    const placed = expectShape(venue, 'order', geminiOrder, body);
    const named = ourIdOf(placed);
    if ((named !== undefined && named !== order.ourId) || !saysTheSame(unnamedOf(placed), order)) {
      throw misfit(venue, 'order', 'another order than the one sent', body);
    }
    return { outcome: 'accepted', order: await withFills(placed, order.ourId) };
  }

  /**
   * The exchange was seen to answer 406 although it had the order, so one look-up decides whether it is a refusal.
   * @param sentAt before the order was written
   */
  async function refuseUnlessThere(order: OrderToPlace, sentAt: Date, reason: string): Promise<PlaceAnswer> {
    const found = await sentAlready(venue, () => findOrder(order.ourId, { ...order, sentAt }));
    if (found.outcome === 'unnamed') {
      throw misfit(venue, 'order', `${reason}, and an order there could be this one`, found.orders);
    }
    return found.outcome === 'found'
      ? { outcome: 'accepted', order: found.order }
      : { outcome: 'rejected', reason, order: null };
  }

  async function findOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder> {
    const { order, trades, unnamed, readOthers } = await lists.find(ourId, sent);
    return order === undefined
      ? amongUnnamed(unnamed.map(unnamedOf), sent, readOthers)
      : { outcome: 'found', order: asVenueOrder(order, ourId, fillsOf(order, trades, ourId, note), note) };
  }

  /**
   * An order stays working until all its fills are known, so that it is looked up again. Trades that cannot be read now do not change that
   * the exchange has the order, and which one it is.
   */
  async function withFills(order: GeminiOrder, ourId: string): Promise<VenueOrder> {
    try {
      const trades =
        order.filledQuantity === 0n ? [] : await lists.tradesOf(order.orderId, order.symbol, order.createdAt);
      return asVenueOrder(order, ourId, fillsOf(order, trades, ourId, note), note);
    } catch (error) {
      if (error instanceof VenueUnknown) {
        return asVenueOrder(order, ourId, undefined, note);
      }
      throw error;
    }
  }

  return {
    // nothing is stored, because the exchange's own id is known only once it has the order
    async prepareOrder({ listingId, quantityMicros, limitPriceMicros }) {
      const grid = await gridOf(listingId);
      if (grid === undefined || !fits(grid, quantityMicros, limitPriceMicros)) {
        return { unfit: 'off_grid' };
      }
      return quantityMicros < grid.quantityMinimumMicros ? { unfit: 'below_minimum' } : null;
    },
    placeOrder,
    findOrder,
    async fills(ourId, sent) {
      const { order, trades } = await lists.find(ourId, sent);
      return order === undefined ? [] : (fillsOf(order, trades, ourId, note) ?? []);
    },
    async cancelOrder(ourId, sent) {
      const { order } = await lists.find(ourId, sent);
      if (order === undefined) {
        return { outcome: 'not_found' };
      }
      if (!hasEnded(order, note)) {
        // the exchange does not cancel an order that ended meanwhile; its state is read below in any case
        const { status, body } = await rest.call(CANCEL_PATH, { orderIds: [order.orderId] });
        if (status !== 200 && wordOf(body) !== 'OrderNotFound') {
          throw misfit(venue, CANCEL_PATH, `status ${status}`, body);
        }
      }
      return findOrder(ourId, sent);
    },
  };
}

/** @returns undefined if the order carries no id, or one that the exchange or another sender made */
export function ourIdOf({ clientOrderId }: Pick<GeminiOrder, 'clientOrderId'>): string | undefined {
  return isOurId(clientOrderId ?? '') ? (clientOrderId ?? undefined) : undefined;
}

/**
 * @param ourId our id of the order, or the exchange's if it is not known as ours
 * @param fills undefined while they are not known
 */
export function asVenueOrder(
  order: GeminiOrder,
  ourId: string,
  fills: readonly VenueFill[] | undefined,
  note: Note,
): VenueOrder {
  const { venueOrderId, listingId, side, action, quantityMicros } = unnamedOf(order);
  const state = hasEnded(order, note) && fills !== undefined ? 'closed' : 'working';
  return { ourId, venueOrderId, listingId, side, action, quantityMicros, state, reason: null, fills: fills ?? [] };
}

/** The terms that the order shows, apart from its ids. */
function unnamedOf(order: GeminiOrder): UnnamedOrder {
  return {
    venueOrderId: order.orderId,
    listingId: order.symbol,
    side: order.outcome === 'yes' ? 'YES' : 'NO',
    action: order.side === 'buy' ? 'BUY' : 'SELL',
    quantityMicros: order.quantity,
    limitPriceMicros: order.price ?? null,
    madeAt: order.createdAt,
    filled: ENDED.has(order.status)
      ? { quantityMicros: order.filledQuantity, priceMicros: order.avgExecutionPrice ?? null }
      : null,
  };
}

/** An order whose status is not known may still fill. */
function hasEnded({ status }: GeminiOrder, note: Note): boolean {
  if (status !== 'open' && !ENDED.has(status)) {
    note('order status', status);
  }
  return ENDED.has(status);
}

function fits(grid: Grid, quantity: bigint, price: bigint): boolean {
  const above = price - grid.priceMinimumMicros;
  return quantity % grid.quantityStepMicros === 0n && above >= 0n && above % grid.priceStepMicros === 0n;
}

function parametersOf(order: OrderToPlace) {
  return {
    symbol: order.listingId,
    orderType: 'limit',
    side: order.action === 'BUY' ? 'buy' : 'sell',
    outcome: order.side === 'YES' ? 'yes' : 'no',
    quantity: microsDecimal(order.quantityMicros),
    price: microsDecimal(order.limitPriceMicros),
    timeInForce: 'immediate-or-cancel',
    clientOrderId: order.ourId,
  } as const;
}

/** Documented words that refuse an order. After `DuplicateOrder` the exchange has an order with this id, so it is not listed. */
const WORDS: ReadonlySet<string> = new Set([
  'ACCOUNT_RESTRICTED_SELL_ONLY',
  'AcceptTermsRequired',
  'InsufficientFunds',
  'InsufficientLiquidity',
  'InvalidInput',
  'InvalidPrice',
  'InvalidQuantity',
  'InvalidTotalSpend',
  'LimitPriceOffTick',
  'MarketClosed',
  'MarketNotOpen',
  // in its clients the exchange spells it in both ways
  'MustAccepTerms',
  'MustAcceptTerms',
  'OrderNotFound',
  'TERMS_NOT_ACCEPTED',
  'UnknownInstrument',
]);
/** Words of the authentication and of the limit of requests, which are checked before the order. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set([
  'InvalidNonce',
  'InvalidSignature',
  'MissingNonce',
  'MissingRole',
  'RateLimit',
]);

/** @returns the word of a refusal in one of the exchange's own forms; undefined for any other response */
export function wordOf(body: unknown): string | undefined {
  const said = geminiRefusal.safeParse(body).data;
  return said === undefined ? undefined : 'reason' in said ? String(said.reason) : String(said.error);
}

/**
 * Decides whether a response refuses an order: only with a documented word, in the form of the exchange's own responses. After any other
 * word, status or text the order is looked up. Pure.
 * @returns the word of the refusal; undefined if the response decides nothing
 */
export function refusalOf(status: number, body: unknown): string | undefined {
  const word = status === 400 || status === 406 || status === 422 ? wordOf(body) : undefined;
  return word !== undefined && WORDS.has(word) ? word : undefined;
}

/** Whether the exchange refused the request before it looked at the order. */
export function wasNotLookedAt(status: number, body: unknown): boolean {
  const word = status === 400 || status === 409 ? wordOf(body) : undefined;
  return word !== undefined && NOT_LOOKED_AT.has(word);
}

const ACTIVE_PATH = '/v1/prediction-markets/orders/active';
export const HISTORY_PATH = '/v1/prediction-markets/orders/history';
export const TRADES_PATH = '/v1/mytrades';
const ACTIVE_PAGE = 100;
const HISTORY_PAGE = 1_000;
const TRADES_PAGE = 500;
/** Fields of trades that are known although the exchange's document does not name them. */
const SEEN_OF_TRADES: ReadonlySet<string> = new Set(['is_clearing_fill', 'symbol']);
/** The symbols of prediction markets. Trades of other markets always name their symbol. */
const OURS = /^GEMI-/i;

export interface GeminiLists {
  /**
   * @param sent where and when the order was sent, if known
   * @throws VenueUnknown also if the order is not listed and something in the lists could be part of it: an order that cannot be read and
   * carries no id of ours, or a trade of an order that is not listed; or if it is not listed although the exchange's id of it is known
   */
  find(ourId: string, sent: SentOrder | undefined): Promise<Listed>;
  /** Trades of one order, oldest first. @param since when the order was made. @throws VenueUnknown */
  tradesOf(orderId: string, symbol: string, since: Date): Promise<readonly GeminiTrade[]>;
  /** Open orders and those that ended since then, of all senders. Unreadable orders of other senders are omitted. @throws VenueUnknown */
  ordersSince(since: Date): Promise<readonly GeminiOrder[]>;
  /**
   * Trades of prediction markets since then; only their heads are parsed.
   * @throws VenueUnknown
   */
  tradesSince(since: Date): Promise<readonly GeminiTradeHead[]>;
}

interface Listed {
  /** The order under our id, or under the exchange's id of it if that is known. */
  readonly order: GeminiOrder | undefined;
  /** Its trades, oldest first. */
  readonly trades: readonly GeminiTrade[];
  /** The listed orders that carry no id of ours. */
  readonly unnamed: readonly GeminiOrder[];
  /** Whether the same lists showed an order of ours, which proves that they work. */
  readonly readOthers: boolean;
}

interface Page {
  readonly orders: readonly GeminiOrder[];
  /** Orders that carry no id of ours and cannot be read. */
  readonly unreadable: readonly unknown[];
}

/**
 * The lists of our account: open orders, ended orders, and trades. Open orders are read before ended ones, so that an order that ends
 * meanwhile is not missed. Only trades have the prices and fees of fills.
 */
export function geminiLists(venue: string, rest: GeminiRest, note: Note): GeminiLists {
  async function page(path: string, parameters: object): Promise<Page> {
    const { orders: raw } = expectShape(venue, path, geminiOrders, await rest.ask(path, parameters));
    noteFields(note, 'gemini', 'OrderResponse', raw);
    const unreadable: unknown[] = [];
    const orders = raw.flatMap((one) => {
      const head = expectShape(venue, path, geminiOrderHead, one);
      // an order without any id cannot even be attributed to another sender
      const read = readable(venue, path, geminiOrder, one, !head.clientOrderId || ourIdOf(head) !== undefined);
      unreadable.push(...(read.length === 0 ? [one] : []));
      return read;
    });
    return { orders, unreadable };
  }

  const sizeOf = ({ orders, unreadable }: Page) => orders.length + unreadable.length;
  const joined = (...pages: readonly Page[]): Page => ({
    orders: pages.flatMap(({ orders }) => orders),
    unreadable: pages.flatMap(({ unreadable }) => unreadable),
  });

  async function active(symbol: object): Promise<Page> {
    const pages: Page[] = [];
    for (let offset = 0; ; offset += ACTIVE_PAGE) {
      const next = await page(ACTIVE_PATH, { ...symbol, limit: ACTIVE_PAGE, offset });
      pages.push(next);
      if (sizeOf(next) < ACTIVE_PAGE) {
        return joined(...pages);
      }
    }
  }

  /** The exchange does not page through a time window, so a full one is read again in halves. */
  async function ended(symbol: object, from: number, to: number): Promise<Page> {
    const whole = await page(HISTORY_PATH, { ...symbol, limit: HISTORY_PAGE, from, to });
    if (sizeOf(whole) < HISTORY_PAGE) {
      return whole;
    }
    const middle = Math.floor((from + to) / 2);
    if (middle === from) {
      throw misfit(venue, HISTORY_PATH, 'more orders ended in a millisecond than it lists', { from, to });
    }
    return joined(await ended(symbol, from, middle), await ended(symbol, middle, to));
  }

  /** An order that is read as open and then as ended is listed once, as ended. */
  async function ordersFrom(from: number, symbol: object): Promise<Page> {
    const { orders, unreadable } = joined(await active(symbol), await ended(symbol, from, Date.now() + CLOCKS_MS));
    return { orders: [...new Map(orders.map((order) => [order.orderId, order])).values()], unreadable };
  }

  /** Each page begins with the last moment of the previous one, until a page contains nothing new. */
  async function trades(since: Date, symbol: object): Promise<GeminiTradeHead[]> {
    const found = new Map<string, GeminiTradeHead>();
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
        from = Math.max(from, one.timestampms);
      }
      if (page.length < TRADES_PAGE || found.size === before) {
        return [...found.values()].filter((one) => OURS.test(one.symbol ?? 'GEMI-'));
      }
    }
  }

  const tradesAmong = (raw: readonly GeminiTradeHead[], orderId: string): readonly GeminiTrade[] =>
    readTrades(
      venue,
      raw.filter(({ order_id: of }) => of === orderId),
      () => true,
    );

  return {
    async find(ourId, sent) {
      const from = searchFromMs(ourId, sent?.sentAt);
      const symbol = sent === undefined ? {} : { symbol: sent.listingId };
      // read before the orders, so that each trade has its order in the lists
      const raw = await trades(new Date(from), symbol);
      const { orders, unreadable } = await ordersFrom(from, symbol);
      const order =
        orders.find((one) => ourIdOf(one) === ourId) ?? orders.find(({ orderId }) => orderId === sent?.venueRef);
      const unnamed = orders.filter((one) => ourIdOf(one) === undefined);
      const readOthers = unnamed.length < orders.length;
      if (order !== undefined) {
        return { order, trades: tradesAmong(raw, order.orderId), unnamed, readOthers };
      }
      if (sent?.venueRef !== undefined) {
        throw misfit(venue, 'orders', 'an order that the exchange has taken is not listed', { orderId: sent.venueRef });
      }
      const listed = new Set(orders.map(({ orderId }) => orderId));
      const stray = raw.filter(({ order_id: orderId }) => !listed.has(orderId));
      if (unreadable.length > 0 || stray.length > 0) {
        throw misfit(venue, 'orders', 'what is listed there could be this order', [...unreadable, ...stray]);
      }
      return { order, trades: [], unnamed, readOthers };
    },
    async tradesOf(orderId, symbol, since) {
      return tradesAmong(await trades(new Date(since.getTime() - CLOCKS_MS), { symbol }), orderId);
    },
    ordersSince: async (since) => (await ordersFrom(since.getTime(), {})).orders,
    async tradesSince(since) {
      const all = await trades(since, {});
      noteFields(note, 'gemini-rest', 'MyTrade', all, SEEN_OF_TRADES);
      return all;
    },
  };
}

/**
 * Trades that can be read, oldest first.
 * @param mustFit decides by the exchange's id of its order whether a trade must be readable
 * @throws VenueUnknown if such a trade cannot be read
 */
export function readTrades(
  venue: string,
  raw: readonly GeminiTradeHead[],
  mustFit: (orderId: string) => boolean,
): readonly GeminiTrade[] {
  const read = raw.flatMap((one) => readable(venue, TRADES_PATH, geminiTrade, one, mustFit(one.order_id)));
  return read.sort(
    (one, other) => one.timestampms - other.timestampms || (BigInt(one.tid) < BigInt(other.tid) ? -1 : 1),
  );
}

/** The average price of an order may be rounded to whole cents. */
const ROUNDED_MICROS = 5_000n;

/**
 * Makes the fills of an order from its trades. The exchange does not document whether the price of a trade is that of the traded outcome
 * or of YES, so the one whose average equals the average of the order is taken. Pure.
 *
 * @returns undefined while neither average fits, or while the trades do not add up to the filled quantity of the order
 */
export function fillsOf(
  order: GeminiOrder,
  trades: readonly GeminiTrade[],
  ourId: string,
  note: Note,
): VenueFill[] | undefined {
  const reversed = trades.find(({ break: said }) => said != null && said !== '');
  if (reversed !== undefined) {
    note('reversed trade', `${reversed.tid} ${reversed.break}`);
    return undefined;
  }
  if (trades.reduce((sum, { amount }) => sum + amount, 0n) !== order.filledQuantity) {
    return undefined;
  }
  const direct = trades.map(({ price }) => price);
  const mirrored = direct.map((price) => ONE_DOLLAR_MICROS - price);
  const fits = [direct, mirrored].filter((prices) => hasAverage(order, trades, prices));
  const same = direct.every((price, index) => price === mirrored[index]);
  const prices = fits[0];
  if (trades.length > 0 && (prices === undefined || (fits.length > 1 && !same))) {
    note('price of a fill', prices === undefined ? 'not that of its order' : 'of YES or NO');
    return undefined;
  }
  return trades.map((trade, index) => ({
    fillId: trade.tid,
    ourId,
    listingId: order.symbol,
    quantityMicros: trade.amount,
    priceMicros: prices?.[index] ?? trade.price,
    feeMicros: feeOf(trade, note),
    occurredAt: new Date(trade.timestampms),
  }));
}

function hasAverage(order: GeminiOrder, trades: readonly GeminiTrade[], prices: readonly bigint[]): boolean {
  const paid = trades.reduce((sum, { amount }, index) => sum + amount * (prices[index] ?? 0n), 0n);
  const said = (order.avgExecutionPrice ?? -ROUNDED_MICROS - 1n) * order.filledQuantity;
  const off = paid > said ? paid - said : said - paid;
  return off <= ROUNDED_MICROS * order.filledQuantity;
}

/** Null until the fee is known in dollars, exact to a millionth. */
function feeOf({ fee_amount: amount, fee_currency: currency }: GeminiTrade, note: Note): bigint | null {
  if (amount == null) {
    return null;
  }
  const fee = currency == null || currency.toUpperCase() === 'USD' ? decimalMicros(amount) : undefined;
  if (fee === undefined) {
    note('fee of a fill', `${amount} ${currency ?? ''}`);
  }
  return fee ?? null;
}
