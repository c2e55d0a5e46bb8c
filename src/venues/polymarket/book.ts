/** Converts Polymarket's order books into the port's types. Pure. */
import type { z } from 'zod';
import type { VenueBook, VenueLevel } from '../listing.ts';
import type { polymarketBook } from './schemas.ts';

/** @param sequence rises with every book that this adapter returns, because the venue numbers none */
export function readPolymarketBook(
  book: z.output<typeof polymarketBook>,
  sequence: bigint,
  observedAt: Date,
): VenueBook {
  const good = (levels: readonly VenueLevel[]) => levels.filter((level) => level.quantityMicros > 0n);
  return {
    listingId: book.asset_id,
    bids: good(book.bids).sort((one, other) => (one.priceMicros > other.priceMicros ? -1 : 1)),
    asks: good(book.asks).sort((one, other) => (one.priceMicros < other.priceMicros ? -1 : 1)),
    sequence,
    observedAt,
    feed: 'rest',
  };
}
