/** Kalshi's order books in the words of the port. Pure. */

import type { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { VenueBook, VenueLevel } from '../listing.ts';
import type { kalshiLadders } from './schemas.ts';

/**
 * @param ladders bids of YES and of NO; an ask of YES is a bid of NO from the other side
 * @param sequence rises with every book that this adapter returns, because the venue numbers none over REST
 */
export function readKalshiBook(
  listingId: string,
  ladders: Pick<z.output<typeof kalshiLadders>, 'yes_dollars' | 'no_dollars'>,
  sequence: bigint,
  observedAt: Date,
  feed: VenueBook['feed'] = 'rest',
): VenueBook {
  const best = (one: VenueLevel, other: VenueLevel) => (one.priceMicros > other.priceMicros ? -1 : 1);
  return {
    listingId,
    bids: [...ladders.yes_dollars].sort(best),
    asks: [...ladders.no_dollars]
      .sort(best)
      .map(({ priceMicros, quantityMicros }) => ({ priceMicros: ONE_DOLLAR_MICROS - priceMicros, quantityMicros })),
    sequence,
    observedAt,
    feed,
  };
}
