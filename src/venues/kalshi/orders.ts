/**
 * Our orders at Kalshi. An order takes what it finds at its worst price and leaves nothing behind (`immediate_or_cancel`). NO
 * is the complement of YES: a bid of the YES book buys YES or sells NO, an ask buys NO or sells YES.
 */
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { microsDecimal } from '../decimal.ts';
import type { FoundOrder, MayWrite, OrderToPlace, PlaceAnswer, SentOrder, VenueFill, VenueOrder } from '../order.ts';
import { type Venue, VenueUnknown } from '../port.ts';
import { expectShape, misfit } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import { kalshiOrderLists } from './order-lists.ts';
import { type KalshiFill, type KalshiOrder, kalshiCreated, kalshiOneOrder, kalshiRefusal } from './order-schemas.ts';
import { openPayableOrders } from './parts/payable-orders.ts';
import { DEFAULT_PART, type KalshiParts } from './parts/read-parts.ts';
import { refusalOf } from './refusals.ts';
import type { KalshiRest } from './rest.ts';

/** Longer than the API waits for a venue, so that a lost answer is seen as lost and not as slow. */
const PLACE_TIMEOUT_MS = 6_000;
export type KalshiOrderSide = Required<
  Pick<Venue, 'prepareOrder' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'>
>;

type OrderSettings = Pick<KalshiSettings, 'subaccount' | 'orderGroups'>;

/** @param settings subaccount of our account, 0 to 63 (undefined: the primary one), and the groups that orders of each part name */
export function kalshiOrderSide(
  venue: string,
  rest: KalshiRest,
  parts: KalshiParts,
  note: Note,
  settings: OrderSettings,
): KalshiOrderSide {
  const lists = kalshiOrderLists(venue, rest, settings.subaccount);
  const payable = openPayableOrders(parts);

  async function placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer> {
    const part = order.part ?? (await parts.ofMarket(order.listingId));
    const { status, body } = await rest.call('POST', '/portfolio/events/orders', {
      body: orderBody(order, part, settings),
      mayWrite,
      timeoutMs: PLACE_TIMEOUT_MS,
    });
    payable.answered(order.ourId);
    const refused = refusalOf(status, body);
    if (refused !== undefined) {
      return { outcome: 'rejected', reason: refused, order: null };
    }
    if (status === 409) {
      // the same id is there already: what became of it is the answer
      const found = await sentAlready(() => findOrder(order.ourId, order));
      if (found.outcome === 'found') {
        return { outcome: 'accepted', order: found.order };
      }
      throw misfit(venue, 'order', 'a duplicate that cannot be found', body);
    }
    if (status >= 400) {
      note('answer to an order', `${status} ${kalshiRefusal.safeParse(body).data?.code ?? ''}`.trim());
      throw misfit(venue, 'order', `status ${status}`, body);
    }
    const created = expectShape(venue, 'order', kalshiCreated, body);
    if (created.client_order_id != null && created.client_order_id !== order.ourId) {
      throw misfit(venue, 'order', 'another order than the one sent', body);
    }
    const filled = created.fill_count;
    const fills = await sentAlready(() => fillsOf(created.order_id, order.ourId, order, filled));
    return {
      outcome: 'accepted',
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
        // 404 and 409 say that it closed meanwhile: what it is then is read either way
        await rest.call('DELETE', cancelPath(order, settings));
      }
      const { status, body } = await rest.get(`/portfolio/orders/${encodeURIComponent(order.order_id)}`);
      return status === 404
        ? findOrder(ourId, sent)
        : { outcome: 'found', order: await withFills(expectShape(venue, 'order', kalshiOneOrder, body).order, sent) };
    },
  };
}

/** A fill that the order counts and the list of fills does not show yet keeps the order open: it is asked about again. */
function stateOf(ended: boolean, filled: bigint, fills: readonly VenueFill[]): 'working' | 'closed' {
  return ended && fills.reduce((sum, fill) => sum + fill.quantityMicros, 0n) >= filled ? 'closed' : 'working';
}

/** The exchange knows sides of its YES book alone; which of the two a side was to us is known by what was sent. */
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

/** Where the part is not named, the exchange looks on part 0 alone. */
function cancelPath(order: KalshiOrder, { subaccount }: OrderSettings): string {
  const query = new URLSearchParams({
    market_ticker: order.ticker,
    exchange_index: String(order.exchange_index ?? DEFAULT_PART),
    ...(subaccount === undefined ? {} : { subaccount: String(subaccount) }),
  });
  return `/portfolio/events/orders/${encodeURIComponent(order.order_id)}?${query}`;
}

/** Without its part an order is routed by its market, and counts against the write limits of every part. */
function orderBody(order: OrderToPlace, part: number, { subaccount, orderGroups }: OrderSettings): object {
  const yesPrice = order.side === 'YES' ? order.limitPriceMicros : ONE_DOLLAR_MICROS - order.limitPriceMicros;
  const orderGroup = orderGroups.get(part);
  return {
    ticker: order.listingId,
    exchange_index: part,
    side: bookSideOf(order),
    count: microsDecimal(order.quantityMicros),
    price: fourPlaces(yesPrice),
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
    client_order_id: order.ourId,
    ...(subaccount === undefined ? {} : { subaccount }),
    ...(orderGroup === undefined ? {} : { order_group_id: orderGroup }),
  };
}

/** Dollars are taken with two to four decimal places. */
function fourPlaces(micros: bigint): string {
  const [whole, decimals = ''] = microsDecimal(micros).split('.');
  return `${whole}.${decimals.padEnd(4, '0')}`;
}
