/** Our orders at a venue, in neutral words: what is sent, what is answered, and the fills. Types only; port.ts sends them. */
import type { Side } from '../core/terms.ts';

export type Action = 'BUY' | 'SELL';

/** A limit order that takes what it finds at once and leaves nothing behind. */
export interface OrderToPlace {
  /** Our own id at the venue: at most 64 characters of `A-Za-z0-9_-`. The same one again is the same order there. */
  readonly ourId: string;
  readonly listingId: string;
  readonly side: Side;
  readonly action: Action;
  /** A multiple of the venue's step. */
  readonly quantityMicros: bigint;
  /** Price of the side traded: the dearest of a buy, the cheapest of a sell. */
  readonly limitPriceMicros: bigint;
  /** Bound on cost and fees together, in micro-dollars; only where `takesCostBound`. */
  readonly maxCostMicros?: bigint;
  /** After this moment the venue itself refuses the order. */
  readonly expiresAt: Date;
}

/** What was sent under an id of ours. Not every venue finds an order by our id alone, or says which side it was. */
export interface SentOrder {
  readonly listingId: string;
  readonly side: Side;
  readonly action: Action;
}

export interface VenueFill {
  /** Unique at the venue. */
  readonly fillId: string;
  readonly ourId: string;
  readonly listingId: string;
  /** Above 0, micro-contracts. */
  readonly quantityMicros: bigint;
  /** Price of the side traded, 0 to 1,000,000. */
  readonly priceMicros: bigint;
  /** Micro-dollars for the whole fill, null until the venue knows it. */
  readonly feeMicros: bigint | null;
  readonly occurredAt: Date;
}

export interface VenueOrder {
  readonly ourId: string;
  /** The venue's own id of the order. */
  readonly venueOrderId: string;
  readonly listingId: string;
  /** `working` may still fill, `closed` never will. */
  readonly state: 'working' | 'closed' | 'rejected';
  /** The venue's word for a refusal, null otherwise. */
  readonly reason: string | null;
  readonly side: Side;
  readonly action: Action;
  readonly quantityMicros: bigint;
  /** In the order of matching. */
  readonly fills: readonly VenueFill[];
}

/** Accepted or refused: in both cases the venue has decided. Anything else throws `VenueUnknown`. */
export type PlaceAnswer =
  | { readonly outcome: 'accepted'; readonly order: VenueOrder }
  | { readonly outcome: 'rejected'; readonly reason: string; readonly order: VenueOrder | null };

export type FoundOrder = { readonly outcome: 'found'; readonly order: VenueOrder } | { readonly outcome: 'not_found' };

/** Asked right before the first byte of an order is written; where it says no, nothing is written. */
export type MayWrite = () => boolean;
