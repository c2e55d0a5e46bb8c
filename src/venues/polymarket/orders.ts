/**
 * Our orders at Polymarket. An order takes what it finds at its worst price and leaves nothing behind (`FAK`); a buy names dollars,
 * a sale names shares. Its id there is its hash, known before it is sent. Nothing is filled before its trades are confirmed.
 */
import type { Hex } from 'viem';
import type { FoundOrder, MayWrite, OrderToPlace, PlaceAnswer, SentOrder, VenueFill, VenueOrder } from '../order.ts';
import { type Venue, VenueUnknown } from '../port.ts';
import { expectShape, misfit } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import type { Clob } from './clob.ts';
import { canPay } from './funds.ts';
import {
  type PolymarketOrder,
  type PolymarketTrade,
  polymarketOrder,
  polymarketRefusal,
  polymarketSent,
} from './order-schemas.ts';
import { madeMs, neededFor, prepareOrder } from './prepare-order.ts';
import { isDuplicate, leavesUnknown, reasonOf, wordsOf } from './refusals.ts';
import { isConfirmed, isFinal, isWhole, partsOf, readPart, readTrades } from './trades.ts';
import { type MarketTokens, type TermsReader, type TradingTerms, tokenOf } from './trading-terms.ts';

/** Longer than the API waits for a venue, so that a lost answer is seen as lost and not as slow. */
const PLACE_TIMEOUT_MS = 6_000;
/** Trades are looked for from before our id was made: clocks differ. */
const EARLIER_MS = 120_000;
const WORKING: ReadonlySet<string> = new Set(['LIVE', 'DELAYED', 'UNMATCHED']);
const ENDED: ReadonlySet<string> = new Set(['MATCHED', 'CANCELED', 'CANCELED_MARKET_RESOLVED', 'INVALID']);

export type PolymarketOrderSide = Required<
  Pick<Venue, 'prepareOrder' | 'placeOrder' | 'findOrder' | 'fills' | 'cancelOrder'>
>;

/** @param builder code that orders name */
export function polymarketOrderSide(
  venue: string,
  clob: Clob,
  terms: TermsReader,
  note: Note,
  builder?: Hex,
): PolymarketOrderSide {
  async function placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer> {
    const { prepared } = order;
    if (prepared === undefined) {
      throw new VenueUnknown(venue, 'the order was not prepared', { notTaken: true });
    }
    const { status, body } = await clob.call('POST', '/order', {
      body: prepared.payload,
      mayWrite,
      timeoutMs: PLACE_TIMEOUT_MS,
    });
    const refusal = polymarketRefusal.safeParse(body);
    const sent = polymarketSent.safeParse(body);
    const refused = refusal.success && status === 400 ? refusal.data.error : refusedBy(sent.data);
    if (refused !== undefined && isDuplicate(refused)) {
      // the same order is there already: what became of it is the answer
      const found = await findOrder(order.ourId, { ...order, venueRef: prepared.venueRef }).catch(orderIsThere);
      if (found.outcome === 'found') {
        return { outcome: 'accepted', order: found.order };
      }
      throw misfit(venue, 'order', 'a duplicate that cannot be found', body);
    }
    const reason = refused === undefined ? undefined : reasonOf(refused);
    if (reason !== undefined) {
      return { outcome: 'rejected', reason, order: null };
    }
    if (status !== 200 || sent.data?.success !== true) {
      if (refused === undefined || !leavesUnknown(refused)) {
        note('answer to an order', `${status} ${wordsOf(refused ?? sent.data?.status ?? '')}`.trim());
      }
      throw misfit(venue, 'order', `status ${status}`, body);
    }
    if (sent.data.orderID?.toLowerCase() !== prepared.venueRef) {
      throw misfit(venue, 'order', 'another order than the one sent', body);
    }
    return { outcome: 'accepted', order: asSent(order, prepared.venueRef) };
  }

  /** The order is at the exchange: a question about it that certainly was not taken leaves the order itself unknown. */
  function orderIsThere(cause: Error): never {
    throw cause instanceof VenueUnknown ? new VenueUnknown(venue, cause.message, { cause }) : cause;
  }

  function refOf(ourId: string, sent: SentOrder | undefined): { readonly ref: string; readonly sent: SentOrder } {
    if (sent?.venueRef === undefined) {
      throw new VenueUnknown(venue, `${ourId} has no reference of the venue, so it cannot be looked up`);
    }
    return { ref: sent.venueRef, sent };
  }

  async function tradesOf(
    ourId: string,
    ref: string,
    { conditionId }: MarketTokens,
    sentAt: Date | undefined,
  ): Promise<PolymarketTrade[]> {
    const earliest = Math.min(Number(madeMs(ourId)), sentAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const since = new Date(Math.max(0, earliest - EARLIER_MS));
    return (await readTrades(venue, clob, note, since, conditionId)).filter((trade) => trade.taker_order_id === ref);
  }

  function fillsOf(ourId: string, trades: readonly PolymarketTrade[], of: TradingTerms): VenueFill[] {
    return trades
      .filter(isConfirmed)
      .flatMap((trade) => partsOf(trade, clob.wallet.funder()))
      .map((part) => readPart(part, ourId, of));
  }

  async function readOrder(ref: string): Promise<PolymarketOrder | undefined> {
    const { status, body } = await clob.get(`/data/order/${encodeURIComponent(ref)}`);
    if (status !== 404) {
      return body === null ? undefined : expectShape(venue, 'order', polymarketOrder, body);
    }
    // a 404 that does not name the order is a gateway's
    if (!/order not found/i.test(polymarketRefusal.safeParse(body).data?.error ?? '')) {
      throw misfit(venue, 'order', 'status 404', body);
    }
    return undefined;
  }

  async function findOrder(ourId: string, asked?: SentOrder): Promise<FoundOrder> {
    const { ref, sent } = refOf(ourId, asked);
    const of = await terms.of(sent.listingId);
    const order = await readOrder(ref);
    const trades = await tradesOf(ourId, ref, of, sent.sentAt);
    const [first] = trades;
    const head = order ?? (first && { asset_id: first.asset_id, side: first.side });
    if (head === undefined) {
      return { outcome: 'not_found' };
    }
    const fills = fillsOf(ourId, trades, of);
    const matched = trades.reduce((sum, trade) => sum + trade.size, 0n);
    const state = stateOf(order, trades, matched, fills, note);
    return {
      outcome: 'found',
      order: {
        ourId,
        venueOrderId: ref,
        ...placeOf(head.asset_id, of),
        action: head.side,
        state,
        reason: state === 'rejected' ? 'invalid' : null,
        quantityMicros: order?.original_size ?? matched,
        fills,
      },
    };
  }

  return {
    async prepareOrder(order) {
      const [of, { apiKey }] = [await terms.of(order.listingId), await clob.credentials()];
      const prepared = await prepareOrder(order, of, clob.wallet, apiKey, builder);
      if ('unfit' in prepared) {
        return prepared;
      }
      const token = order.action === 'SELL' ? tokenOf(of, order.side) : undefined;
      return (await canPay(venue, clob, neededFor(order, of), of.contract, token)) ? prepared : { unfit: 'unpaid' };
    },
    placeOrder,
    findOrder,
    async fills(ourId, asked) {
      const { ref, sent } = refOf(ourId, asked);
      const of = await terms.of(sent.listingId);
      return fillsOf(ourId, await tradesOf(ourId, ref, of, sent.sentAt), of);
    },
    async cancelOrder(ourId, asked) {
      const { ref } = refOf(ourId, asked);
      const order = await readOrder(ref);
      if (order !== undefined && !hasEnded(order, note)) {
        // what it says of an order that closed meanwhile is read either way
        await clob.call('DELETE', '/order', { body: { orderID: ref } });
      }
      return findOrder(ourId, asked);
    },
  };
}

/** An order whose status is not known may still fill. */
export function hasEnded({ status }: PolymarketOrder, note: Note): boolean {
  if (!WORKING.has(status) && !ENDED.has(status)) {
    note('order status', status);
  }
  return ENDED.has(status);
}

/** Trades that failed leave nothing; one that is neither confirmed nor failed keeps the order open. */
function stateOf(
  order: PolymarketOrder | undefined,
  trades: readonly PolymarketTrade[],
  matched: bigint,
  fills: readonly VenueFill[],
  note: Note,
): VenueOrder['state'] {
  const known = new Set(trades.map(({ id }) => id));
  const complete =
    order === undefined ||
    (hasEnded(order, note) &&
      matched >= order.size_matched &&
      (order.associate_trades ?? []).every((id) => known.has(id)));
  if (!complete || !trades.every((trade) => isFinal(trade) && isWhole(trade))) {
    return 'working';
  }
  return order?.status === 'INVALID' && fills.length === 0 ? 'rejected' : 'closed';
}

/** A token that is neither of the listing's leads to another listing, which contradicts what was sent. */
function placeOf(token: string, { yes, no }: MarketTokens): Pick<VenueOrder, 'listingId' | 'side'> {
  return token === no ? { listingId: yes, side: 'NO' } : { listingId: token, side: 'YES' };
}

/** What is known of an order that was just taken: its trades are not confirmed yet. */
function asSent(order: OrderToPlace, venueOrderId: string): VenueOrder {
  const { ourId, listingId, side, action, quantityMicros } = order;
  return { ourId, venueOrderId, listingId, side, action, quantityMicros, state: 'working', reason: null, fills: [] };
}

function refusedBy(
  sent:
    | {
        readonly success: boolean;
        readonly errorMsg?: string | null | undefined;
        readonly status?: string | null | undefined;
      }
    | undefined,
): string | undefined {
  return sent?.success === false && sent.status !== 'delayed' ? (sent.errorMsg ?? '') : undefined;
}
