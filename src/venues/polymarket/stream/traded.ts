/** What was traded of each token, added up from the messages of the stream. Kept when a connection is replaced. */
import type { VenueTraded } from '../../listing.ts';
import type { TradeMessage } from './messages.ts';

interface Sum extends VenueTraded {
  /** The last message: the exchange may send one twice. */
  readonly last: string;
}

export interface TradedSums {
  take(trade: TradeMessage): void;
  of(token: string): VenueTraded | undefined;
  /** Only these tokens are kept. */
  keep(tokens: ReadonlySet<string>): void;
}

export function createTradedSums(): TradedSums {
  const sums = new Map<string, Sum>();
  return {
    take({ asset_id: token, price, size, side, timestamp }) {
      const last = `${timestamp} ${side} ${size} ${price}`;
      const before = sums.get(token);
      if (before?.last !== last) {
        sums.set(token, { quantityMicros: (before?.quantityMicros ?? 0n) + size, priceMicros: price, last });
      }
    },
    of(token) {
      const sum = sums.get(token);
      return sum && { quantityMicros: sum.quantityMicros, priceMicros: sum.priceMicros };
    },
    keep(tokens) {
      for (const token of sums.keys()) {
        if (!tokens.has(token)) {
          sums.delete(token);
        }
      }
    },
  };
}
