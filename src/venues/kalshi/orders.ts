/**
 * Our orders at Kalshi: how they are sent, found in the lists of the account, cancelled and refused. An order fills up to its limit
 * price and leaves nothing resting (`immediate_or_cancel`). The exchange knows only the YES book: a bid buys YES or sells NO, an ask
 * buys NO or sells YES.
 */
import type { z } from 'zod';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { PLACE_TIMEOUT_MS, searchFromMs, sentAlready } from '../adapter.ts';
import type { FillReports } from '../fill-reports.ts';
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
import { expectShape, microsDecimal, misfit, nextPageOf } from '../shapes.ts';
import { DEFAULT_PART, type KalshiParts, openPayableOrders } from './parts.ts';
import type { KalshiRest, Subaccount } from './rest.ts';
import {
  type KalshiCreated,
  type KalshiFill,
  type KalshiOrder,
  kalshiCreated,
  kalshiCutoff,
  kalshiFills,
  kalshiOneOrder,
  kalshiOrders,
  kalshiRefusal,
  readableFills,
  readableOrders,
} from './shapes.ts';

type KalshiOrderSide = Required<Pick<Venue, 'prepareOrder' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'>>;

interface OrderSettings extends Pick<KalshiSettings, 'orderGroups'> {
  readonly subaccount: Subaccount;
}

/**
 * @param reports the fills that the private stream reports
 * @param settings the subaccount, and the order group of each part
 */
export function kalshiOrderSide(
  venue: string,
  rest: KalshiRest,
  parts: KalshiParts,
  note: Note,
  reports: FillReports<KalshiFill>,
  settings: OrderSettings,
): KalshiOrderSide {
  const lists = kalshiOrderLists(venue, rest, settings.subaccount);
  const payable = openPayableOrders(parts);

  async function placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer> {
    const part = order.part ?? (await parts.ofMarket(order.listingId));
    const { status, body } = await rest.call('POST', '/portfolio/events/orders', {
      body: orderBody(order, part, await settings.subaccount(), settings.orderGroups.get(part)),
      mayWrite,
      timeoutMs: PLACE_TIMEOUT_MS,
    });
    payable.answered(order.ourId);
    const code = status >= 400 ? kalshiRefusal.safeParse(body).data : undefined;
    if (code !== undefined && REFUSALS.has(code)) {
      return { outcome: 'rejected', reason: code, order: null };
    }
    if (status === 409 && code === DUPLICATE) {
      // the exchange already has an order with this id, so the state of that order is the result
      const found = await sentAlready(venue, () => findOrder(order.ourId, order));
      if (found.outcome === 'found') {
        return { outcome: 'accepted', order: found.order };
      }
      throw misfit(venue, 'order', 'a duplicate that cannot be found', body);
    }
    if (status >= 400) {
      note('answer to an order', `${status} ${code ?? ''}`.trim());
      throw misfit(venue, 'order', `status ${status}`, body);
    }
    const created = expectShape(venue, 'order', kalshiCreated, body);
    if (created.client_order_id != null && created.client_order_id !== order.ourId) {
      throw misfit(venue, 'order', 'another order than the one sent', body);
    }
    const filled = created.fill_count;
    const reported = await reportedFills(order, created);
    const fills = reported ?? (await sentAlready(venue, () => fillsOf(created.order_id, order.ourId, order, filled)));
    return {
      outcome: 'accepted',
      ...(reported !== null && created.average_fill_price != null ? { confirmed: reported } : {}),
      order: {
        ourId: order.ourId,
        venueOrderId: created.order_id,
        listingId: order.listingId,
        state: stateOf(true, filled, fills),
        reason: null,
        part,
        side: order.side,
        action: order.action,
        quantityMicros: order.quantityMicros,
        fills,
      },
    };
  }

  /** @returns what the stream reports of the order that the exchange has just filled; null if the list must be read */
  async function reportedFills(order: OrderToPlace, created: KalshiCreated): Promise<readonly VenueFill[] | null> {
    const reported = await reports.whole(created.order_id, created.fill_count);
    const fits = reported?.every((fill) => fill.ticker === order.listingId && fill.book_side === bookSideOf(order));
    return reported != null && fits === true && haveAverages(reported, created)
      ? reported.map((fill) => readFill(fill, order.ourId, order.side))
      : null;
  }

  async function findOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder> {
    const { order, readOthers } = await lists.find(ourId, sent);
    return order === undefined
      ? { outcome: 'not_found', readOthers }
      : { outcome: 'found', order: await withFills(order, sent) };
  }

  const lookFor = async (ourId: string, sent: SentOrder | undefined) => (await lists.find(ourId, sent)).order;

  async function withFills(order: KalshiOrder, sent: SentOrder | undefined): Promise<VenueOrder> {
    const ourId = order.client_order_id ?? order.order_id;
    const { side, action } = sideOf(order, sent);
    const fills = await fillsOf(order.order_id, ourId, { listingId: order.ticker, side, action }, order.fill_count_fp);
    return {
      ourId,
      venueOrderId: order.order_id,
      listingId: order.ticker,
      state: stateOf(hasEnded(order, note), order.fill_count_fp, fills),
      reason: null,
      part: order.exchange_index ?? DEFAULT_PART,
      side,
      action,
      quantityMicros: order.initial_count_fp,
      fills,
    };
  }

  async function fillsOf(orderId: string, ourId: string, sent: SentOrder, filled: bigint): Promise<VenueFill[]> {
    const fills = await lists.fillsOf(orderId, ourId, sent.listingId, filled);
    return fills.map((fill) => readFill(fill, ourId, sent.side));
  }

  return {
    prepareOrder: (order) => payable.check(order),
    placeOrder,
    findOrder,
    async fills(ourId, sent) {
      const order = await lookFor(ourId, sent);
      return order === undefined
        ? []
        : fillsOf(order.order_id, ourId, { listingId: order.ticker, ...sideOf(order, sent) }, order.fill_count_fp);
    },
    async cancelOrder(ourId, sent) {
      const order = await lookFor(ourId, sent);
      if (order === undefined) {
        return { outcome: 'not_found' };
      }
      if (order.status === 'resting') {
        // 404 and 409 mean that it closed meanwhile; its state is read below in any case
        await rest.call('DELETE', cancelPath(order, await settings.subaccount()));
      }
      const { status, body } = await rest.get(`/portfolio/orders/${encodeURIComponent(order.order_id)}`);
      return status === 404
        ? findOrder(ourId, sent)
        : { outcome: 'found', order: await withFills(expectShape(venue, 'order', kalshiOneOrder, body).order, sent) };
    },
  };
}

/** Names the part, because an order without it counts against the write limits of every part. */
function orderBody(order: OrderToPlace, part: number, subaccount: number, orderGroup: string | undefined): object {
  const yesPrice = order.side === 'YES' ? order.limitPriceMicros : ONE_DOLLAR_MICROS - order.limitPriceMicros;
  return {
    ticker: order.listingId,
    exchange_index: part,
    side: bookSideOf(order),
    count: microsDecimal(order.quantityMicros),
    price: fourPlaces(yesPrice),
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
    client_order_id: order.ourId,
    subaccount,
    ...(orderGroup === undefined ? {} : { order_group_id: orderGroup }),
  };
}

/** The exchange accepts dollars with two to four decimal places. */
function fourPlaces(micros: bigint): string {
  const [whole, decimals = ''] = microsDecimal(micros).split('.');
  return `${whole}.${decimals.padEnd(4, '0')}`;
}

/** Comes with status 409, like the codes of a pause, which are refusals. */
const DUPLICATE = 'order_already_exists';

/**
 * Codes that refuse an order: those of the documents, and those of recorded responses, which differ. After any other code, status or text
 * the order is looked up: `exchange_unavailable` leaves it unknown, and after `order_already_exists` the exchange has it.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'conflicting_leg_outcomes',
  'deprecated_v1_order_endpoint',
  'duplicated_legs',
  'exceeded_per_market_risk_limit',
  'exceeded_sell_position_floor',
  'exchange_is_paused',
  'exchange_paused',
  'fill_or_kill_insufficient_resting_volume',
  'fok_insufficient_volume',
  'immediate_or_cancelled',
  'insufficient_balance',
  'internal_error',
  'invalid_market_combination',
  'invalid_order',
  'invalid_order_size',
  'invalid_parameters',
  'invalid_price',
  'maker_cancel_for_self_trade_prevention',
  'market_already_closed',
  'market_inactive',
  'market_not_found',
  'not_found',
  'post_only_cross',
  'self_cross_attempt',
  'taker_cancel_for_self_trade_prevention',
  'trading_is_paused',
  'trading_paused',
]);

/** Half of the last digit of an average, which has four decimal places, rounded in either direction. */
const AVERAGE_ERROR_MICROS = 100n;

/** Whether the fills have the average price and fee that the response states. One that it does not state is not compared. */
function haveAverages(fills: readonly KalshiFill[], created: KalshiCreated): boolean {
  const { average_fill_price: price, average_fee_paid: fee, fill_count: filled } = created;
  const isNear = (stated: bigint | null | undefined, sum: bigint) => {
    const difference = stated == null ? 0n : sum / filled - stated;
    return difference <= AVERAGE_ERROR_MICROS && difference >= -AVERAGE_ERROR_MICROS;
  };
  const weight = fills.reduce((sum, fill) => sum + fill.yes_price_dollars * fill.count_fp, 0n);
  const fees = fills.reduce((sum, fill) => sum + (fill.fee_cost ?? 0n), 0n);
  return isNear(price, weight) && isNear(fee, fees * ONE_DOLLAR_MICROS);
}

/** An order stays working until the list shows all fills that the order counts, so that it is looked up again. */
function stateOf(ended: boolean, filled: bigint, fills: readonly VenueFill[]): 'working' | 'closed' {
  return ended && fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n) >= filled ? 'closed' : 'working';
}

/** The exchange reports only the side of its YES book; `sent` decides which of our two meanings it has. */
export function sideOf(order: Pick<KalshiOrder, 'book_side'>, sent?: SentOrder): Pick<SentOrder, 'side' | 'action'> {
  const fits = sent !== undefined && bookSideOf(sent) === order.book_side;
  if (fits) {
    return { side: sent.side, action: sent.action };
  }
  return order.book_side === 'bid' ? { side: 'YES', action: 'BUY' } : { side: 'NO', action: 'BUY' };
}

function bookSideOf({ side, action }: Pick<SentOrder, 'side' | 'action'>): 'bid' | 'ask' {
  return (side === 'YES') === (action === 'BUY') ? 'bid' : 'ask';
}

export function readFill(fill: KalshiFill, ourId: string, side: SentOrder['side']): VenueFill {
  return {
    fillId: fill.fill_id,
    ourId,
    listingId: fill.ticker,
    quantityMicros: fill.count_fp,
    priceMicros: side === 'YES' ? fill.yes_price_dollars : fill.no_price_dollars,
    feeMicros: fill.fee_cost ?? null,
    occurredAt: fill.created_time,
  };
}

/** An order whose status is not known may still fill. */
export function hasEnded({ status }: Pick<KalshiOrder, 'status'>, note: Note): boolean {
  const ended = status === 'canceled' || status === 'executed';
  if (!ended && status !== 'resting') {
    note('order status', status);
  }
  return ended;
}

/** Names the part, because without it the exchange looks on part 0 only. */
function cancelPath(order: KalshiOrder, subaccount: number): string {
  const query = new URLSearchParams({
    market_ticker: order.ticker,
    exchange_index: String(order.exchange_index ?? DEFAULT_PART),
    subaccount: String(subaccount),
  });
  return `/portfolio/events/orders/${encodeURIComponent(order.order_id)}?${query}`;
}

const PAGE = 1_000;
/** The longest page of deposits and withdrawals. */
const SMALL_PAGE = 500;

type Filter = Readonly<Record<string, string>>;
type Page = { cursor?: string | null | undefined };
type Cutoffs = z.output<typeof kalshiCutoff>;

interface OrderLists {
  /**
   * @param sent where and when the order was sent, if known
   * @returns the order, and whether the same lists showed another order of ours, which proves that they work
   * @throws VenueUnknown also for a 404, because every account has these lists
   */
  find(
    ourId: string,
    sent: SentOrder | undefined,
  ): Promise<{ readonly order: KalshiOrder | undefined; readonly readOthers: boolean }>;
  /** Fills of an order, oldest first. @param filled micro-contracts that the order itself counts as filled. @throws VenueUnknown */
  fillsOf(orderId: string, ourId: string, listingId: string, filled: bigint): Promise<readonly KalshiFill[]>;
  /** Unparsed orders of all senders, newest first. @param since Unix seconds. @throws VenueUnknown */
  ordersSince(since: number): Promise<readonly unknown[]>;
  /** Unparsed fills. @param since Unix seconds. @throws VenueUnknown */
  fillsSince(since: number): Promise<readonly unknown[]>;
  /** Every item of a live list. @throws VenueUnknown */
  all<Body extends Page, Item>(
    path: string,
    filter: Filter,
    shape: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): Promise<Item[]>;
  /** Every item of a live list that has no filters, not even by subaccount. @throws VenueUnknown */
  whole<Body extends Page, Item>(
    path: string,
    shape: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): Promise<Item[]>;
  /** The times before which items are only in the historical lists. @throws VenueUnknown */
  cutoffs(): Promise<Cutoffs>;
}

/**
 * The lists of our account: orders, fills and settled positions. Items older than the cut-off of a list are only in its historical
 * list. Cut-offs move at any time, so they are read anew after each live list: an item that moves meanwhile is in one of the two.
 */
export function kalshiOrderLists(venue: string, rest: KalshiRest, subaccount: Subaccount): OrderLists {
  const ours = async (filter: Filter): Promise<Filter> => ({
    limit: String(PAGE),
    subaccount: String(await subaccount()),
    ...filter,
  });

  async function* pages<Body extends Page, Item>(
    path: string,
    filter: Filter | Promise<Filter>,
    shape: z.ZodType<Body>,
    itemsOf: (body: Body) => readonly Item[],
  ): AsyncGenerator<readonly Item[]> {
    const query = new URLSearchParams(await filter);
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

  const orderPages = (path: string, filter: Filter) => pages(path, ours(filter), kalshiOrders, (body) => body.orders);
  const fillPages = (path: string, filter: Filter) => pages(path, ours(filter), kalshiFills, (body) => body.fills);

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

  /** The filters differ, because the historical list cannot be filtered by order. */
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
      for await (const page of orders(searchFrom(ourId, sent?.sentAt), filter)) {
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
        for await (const page of archivedFills(searchFrom(ourId), { ticker: listingId })) {
          take(page, (id) => id === orderId);
        }
      }
      return [...found.values()].reverse();
    },
    ordersSince: (since) => collect(orders(since, {})),
    fillsSince: (since) => collect(fills(since, { min_ts: String(since) }, {})),
    all: (path, filter, shape, itemsOf) => collect(pages(path, ours(filter), shape, itemsOf)),
    whole: (path, shape, itemsOf) => collect(pages(path, { limit: String(SMALL_PAGE) }, shape, itemsOf)),
    cutoffs,
  };
}

async function collect<Item>(pages: AsyncGenerator<readonly Item[]>): Promise<Item[]> {
  return (await Array.fromAsync(pages)).flat();
}

/** Unix seconds at which a search for an order begins. */
function searchFrom(ourId: string, sentAt?: Date): number {
  return Math.floor(searchFromMs(ourId, sentAt) / 1_000);
}
