/** Converts Polymarket's order books into the port's types. Pure. */
import type { VenueBook, VenueLevel } from '../listing.ts';
import type { PolymarketBook } from './schemas.ts';

/**
 * @param sequence rises with every book that this adapter returns, because the venue numbers none
 * @param asOf until when the book is known to have been right, if that is earlier
 */
export function readPolymarketBook(
  book: Pick<PolymarketBook, 'asset_id' | 'bids' | 'asks'>,
  sequence: bigint,
  observedAt: Date,
  feed: VenueBook['feed'] = 'rest',
  asOf?: Date,
): VenueBook {
  const good = (levels: readonly VenueLevel[]) => levels.filter((level) => level.quantityMicros > 0n);
  return {
    listingId: book.asset_id,
    bids: good(book.bids).sort((one, other) => (one.priceMicros > other.priceMicros ? -1 : 1)),
    asks: good(book.asks).sort((one, other) => (one.priceMicros < other.priceMicros ? -1 : 1)),
    sequence,
    observedAt,
    feed,
    asOf,
  };
}
