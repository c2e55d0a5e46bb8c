/**
 * Our orders at Gemini. An order takes what it finds at its worst price and leaves nothing behind (`immediate-or-cancel`), and names the
 * outcome that it trades. It carries our id; an answer that does not is no answer of this order.
 */
import { microsDecimal } from '../decimal.ts';
import type { FoundOrder, MayWrite, OrderToPlace, PlaceAnswer, SentOrder, VenueFill, VenueOrder } from '../order.ts';
import { type Venue, VenueUnknown } from '../port.ts';
import { expectShape, misfit } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import { fillsOf } from './fills.ts';
import type { GeminiLists } from './order-lists.ts';
import { type GeminiOrder, geminiCancelled, geminiOrder } from './order-schemas.ts';
import { refusalOf, wasNotLookedAt, wordOf } from './refusals.ts';
import type { GeminiRest } from './rest.ts';
import type { Grid } from './terms.ts';

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
