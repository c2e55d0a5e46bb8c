/** Our orders at a venue, in neutral words: what is sent, what is answered, and the fills. Types only; port.ts sends them. */
import type { Side } from '../core/terms.ts';
import type { FeeSchedule } from './listing.ts';

export type Action = 'BUY' | 'SELL';

/** A limit order that fills at once as far as possible and leaves nothing resting. */
export interface OrderToPlace {
  /** Our own id at the venue: at most 64 characters of `A-Za-z0-9_-`. A repeated id means the same order there. */
  readonly ourId: string;
  readonly listingId: string;
  /** The part of the venue where the listing lives, if it has parts and that is known. */
  readonly part?: number;
  /** The highest fee of the listing, as it was planned with. */
  readonly fee?: FeeSchedule;
  readonly side: Side;
  readonly action: Action;
  /** A multiple of the venue's quantity step. */
  readonly quantityMicros: bigint;
  /** Price of the traded side: the highest for a buy, the lowest for a sell. */
  readonly limitPriceMicros: bigint;
  /** Maximum of cost and fees together, in micro-dollars; only if `takesCostBound`. */
  readonly maxCostMicros?: bigint;
  /** What a buy spends before fees, in micro-dollars; only if `takesDollars`. A better price then fills more than the quantity. */
  readonly spendMicros?: bigint;
  /** What `prepareOrder` made of it. */
  readonly prepared?: PreparedOrder;
  /** After this time the venue itself refuses the order. */
  readonly expiresAt: Date;
}

/** An order made ready for a venue that names orders by what they say. */
export interface PreparedOrder {
  /** The order's id at the venue, known before it is sent. */
  readonly venueRef: string;
  /** Exactly what is sent. */
  readonly payload: object;
}

/** The order does not fit what the venue takes in this market now, so it is not sent. */
export interface UnfitOrder {
  /** `unpaid`: our account there cannot pay it, or has not allowed the venue to take the money. */
  readonly unfit: 'below_minimum' | 'off_grid' | 'unpaid';
}

/** What was sent under an id of ours. Not every venue finds an order by our id alone, or says which side it was. */
export interface SentOrder {
  readonly listingId: string;
  readonly side: Side;
  readonly action: Action;
  /** The order's id at the venue, if it was known before the order was sent. */
  readonly venueRef?: string | undefined;
  /** When the attempt was recorded, by the database's clock; missing while it is being sent. */
  readonly sentAt?: Date | undefined;
}

export interface VenueFill {
  /** Unique at the venue. */
  readonly fillId: string;
  readonly ourId: string;
  readonly listingId: string;
  /** Above 0, in micro-contracts. */
  readonly quantityMicros: bigint;
  /** Price of the traded side, 0 to 1,000,000. */
  readonly priceMicros: bigint;
  /** Micro-dollars for the whole fill; null until the venue knows it. */
  readonly feeMicros: bigint | null;
  /** The part of the fee that the venue collects for us, in micro-dollars; missing where there is none. */
  readonly earnedMicros?: bigint;
  readonly occurredAt: Date;
}

export interface VenueOrder {
  readonly ourId: string;
  /** The order's id at the venue. */
  readonly venueOrderId: string;
  readonly listingId: string;
  /** `working` may still fill, `closed` cannot. */
  readonly state: 'working' | 'closed' | 'rejected';
  /** The venue's reason for a refusal; null otherwise. */
  readonly reason: string | null;
  readonly side: Side;
  readonly action: Action;
  readonly quantityMicros: bigint;
  /** The part of the venue where it is, if it has parts. */
  readonly part?: number;
  /** In the order of matching. */
  readonly fills: readonly VenueFill[];
}

/** Accepted or refused: in both cases the venue has decided. Every other result throws `VenueUnknown`. */
export type PlaceAnswer =
  | { readonly outcome: 'accepted'; readonly order: VenueOrder }
  | { readonly outcome: 'rejected'; readonly reason: string; readonly order: VenueOrder | null };

export type FoundOrder =
  | { readonly outcome: 'found'; readonly order: VenueOrder }
  /** `readOthers`: another order of ours was read in the same list, so the list works. */
  | { readonly outcome: 'not_found'; readonly readOthers?: boolean };

/** Called right before the first byte of an order is written. If it returns false, nothing is written. */
export type MayWrite = () => boolean;
