/**
 * The listings of a venue, in neutral terms: events and their kinds, contracts, books, results and fees. The port returns them. The texts
 * that a venue wrote reach terminals and spreadsheets, so their control characters are removed here.
 */
import type { Resolution } from '../core/terms.ts';

export type VenueStatus = 'open' | 'closed' | 'paused' | 'resolved' | 'voided';
type VenueEventKind = 'binary' | 'mutually_exclusive' | 'cumulative_ladder' | 'ambiguous';
type VenueLocale = 'es' | 'pt' | 'hr';

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
  /** The same value on every venue that lists the same question; null if no equivalent is known. */
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
  /** Absolute address at the venue. It is fetched, but never published. */
  readonly imageUrl: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date;
  /** Micro-contracts traded, in total and in the last 24 hours. */
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  readonly status: VenueStatus;
  /** How a strike of this event is written: `${k}` or `{k}%`, with `{k}` for the number; null for other kinds. */
  readonly levelFormat: string | null;
  readonly translations: Partial<Record<VenueLocale, VenueEventWords>>;
  /** In the venue's order. */
  readonly markets: readonly VenueMarket[];
}

interface VenueEventWords {
  readonly title: string;
  readonly subtitle: string | null;
}

/** Both null for a contract without a strike. */
export interface VenueStrike {
  /** In the unit of the question. */
  readonly threshold: number | null;
  readonly direction: 'above' | 'below' | null;
}

/** One binary contract as one venue lists it: a listing. */
export interface VenueMarket extends VenueStrike {
  readonly listingId: string;
  readonly eventId: string;
  /** Like `VenueEvent.groupKey`, for the contract. */
  readonly groupKey: string | null;
  readonly label: string;
  /** A `data:` address or a public one, never the venue's own, so that it can be published unchanged. */
  readonly teamLogoUrl: string | null;
  /** `#rrggbb`. */
  readonly teamColor: string | null;
  readonly teamMarks: string | null;
  readonly teamAbbr: string | null;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
  /** The venue's rules for deciding the outcome, verbatim; null if it publishes none. */
  readonly rules: string | null;
  /** The sources from which the venue reads the outcome, verbatim. */
  readonly sources?: readonly VenueSource[];
  /** When the venue expects the result; null or missing if it names no time. */
  readonly resolvesAt?: Date | null;
  readonly sportsMarketType: string | null;
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
  /** The part of the venue whose collateral pays orders here; missing if the venue keeps all collateral in one place. */
  readonly part?: number | null;
  readonly translations: Partial<Record<VenueLocale, VenueMarketWords>>;
}

/** At least one field is known. */
export interface VenueSource {
  readonly name: string | null;
  readonly url: string | null;
}

interface VenueMarketWords {
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

/** The trades of a listing in the venue's stream since this process follows it. */
export interface VenueTraded {
  readonly quantityMicros: bigint;
  /** Price of YES in the last trade. */
  readonly priceMicros: bigint;
}

/** The YES side, best first, exactly as the venue reports it: a crossed book stays crossed. */
export interface VenueBook {
  readonly listingId: string;
  readonly bids: readonly VenueLevel[];
  readonly asks: readonly VenueLevel[];
  /** Rises with every change of this book, also after a restart of the venue. */
  readonly sequence: bigint;
  readonly observedAt: Date;
  readonly feed: 'websocket' | 'rest';
  /** Time of the book according to the venue; a heartbeat does not make it newer. */
  readonly asOf?: Date | undefined;
  /** Missing before the first trade, and if the volume of the listing contains it. */
  readonly traded?: VenueTraded | undefined;
}

export interface VenueCatalogue {
  readonly events: readonly VenueEvent[];
  /** Entries that were invalid and are not in `events`. */
  readonly invalid: readonly Invalid[];
}

/** A part of a venue's response that does not match the expected shape, kept verbatim as evidence. */
export interface Invalid {
  readonly about: string;
  readonly reason: string;
  readonly raw: unknown;
}

/** A change of an event or listing other than its book. `event` and `market` are complete, never patches. */
export type VenueChange =
  | { readonly type: 'event'; readonly event: VenueEvent }
  | { readonly type: 'market'; readonly market: VenueMarket }
  | {
      readonly type: 'match';
      readonly eventId: string;
      readonly liveMatch: VenueLiveMatch | null;
    }
  /** The dollar price of the coin of a five-minute event, from the source that decides the event. */
  | { readonly type: 'coin'; readonly eventId: string; readonly price: number; readonly at: Date };

/** Both models are linear in the quantity. */
export interface FeeSchedule {
  /** The base of the fee: `of_cost` is q * p, `of_variance` is q * p * (1 - p). */
  readonly model: 'of_cost' | 'of_variance';
  readonly bps: number;
  /** Charged in addition: basis points of the cost q * p that the venue collects for the broker of the order. */
  readonly brokerBps?: number;
  /** False if the rates are only the maximum that the venue may charge. */
  readonly known: boolean;
}

/**
 * The kind of an event, by one rule for all venues. A ladder has nested strikes: all of them in one direction, and none of them twice.
 * @param strikes of all its contracts
 * @param exclusive whether the venue states that exactly one of the contracts comes true
 * @param oneSubject whether all strikes are about the same thing; an event of sports may hold a ladder for each team
 */
export function kindOfStrikes(
  strikes: readonly VenueStrike[],
  { exclusive, oneSubject }: { readonly exclusive: boolean; readonly oneSubject: boolean },
): VenueEventKind {
  if (strikes.length === 1) {
    return 'binary';
  }
  if (exclusive) {
    return 'mutually_exclusive';
  }
  const [first] = strikes;
  const isNested =
    strikes.every(({ threshold, direction }) => threshold !== null && direction === first?.direction) &&
    new Set(strikes.map(({ threshold }) => threshold)).size === strikes.length;
  return oneSubject && isNested ? 'cumulative_ladder' : 'ambiguous';
}

/**
 * Control characters that a terminal may obey, and the NUL that PostgreSQL refuses. Line ends and tabs stay, because rules contain them.
 */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** The venue identifies things by these texts, so they stay as they are. */
const IDS: ReadonlySet<string> = new Set(['eventId', 'listingId', 'groupKey']);

/** The same event without control characters in its texts and those of its markets. */
export function withoutControls(event: VenueEvent): VenueEvent {
  return cleaned(event);
}

function cleaned<T>(value: T): T {
  if (typeof value === 'string') {
    return value.replace(CONTROLS, '') as T;
  }
  if (Array.isArray(value)) {
    return value.map(cleaned) as T;
  }
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const fields = Object.entries(value).map(([name, field]) => [name, IDS.has(name) ? field : cleaned(field)]);
    return Object.fromEntries(fields) as T;
  }
  return value;
}
