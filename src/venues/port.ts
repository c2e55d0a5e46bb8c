/**
 * What the service asks of an exchange, in neutral words: catalogue, books, orders by our own id, fills and fees.
 * Nothing here knows a money rule, a tenant or a table. An adapter parses strictly what a venue says; what does not
 * fit comes out as evidence (`Invalid`) and is never coerced into something that fits.
 */

export type VenueStatus = 'open' | 'closed' | 'paused' | 'resolved' | 'voided';
export type VenueEventKind = 'binary' | 'mutually_exclusive' | 'cumulative_ladder' | 'ambiguous';
export type VenueLocale = 'es' | 'pt' | 'hr';

/** How a contract ended. `SPLIT` pays YES `yesWorthMicros` and NO the rest of a dollar. */
export interface VenueResolution {
  readonly outcome: 'YES' | 'NO' | 'VOID' | 'SPLIT';
  /** Strictly between 0 and 1,000,000 for `SPLIT`, else null. */
  readonly yesWorthMicros: bigint | null;
  readonly resolvedAt: Date;
}

export interface VenueLiveMatch {
  readonly homeScore: number;
  readonly awayScore: number;
  /** As people say it: `1H`, `Q3`, `Set 2`. */
  readonly period: string;
  /** As people say it: `63'`, `04:12`; null where the sport keeps none. */
  readonly clock: string | null;
  readonly observedAt: Date;
}

export interface VenueEvent {
  /** The venue's own id of the event. */
  readonly eventId: string;
  /** The same on every venue that lists the same question, null where nothing is known to be equivalent. */
  readonly groupKey: string | null;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly category: string;
  /** Every shelf, `category` included. */
  readonly categories: readonly string[];
  readonly kind: VenueEventKind;
  readonly sport: string | null;
  readonly league: string | null;
  readonly eventType: 'game' | 'future' | null;
  readonly liveMatch: VenueLiveMatch | null;
  /** Absolute address at the venue; never shown to anybody, only fetched. */
  readonly imageUrl: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date;
  /** Micro-contracts traded, ever and in the last 24 hours. */
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  readonly status: VenueStatus;
  /** How a strike of this event is written, `${k}` or `{k}%`, with `{k}` for the number; null off ladders. */
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
  /** As `VenueEvent.groupKey`, for the contract. */
  readonly groupKey: string | null;
  readonly label: string;
  /** Publishable as it stands: a `data:` address or a public one, never the venue's own. */
  readonly teamLogoUrl: string | null;
  /** `#rrggbb`. */
  readonly teamColor: string | null;
  readonly teamMarks: string | null;
  readonly teamAbbr: string | null;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
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
  /** Price of the last trade on the YES side, null where none is known. */
  readonly lastPriceMicros: bigint | null;
  readonly resolution: VenueResolution | null;
  readonly fee: FeeSchedule;
  /** Limit prices are multiples of this, micro-dollars. */
  readonly tickMicros: bigint;
  readonly translations: Partial<Record<VenueLocale, VenueMarketWords>>;
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

/** The YES side, best first, exactly as the venue says it: a crossed book comes through crossed. */
export interface VenueBook {
  readonly listingId: string;
  readonly bids: readonly VenueLevel[];
  readonly asks: readonly VenueLevel[];
  /** Rises with every change of this book; survives the venue's restart. */
  readonly sequence: bigint;
  readonly observedAt: Date;
  readonly feed: 'websocket' | 'rest';
  /** Where the venue itself says how old the book is: no heartbeat makes it newer. */
  readonly asOf?: Date | undefined;
}

export interface VenueCatalogue {
  readonly events: readonly VenueEvent[];
  /** What the venue sent and did not fit, left out of `events`. */
  readonly invalid: readonly Invalid[];
}

/** What a venue said that fits no rule of this port, kept word for word. */
export interface Invalid {
  readonly about: string;
  readonly reason: string;
  readonly raw: unknown;
}

/** A change of a listing other than its book. `market` is whole, never a patch. */
export type VenueChange =
  | { readonly type: 'event'; readonly event: VenueEvent }
  | { readonly type: 'market'; readonly market: VenueMarket }
  | {
      readonly type: 'match';
      readonly eventId: string;
      readonly liveMatch: VenueLiveMatch | null;
    };

export interface WatchHandlers {
  /** Books that changed, in batches; also every book once after each (re)connection. */
  books(books: readonly VenueBook[]): void;
  changes(changes: readonly VenueChange[]): void;
  /** The connection is whole and unchanged books are current as of `at`. About once a second. */
  confirmed(at: Date): void;
  /** Books are whole again. Changes may have been missed before: read the catalogue. */
  up(): void;
  down(reason: string): void;
  invalid(evidence: Invalid): void;
}

export interface Watch {
  readonly connected: boolean;
  close(): Promise<void>;
}

/** Both models are linear in quantity. `known: false` means that `bps` is the highest the venue may take. */
export interface FeeSchedule {
  /** `of_cost`: q * p; `of_variance`: q * p * (1 - p). */
  readonly model: 'of_cost' | 'of_variance';
  readonly bps: number;
  readonly known: boolean;
}

export type Side = 'YES' | 'NO';
export type Action = 'BUY' | 'SELL';

/** A limit order that takes what it finds at once and leaves nothing behind. */
export interface OrderToPlace {
  /** Our own id at the venue: at most 64 characters of `A-Za-z0-9_-`, the same one never twice. */
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

/**
 * The outcome of a call is not known: time-out, reset, 5xx, an answer that does not parse. After `placeOrder` the
 * order may stand at the venue; only a look-up by our id can tell.
 */
export class VenueUnknown extends Error {
  override name = 'VenueUnknown';
  readonly venue: string;
  /** What was received, where anything was. */
  readonly evidence: Invalid | null;
  /** True where the request cannot have left this machine. */
  readonly neverSent: boolean;

  constructor(
    venue: string,
    message: string,
    options: { cause?: unknown; evidence?: Invalid; neverSent?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.venue = venue;
    this.evidence = options.evidence ?? null;
    this.neverSent = options.neverSent ?? false;
  }
}

export interface Venue {
  readonly name: string;
  /** Whether "not found" of `findOrder` covers every order that was ever received. */
  readonly lookupIsComplete: boolean;
  /** Whether `maxCostMicros` is honoured. */
  readonly takesCostBound: boolean;
  /** Quantities are multiples of this many micro-contracts. */
  readonly quantityStepMicros: bigint;
  /** Smallest quantity of one order, micro-contracts. */
  readonly minimumQuantityMicros: bigint;
  /** Smallest amount of one buy, in cents. */
  readonly minimumAmountMinor: bigint;

  /** Everything listed, resolved listings of the last days included. @throws VenueUnknown */
  catalogue(): Promise<VenueCatalogue>;
  /** A fresh book. @throws VenueUnknown; null where the venue knows no such listing. */
  book(listingId: string): Promise<VenueBook | null>;
  /** Follows books and changes; reconnects by itself until closed. Resolves once the first connection is asked for. */
  watch(handlers: WatchHandlers): Promise<Watch>;

  /** Sends once, never repeats by itself. @throws VenueUnknown */
  placeOrder(order: OrderToPlace): Promise<PlaceAnswer>;
  /** @throws VenueUnknown */
  findOrder(ourId: string): Promise<FoundOrder>;
  /**
   * All fills of our order so far, from the venue's own account where it keeps one apart from its orders; empty also for an
   * unknown order. @throws VenueUnknown
   */
  fills(ourId: string): Promise<readonly VenueFill[]>;
  /** Asks for the rest of a working order to be closed; the answer is the order as it then stands. @throws VenueUnknown */
  cancelOrder(ourId: string): Promise<FoundOrder>;
  /** @throws VenueUnknown; null where the venue knows no such listing. */
  feeSchedule(listingId: string): Promise<FeeSchedule | null>;
  close(): Promise<void>;
}
