/**
 * Events and contracts of the catalogue as the board keeps them, with their books: the status of an event, ids and
 * slugs, and the languages of their texts. It prices nothing and renders nothing.
 */
import { createHash } from 'node:crypto';
import type { Resolution } from '../core/terms.ts';
import type { Level } from '../money/book.ts';
import type { FeeSchedule, VenueTraded } from '../venues/listing.ts';

/** The four shapes of an event (contract chapter 5). */
type EventKind = 'binary' | 'mutually_exclusive' | 'cumulative_ladder' | 'ambiguous';

/** The state of a game in play (contract 5.11). */
export interface LiveMatch {
  readonly homeScore: number | null;
  readonly awayScore: number | null;
  readonly period: string | null;
  readonly clock: string | null;
  /** ISO-8601 UTC. */
  readonly observedAt: string;
}

export interface BoardEvent {
  readonly eventId: string;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly translations: Readonly<Partial<Record<Locale, EventTexts>>>;
  readonly category: string;
  /** All categories of the event; always contains `category`. */
  readonly categories: readonly string[];
  readonly sport: string | null;
  readonly league: string | null;
  readonly eventType: 'game' | 'future' | null;
  readonly liveMatch: LiveMatch | null;
  /** The address from which the picture is fetched once. It is never published. */
  readonly imageSourceUrl: string | null;
  readonly kind: EventKind;
  /** How a strike of this ladder is written, `${k}` or `{k}%`. The implied level is written like one. */
  readonly levelFormat: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly updatedAt: Date;
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  /** From `eventStatus`. */
  readonly status: MarketStatus;
  readonly fiveMinute: boolean;
  /** In the venue's order. */
  readonly contracts: readonly BoardContract[];
  /** The newest revision among the event and its contracts: rises with every change of any of them. */
  readonly revision: bigint;
}

/**
 * An event is open if any contract is open; otherwise paused if any is paused; otherwise closed if any is closed. An
 * event whose contracts are all resolved is voided only if every one is voided.
 */
export function eventStatus(contracts: readonly Pick<BoardContract, 'status'>[]): MarketStatus {
  const holds = (status: MarketStatus) => contracts.some((contract) => contract.status === status);
  if (holds('open')) {
    return 'open';
  }
  if (holds('paused')) {
    return 'paused';
  }
  if (holds('closed')) {
    return 'closed';
  }
  return holds('resolved') || contracts.length === 0 ? 'resolved' : 'voided';
}

/** Contract 4.15: `closed` means no trading and not resolved, `paused` means withdrawn or halted. */
export type MarketStatus = 'open' | 'closed' | 'paused' | 'resolved' | 'voided';

type Direction = 'above' | 'below';
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
  /** The part of the venue whose collateral pays its orders; null if the venue keeps all money in one place. */
  readonly part: number | null;
  /**
   * The quantity traded since the listing is followed, and the last price of YES; null if the volume of the contract
   * contains it.
   */
  readonly traded: VenueTraded | null;
  /** Whether it belongs to another contract, which a support person matched with this one. */
  readonly matched: boolean;
  /** Whether NO of the listing is YES of the contract. Prices and sides here are those of the contract. */
  readonly inverse: boolean;
  /** Whether the venue's book was discarded because its ask was at or below its bid. */
  readonly crossed: boolean;
}

/** A tradeable binary contract (contract chapter 6). */
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
  /** Rises whenever any book of the contract changes. A quote is bound to it. */
  readonly bookRevision: bigint;
  /** The books of its own listings, the primary venue's first, and then those of matched contracts. */
  readonly books: readonly Book[];
  /** Whether a support person verified that its listings are one contract. A contract with a single listing is not routable. */
  readonly routable: boolean;
  readonly groupKey: string | null;
  readonly updatedAt: Date;
  readonly revision: bigint;
}

type TradedContract = Pick<BoardContract, 'status' | 'tradingClosed' | 'closesAt'>;

/** Whether a contract cannot be traded now: it is paused, or trading has stopped for good. */
export function isTradingClosed(contract: TradedContract, now: Date): boolean {
  return contract.status === 'paused' || isTradingOver(contract, now);
}

/** Whether trading has stopped for good; a pause ends (contract 8.6). From `closesAt` on it has stopped, whatever the status is. */
export function isTradingOver({ status, tradingClosed, closesAt }: TradedContract, now: Date): boolean {
  return tradingClosed || (status !== 'open' && status !== 'paused') || closesAt <= now;
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 26;
const SLUG_LENGTH = 80;

/**
 * The id of a contract: permanent for the same listing, opaque, without the name of a venue.
 *
 * @param groupKey the group of listings that are known to be one contract; they share the id, whichever venue is read
 * first
 */
export function contractIdOf(venue: string, listingId: string, groupKey: string | null): string {
  return `ctr_${digest('contract', venue, listingId, groupKey)}`;
}

/** The id of an event; see `contractIdOf`. */
export function eventIdOf(venue: string, venueEventId: string, groupKey: string | null): string {
  return `evt_${digest('event', venue, venueEventId, groupKey)}`;
}

function digest(kind: string, venue: string, venueId: string, groupKey: string | null): string {
  const name = groupKey === null ? ['listing', venue, venueId] : ['group', groupKey];
  const bytes = createHash('sha256')
    .update(JSON.stringify([kind, ...name]))
    .digest();
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text.slice(0, ID_LENGTH);
}

/** The slug of a title: lower-case ASCII words, joined by hyphens. Ingestion makes duplicates distinct. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'event' : slug;
}

/** The languages of the catalogue beside English (contract 7.8, `locale`). */
export const LOCALES = ['es', 'pt', 'hr'] as const;
export type Locale = (typeof LOCALES)[number];

interface EventTexts {
  readonly title: string | null;
  readonly subtitle: string | null;
}

interface ContractTexts {
  readonly label: string | null;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
}
