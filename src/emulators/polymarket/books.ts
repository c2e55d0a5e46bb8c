/** The book of a market from the side of one token: a buy of one outcome is a sale of the other at the complement. */
import { DOLLAR, type Level, type Market } from './state.ts';

const mirrored = (levels: readonly Level[]): Level[] =>
  levels.map(({ price, count }) => ({ price: DOLLAR - price, count }));

/** Best first. */
export function bookOf(
  market: Market,
  token: string,
): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
  return token === market.tokens[0] ? market : { bids: mirrored(market.asks), asks: mirrored(market.bids) };
}

/** Takes from the best level that a buyer (`asks`) or a seller (`bids`) of this token meets. */
export function takeBest(market: Market, token: string, from: 'bids' | 'asks', count: bigint): void {
  const first = token === market.tokens[0];
  const levels = first === (from === 'asks') ? market.asks : market.bids;
  const best = levels[0];
  if (best === undefined || best.count <= count) {
    levels.shift();
  } else {
    levels[0] = { price: best.price, count: best.count - count };
  }
}

export function setBook(market: Market, bids: readonly Level[], asks: readonly Level[]): void {
  market.bids = bids.toSorted((one, other) => (one.price > other.price ? -1 : 1));
  market.asks = asks.toSorted((one, other) => (one.price < other.price ? -1 : 1));
}
