/**
 * A tradeable binary contract (contract chapter 6) as the board keeps it, with its books. Pure data; it
 * prices nothing (price-rules.ts does) and renders nothing.
 */
import type { Resolution } from '../core/terms.ts';
import type { Level } from '../money/book.ts';
import type { FeeSchedule, VenueTraded } from '../venues/listing.ts';
import type { ContractTexts, Locale } from './translations.ts';

/** Contract 4.15: `closed` means no trading and not resolved, `paused` means withdrawn or halted. */
export type MarketStatus = 'open' | 'closed' | 'paused' | 'resolved' | 'voided';

export type Direction = 'above' | 'below';
export type FeedKind = 'websocket' | 'rest';

/**
 * One venue's book of a contract with prices of YES, best first. It is never rendered with its venue on a public
 * surface.
 */
export interface Book {
  readonly venue: string;
  readonly listingId: string;
  /** Empty, like `asks`, if the venue's book was crossed or locked (contract chapter 3). */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** When the venue last changed this book. */
  readonly updatedAt: Date;
  readonly feed: FeedKind;
  /** The venue's fee for a trade; `known: false` means that the rate is only an upper bound. */
  readonly fee: FeeSchedule;
  /** The smallest amount that may be sent to the venue, in cents. */
  readonly minimumMinor: bigint;
  /** The smallest quantity of one order there, in micro-contracts. */
  readonly minimumQuantityMicros: bigint;
  /** Quantities sent to the venue are multiples of this, in micro-contracts. */
  readonly quantityStepMicros: bigint;
  /** Limit prices sent to the venue are multiples of this, in micro-dollars. */
  readonly tickMicros: bigint;
  /** The part of the venue whose collateral pays its orders; null where the venue has one place for money. */
  readonly part: number | null;
  /** What was traded since the listing is followed, and the price of YES in the last trade; null where its volume says it. */
  readonly traded: VenueTraded | null;
  /** It belongs to another contract that a person matched with this one. */
  readonly matched: boolean;
  /** NO of the listing is YES of the contract; prices and sides here are those of the contract. */
  readonly inverse: boolean;
  /** Whether the venue's book was discarded because its ask was at or below its bid. */
  readonly crossed: boolean;
}

export interface BoardContract {
  readonly contractId: string;
  readonly eventId: string;
  readonly category: string;
  readonly label: string;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
  /** Texts by locale; a null text is shown in English. */
  readonly translations: Readonly<Partial<Record<Locale, ContractTexts>>>;
  readonly status: MarketStatus;
  readonly tradingClosed: boolean;
  readonly fiveMinute: boolean;
  readonly closesAt: Date;
  readonly teamLogoUrl: string | null;
  readonly teamColor: string | null;
  readonly teamMarks: readonly string[] | null;
  readonly teamAbbr: string | null;
  readonly sportsMarketType: string | null;
  readonly threshold: number | null;
  readonly direction: Direction | null;
  /** Index among the outcomes of its event in the venue's order, from 0. */
  readonly position: number;
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  /** The venue's last trade of YES and its own reference price, strictly between 0 and 1 dollar, or null. */
  readonly lastPriceMicros: bigint | null;
  readonly sourcePriceMicros: bigint | null;
  /** Reference price of YES 24 hours ago, for the movement part of the trending score; null if unknown. */
  readonly price24hAgoMicros: bigint | null;
  readonly resolution: Resolution | null;
  readonly splitYesMicros: bigint | null;
  readonly resolvedAt: Date | null;
  /** Rises whenever any book of the contract changes; a quote is bound to it. */
  readonly bookRevision: bigint;
  /** Those of its own listings first, the primary venue's before the others; then those of matched contracts. */
  readonly books: readonly Book[];
  /** Whether a person verified that the listings are one contract; a single listing is not routable. */
  readonly routable: boolean;
  readonly groupKey: string | null;
  readonly updatedAt: Date;
  readonly revision: bigint;
}
