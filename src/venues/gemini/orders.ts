/**
 * Our orders at Gemini. An order takes what it finds at its worst price and leaves nothing behind (`immediate-or-cancel`), and names the
 * outcome that it trades. It carries our id; an answer that does not is no answer of this order.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import {
  type FoundOrder,
  isOurId,
  type MayWrite,
  type Note,
  type OrderToPlace,
  type PlaceAnswer,
  type SentOrder,
  type Venue,
  type VenueFill,
  type VenueOrder,
  VenueUnknown,
} from '../port.ts';
import { decimalMicros, expectShape, microsDecimal, misfit, noteFields, readable } from '../shapes.ts';
import type { Grid } from './catalogue.ts';
import type { GeminiRest } from './rest.ts';
import {
  type GeminiOrder,
  type GeminiTrade,
  geminiCancelled,
  geminiOrder,
  geminiOrderHead,
  geminiOrders,
  geminiRefusal,
  geminiTrade,
  geminiTradeHead,
  geminiTrades,
} from './shapes.ts';

const ORDER_PATH = '/v1/prediction-markets/order';
const CANCEL_PATH = '/v1/prediction-markets/order/batch/cancel';
/** Longer than the API waits for a venue, so that a lost answer is seen as lost and not as slow. */
const PLACE_TIMEOUT_MS = 6_000;
const ENDED: ReadonlySet<string> = new Set(['filled', 'cancelled', 'closed']);

export type GeminiOrderSide = Required<
  Pick<Venue, 'prepareOrder' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'>
>;

/** @param gridOf what orders of a contract must fit; undefined if it is not known. @throws VenueUnknown */
export function geminiOrderSide(
  venue: string,
  rest: GeminiRest,
  lists: GeminiLists,
  gridOf: (listingId: string) => Promise<Grid | undefined>,
  note: Note,
): GeminiOrderSide {
  async function placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer> {
    const { status, body } = await rest.call(ORDER_PATH, parametersOf(order), {
      mayWrite,
      timeoutMs: PLACE_TIMEOUT_MS,
    });
    const refused = refusalOf(status, body);
    if (refused !== undefined) {
      return { outcome: 'rejected', reason: refused, order: null };
    }
    if (wasNotLookedAt(status, body)) {
      throw new VenueUnknown(venue, `order: ${wordOf(body)}`, { notTaken: true, status });
    }
    if (wordOf(body) === 'DuplicateOrder') {
      const found = await sentAlready(() => findOrder(order.ourId, order));
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
    if (placed.clientOrderId !== order.ourId || !isOf(placed, order)) {
      throw misfit(venue, 'order', 'another order than the one sent, or one without our id', body);
    }
    return { outcome: 'accepted', order: await sentAlready(() => withFills(placed, order.ourId)) };
  }

  /** The order is at the exchange: a question about it that certainly was not taken leaves the order itself unknown. */
  async function sentAlready<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (cause) {
      throw cause instanceof VenueUnknown ? new VenueUnknown(venue, cause.message, { cause }) : cause;
    }
  }

  async function findOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder> {
    const { order, readOthers } = await lists.find(ourId, sent);
    return order === undefined
      ? { outcome: 'not_found', readOthers }
      : { outcome: 'found', order: await withFills(order, ourId) };
  }

  /** What is not told of its fills keeps an order open: it is asked about again. */
  async function withFills(order: GeminiOrder, ourId: string): Promise<VenueOrder> {
    const fills = await readFills(order, ourId);
    return asVenueOrder(order, fills, note);
  }

  async function readFills(order: GeminiOrder, ourId: string): Promise<VenueFill[] | undefined> {
    const trades =
      order.filledQuantity === 0n ? [] : await lists.tradesOf(order.orderId, order.symbol, order.createdAt);
    return fillsOf(order, trades, ourId, note);
  }

  return {
    /** Nothing is stored: the id of an order is ours. */
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
      const { order } = await lists.find(ourId, sent);
      return order === undefined ? [] : ((await readFills(order, ourId)) ?? []);
    },
    async cancelOrder(ourId, sent) {
      const { order } = await lists.find(ourId, sent);
      if (order === undefined) {
        return { outcome: 'not_found' };
      }
      if (!hasEnded(order, note)) {
        // one that has ended meanwhile is refused: what it is then is read either way
        const body = await rest.ask(CANCEL_PATH, { orderIds: [order.orderId] });
        expectShape(venue, CANCEL_PATH, geminiCancelled, body);
      }
      return findOrder(ourId, sent);
    },
  };
}

/** @param fills undefined while they are not told */
export function asVenueOrder(order: GeminiOrder, fills: readonly VenueFill[] | undefined, note: Note): VenueOrder {
  return {
    ourId: order.clientOrderId || order.orderId,
    venueOrderId: order.orderId,
    listingId: order.symbol,
    state: hasEnded(order, note) && fills !== undefined ? 'closed' : 'working',
    reason: null,
    side: order.outcome === 'yes' ? 'YES' : 'NO',
    action: order.side === 'buy' ? 'BUY' : 'SELL',
    quantityMicros: order.quantity,
    fills: fills ?? [],
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

function isOf(placed: GeminiOrder, order: OrderToPlace): boolean {
  const { symbol, outcome, side } = parametersOf(order);
  return (
    placed.symbol === symbol &&
    placed.outcome === outcome &&
    placed.side === side &&
    placed.quantity === order.quantityMicros
  );
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

// The lists of our account at Gemini: orders that are open, orders that have ended, and trades. An order is in one of
// the first two; they are read in that order, so that one that ends meanwhile is not missed. Prices and fees of its
// fills are in the list of trades alone.

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

/** An average may be rounded to whole cents. */
const ROUNDED_MICROS = 5_000n;

/**
 * Fills of our orders at Gemini, from the trades of the account. No document says whether the price of a trade is that of the outcome
 * that was traded, or of YES: it is the one whose average is the order's own. Where neither is, or the trades do not add up to what
 * the order says it filled, nothing is booked yet. Pure.
 *
 * @returns undefined while the trades do not tell what the order filled and at which prices
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

/** Null until it is known in dollars, to a millionth. */
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

// Which of Gemini's answers say that an order was not taken: its documented words, in the form of its own answers. Any
// other word, status or text is no answer, and the order is looked up. Pure.

/** `DuplicateOrder` says that an order of this id is there, so it is not among these. */
const WORDS: ReadonlySet<string> = new Set([
  'ACCOUNT_RESTRICTED_SELL_ONLY',
  'InsufficientFunds',
  'InsufficientLiquidity',
  'InvalidInput',
  'InvalidPrice',
  'InvalidQuantity',
  'InvalidTotalSpend',
  'LimitPriceOffTick',
  'MarketClosed',
  'MarketNotOpen',
  'MustAccepTerms',
  'TERMS_NOT_ACCEPTED',
  'UnknownInstrument',
]);
/** Of the authentication, which comes before the order. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set(['InvalidNonce', 'MissingNonce', 'InvalidSignature', 'MissingRole']);

/** The word of a refusal in one of the exchange's own forms. */
export function wordOf(body: unknown): string | undefined {
  const said = geminiRefusal.safeParse(body).data;
  return said === undefined ? undefined : 'reason' in said ? String(said.reason) : String(said.error);
}

/** @returns the word of a refusal of an order; undefined if the answer decides nothing */
export function refusalOf(status: number, body: unknown): string | undefined {
  const word = status === 400 || status === 406 || status === 422 ? wordOf(body) : undefined;
  return word !== undefined && WORDS.has(word) ? word : undefined;
}

/** The exchange did not look at what was asked: nothing is wrong with an order. */
export function wasNotLookedAt(status: number, body: unknown): boolean {
  const word = status === 400 || status === 409 ? wordOf(body) : undefined;
  return word !== undefined && NOT_LOOKED_AT.has(word);
}
