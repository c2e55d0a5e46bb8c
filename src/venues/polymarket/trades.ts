/**
 * Trades of our orders at Polymarket. A trade is final when it is `CONFIRMED`: before that it may still fail, and moves nothing.
 * An order that meets several makers has one fill for each of them, at the maker's price.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import { noteFields } from '../documented.ts';
import type { VenueFill } from '../order.ts';
import { nextPageOf } from '../page-cursor.ts';
import { expectShape } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import type { Clob } from './clob.ts';
import { LAST_PAGE, type PolymarketTrade, polymarketTrades } from './order-schemas.ts';
import { type TradingTerms, takerFeeOf } from './trading-terms.ts';

/** Who a trade's part belongs to, and what it moved. */
export interface TradePart {
  readonly tradeId: string;
  /** The order's id at the exchange. */
  readonly orderRef: string;
  readonly token: string;
  readonly action: 'BUY' | 'SELL';
  readonly priceMicros: bigint;
  readonly sharesMicros: bigint;
  readonly partId: string;
  readonly taker: boolean;
  readonly at: Date;
}

const STATES = new Set(['MATCHED_NOT_BROADCASTED', 'MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED']);
const ROLES = new Set(['TAKER', 'MAKER']);

/** All trades since then, of one market or of all. A state that is new is noted; it is not final. @throws VenueUnknown */
export async function readTrades(
  venue: string,
  clob: Clob,
  note: Note,
  since: Date,
  conditionId?: string,
): Promise<PolymarketTrade[]> {
  const query = new URLSearchParams({
    maker_address: clob.wallet.funder(),
    after: String(Math.floor(since.getTime() / 1_000)),
  });
  if (conditionId !== undefined) {
    query.set('market', conditionId);
  }
  const trades: PolymarketTrade[] = [];
  const nextPage = nextPageOf(venue, 'trades', LAST_PAGE);
  for (;;) {
    const { body } = await clob.get(`/data/trades?${query}`);
    const page = expectShape(venue, 'trades', polymarketTrades, body);
    noteFields(note, 'polymarket-clob', 'Trade', page.data);
    for (const { status, trader_side: role } of page.data) {
      if (!STATES.has(status)) {
        note('trade status', status);
      }
      if (!ROLES.has(role)) {
        note('role in a trade', role);
      }
    }
    trades.push(...page.data);
    const cursor = nextPage(page.next_cursor);
    if (cursor === undefined) {
      return trades;
    }
    query.set('next_cursor', cursor);
  }
}

export const isFinal = ({ status }: PolymarketTrade): boolean => status === 'CONFIRMED' || status === 'FAILED';
export const isConfirmed = ({ status }: PolymarketTrade): boolean => status === 'CONFIRMED';
/** The makers that are listed add up to the trade; until they do, it is not booked, so that it is booked once (contract 18.12). */
export function isWhole({ status, trader_side: role, size, maker_orders: makers }: PolymarketTrade): boolean {
  const matched = (makers ?? []).reduce((sum, maker) => sum + maker.matched_amount, 0n);
  return role === 'MAKER' || status === 'FAILED' || (role === 'TAKER' && matched === size);
}

/** The parts of a trade that are ours. @param funder our address at the exchange. */
export function partsOf(trade: PolymarketTrade, funder: string): TradePart[] {
  const head = { tradeId: trade.id, at: trade.match_time };
  const makers = trade.maker_orders ?? [];
  if (trade.trader_side === 'MAKER') {
    return makers
      .filter((maker) => maker.maker_address.toLowerCase() === funder.toLowerCase())
      .map((maker) => ({
        ...head,
        orderRef: maker.order_id,
        token: maker.asset_id,
        // two buys of opposite outcomes match, and so do two sales
        action: maker.asset_id === trade.asset_id ? opposite(trade.side) : trade.side,
        priceMicros: maker.price,
        sharesMicros: maker.matched_amount,
        partId: `${trade.id}:${maker.order_id}`,
        taker: false,
      }));
  }
  const ours = { ...head, orderRef: trade.taker_order_id, token: trade.asset_id, action: trade.side, taker: true };
  if (!isWhole(trade)) {
    return [];
  }
  return makers.map((maker) => ({
    ...ours,
    priceMicros: maker.asset_id === trade.asset_id ? maker.price : ONE_DOLLAR_MICROS - maker.price,
    sharesMicros: maker.matched_amount,
    partId: `${trade.id}:${maker.order_id}`,
  }));
}

/** @param ourId under which the order was sent. */
export function readPart(part: TradePart, ourId: string, terms: TradingTerms): VenueFill {
  return {
    fillId: part.partId,
    ourId,
    listingId: terms.yes,
    quantityMicros: part.sharesMicros,
    priceMicros: part.priceMicros,
    // only takers pay
    ...(part.taker ? takerFeeOf(terms, part.priceMicros, part.sharesMicros) : { feeMicros: 0n }),
    occurredAt: part.at,
  };
}

function opposite(side: 'BUY' | 'SELL'): 'BUY' | 'SELL' {
  return side === 'BUY' ? 'SELL' : 'BUY';
}
