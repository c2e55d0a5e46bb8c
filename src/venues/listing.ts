/** What a venue lists, in neutral words: events, their contracts, books, results and fees. Types only; port.ts asks for them. */
import type { Resolution } from '../core/terms.ts';

export type VenueStatus = 'open' | 'closed' | 'paused' | 'resolved' | 'voided';
export type VenueEventKind = 'binary' | 'mutually_exclusive' | 'cumulative_ladder' | 'ambiguous';
export type VenueLocale = 'es' | 'pt' | 'hr';

/** How a contract ended. `SPLIT` pays YES `yesWorthMicros` and NO the rest of a dollar. */
export interface VenueResolution {
  readonly outcome: Resolution;
  /** Strictly between 0 and 1,000,000 for `SPLIT`, else null. */
  readonly yesWorthMicros: bigint | null;
  readonly resolvedAt: Date;
}

export interface VenueLiveMatch {
  readonly homeScore: number;
  readonly awayScore: number;
  /** As it is displayed: `1H`, `Q3`, `Set 2`. */
  readonly period: string;
  /** As it is displayed: `63'`, `04:12`; null for a sport without a clock. */
  readonly clock: string | null;
  readonly observedAt: Date;
}

export interface VenueEvent {
  /** The venue's own id of the event. */
  readonly eventId: string;
  /** The same on every venue that lists the same question; null if no equivalent is known. */
  readonly groupKey: string | null;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly category: string;
  /** All categories, including `category`. */
  readonly categories: readonly string[];
  readonly kind: VenueEventKind;
  readonly sport: string | null;
  readonly league: string | null;
  readonly eventType: 'game' | 'future' | null;
  readonly liveMatch: VenueLiveMatch | null;
  /** Absolute address at the venue. It is only fetched, never published. */
  readonly imageUrl: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date;
  /** Micro-contracts traded, in total and in the last 24 hours. */
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  readonly status: VenueStatus;
  /** How a strike of this event is written, `${k}` or `{k}%`, where `{k}` is the number; null for other kinds. */
  readonly levelFormat: string | null;
  readonly translations: Partial<Record<VenueLocale, VenueEventWords>>;
  /** In the venue's order. */
  readonly markets: readonly VenueMarket[];
}

export interface VenueEventWords {
  readonly title: string;
  readonly subtitle: string | null;
}

/** One binary contract as one venue lists it: a listing. */
export interface VenueMarket {
  readonly listingId: string;
  readonly eventId: string;
  /** Like `VenueEvent.groupKey`, for the contract. */
  readonly groupKey: string | null;
  readonly label: string;
  /** Can be published unchanged: a `data:` address or a public one, never the venue's own. */
  readonly teamLogoUrl: string | null;
  /** `#rrggbb`. */
  readonly teamColor: string | null;
  readonly teamMarks: string | null;
  readonly teamAbbr: string | null;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
  /** The venue's rules for deciding the outcome, verbatim; null if it publishes none. */
  readonly rules: string | null;
  /** What the venue reads the outcome from, verbatim. */
  readonly sources?: readonly VenueSource[];
  /** When the venue expects the result; null or missing if it names no time. */
  readonly resolvesAt?: Date | null;
  readonly sportsMarketType: string | null;
  /** The strike, in the unit of the question. */
  readonly threshold: number | null;
  readonly direction: 'above' | 'below' | null;
  readonly fiveMinute: boolean;
  readonly status: VenueStatus;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  /** Price of the last trade on the YES side; null if unknown. */
  readonly lastPriceMicros: bigint | null;
  readonly resolution: VenueResolution | null;
  readonly fee: FeeSchedule;
  /** Limit prices are multiples of this, in micro-dollars. */
  readonly tickMicros: bigint;
  /** The part of the venue whose collateral pays orders here; missing where a venue has one place for money. */
  readonly part?: number | null;
  readonly translations: Partial<Record<VenueLocale, VenueMarketWords>>;
}

/** At least one of both is known. */
export interface VenueSource {
  readonly name: string | null;
  readonly url: string | null;
}

export interface VenueMarketWords {
  readonly label: string;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
}

export interface VenueLevel {
  /** 0 to 1,000,000. */
  readonly priceMicros: bigint;
  /** Above 0. */
  readonly quantityMicros: bigint;
}

/** What was traded of a listing since this process follows it, as the venue's stream says. */
export interface VenueTraded {
  readonly quantityMicros: bigint;
  /** Price of YES in the last trade. */
  readonly priceMicros: bigint;
}

/** The YES side, best first, exactly as the venue reports it; a crossed book remains crossed. */
export interface VenueBook {
  readonly listingId: string;
  readonly bids: readonly VenueLevel[];
  readonly asks: readonly VenueLevel[];
  /** Rises with every change of this book, also after a restart of the venue. */
  readonly sequence: bigint;
  readonly observedAt: Date;
  readonly feed: 'websocket' | 'rest';
  /** The age of the book according to the venue; a heartbeat does not make it newer. */
  readonly asOf?: Date | undefined;
  /** Missing before the first trade, and where the volume of the listing says it. */
  readonly traded?: VenueTraded | undefined;
}

export interface VenueCatalogue {
  readonly events: readonly VenueEvent[];
  /** Entries that were invalid and are not in `events`. */
  readonly invalid: readonly Invalid[];
}

/** A part of a venue's response that does not match the expected shape, kept verbatim. */
export interface Invalid {
  readonly about: string;
  readonly reason: string;
  readonly raw: unknown;
}

/** A change of a listing other than its book, or of what it is about. `market` is complete, never a patch. */
export type VenueChange =
  | { readonly type: 'event'; readonly event: VenueEvent }
  | { readonly type: 'market'; readonly market: VenueMarket }
  | {
      readonly type: 'match';
      readonly eventId: string;
      readonly liveMatch: VenueLiveMatch | null;
    }
  /** The price in dollars of the coin that a five-minute event is about, from the source that decides the event. */
  | { readonly type: 'coin'; readonly eventId: string; readonly price: number; readonly at: Date };

/**
 * Both models are linear in quantity. `known: false` means that the rates are only the maximum that the venue may charge.
 */
export interface FeeSchedule {
  /** `of_cost`: q * p; `of_variance`: q * p * (1 - p). */
  readonly model: 'of_cost' | 'of_variance';
  readonly bps: number;
  /** Charged beside it: basis points of the cost, q * p, that the venue collects for whoever brings it the order. */
  readonly brokerBps?: number;
  readonly known: boolean;
}
