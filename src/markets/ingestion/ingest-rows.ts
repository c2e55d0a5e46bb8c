/**
 * The rows that `ingest_board` takes, field by field, and how the reports of venues become such rows. It validates
 * nothing; rows that equal the last ones are dropped, and rules are published without the names of venues.
 */
import { createHash } from 'node:crypto';
import { type RowType, rowType } from '../../db/row-type.ts';
import type { FeeSchedule, VenueBook, VenueEvent, VenueMarket, VenueResolution } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import { contractIdOf, eventIdOf, slugOf } from '../event.ts';

type EventFacts = Omit<VenueEvent, 'groupKey' | 'status' | 'markets' | 'imageUrl'>;

/** An event as one venue describes it. `rank` is the place of the venue in the deployment's list. */
interface IngestedEvent extends EventFacts {
  readonly rank: number;
  readonly imageSourceUrl: string | null;
}

type MarketFacts = Omit<
  VenueMarket,
  | 'status'
  | 'rules'
  | 'sources'
  | 'resolvesAt'
  | 'opensAt'
  | 'teamMarks'
  | 'resolution'
  | 'fee'
  | 'volumeMicros'
  | 'volume24hMicros'
>;

/** A contract and its listing. `position` is the place of the market in its event, from 0. */
interface IngestedContract extends MarketFacts {
  readonly venue: string;
  readonly contractId: string;
  readonly category: string;
  readonly rank: number;
  readonly position: number;
  readonly venueStatus: VenueMarket['status'];
  readonly teamMarks: readonly string[] | null;
  readonly volumeMicros: bigint;
  readonly volume24hMicros: bigint;
  readonly resolution: VenueResolution['outcome'] | null;
  readonly splitYesMicros: bigint | null;
  readonly resolvedAt: Date | null;
  readonly feeModel: FeeSchedule['model'];
  readonly feeBps: number;
  readonly feeKnown: boolean;
  readonly feeBrokerBps: number;
  readonly minimumMinor: bigint;
  readonly minimumQuantityMicros: bigint;
  readonly quantityStepMicros: bigint;
  readonly terms: string;
  readonly wording: object;
  readonly rules: PublicRules | null;
}

export interface BookRow {
  readonly venue: string;
  readonly listingId: string;
  readonly bidPrices: readonly number[];
  readonly bidSizes: readonly number[];
  readonly askPrices: readonly number[];
  readonly askSizes: readonly number[];
  readonly feed: VenueBook['feed'];
  readonly sequence: bigint;
  readonly session: number;
  readonly updatedAt: Date;
  /** On the clock of this process, like `VenueFeedState.confirmedAt`. */
  readonly confirmedAt: Date;
  readonly tradedMicros: bigint | null;
  readonly tradedPriceMicros: bigint | null;
}

/** The price of the coin that an event is about, in dollars. */
export interface CoinRow {
  readonly eventId: string;
  readonly at: Date;
  readonly coinPrice: number;
}

export interface VenueFeedState {
  readonly venue: string;
  readonly connected: boolean;
  /** The connection, identified by the millisecond of its first books; null keeps the stored value. */
  readonly session: number | null;
  /** On the clock of this process. */
  readonly confirmedAt: Date | null;
  readonly lastSyncAt: Date | null;
}

export const EVENT_ROW = rowType<IngestedEvent>({
  eventId: 'text',
  slug: 'text',
  rank: 'smallint',
  title: 'text',
  subtitle: 'text',
  translations: 'jsonb',
  category: 'text',
  categories: 'text[]',
  sport: 'text',
  league: 'text',
  eventType: 'text',
  liveMatch: 'jsonb',
  imageSourceUrl: 'text',
  kind: 'text',
  levelFormat: 'text',
  opensAt: 'timestamp with time zone',
  closesAt: 'timestamp with time zone',
  volumeMicros: 'bigint',
  volume24hMicros: 'bigint',
});

export const CONTRACT_ROW = rowType<IngestedContract>({
  venue: 'text',
  listingId: 'text',
  contractId: 'text',
  eventId: 'text',
  category: 'text',
  rank: 'smallint',
  position: 'integer',
  groupKey: 'text',
  fiveMinute: 'boolean',
  closesAt: 'timestamp with time zone',
  venueStatus: 'text',
  label: 'text',
  yesLabel: 'text',
  noLabel: 'text',
  translations: 'jsonb',
  teamLogoUrl: 'text',
  teamColor: 'text',
  teamMarks: 'text[]',
  teamAbbr: 'text',
  sportsMarketType: 'text',
  threshold: 'numeric',
  direction: 'text',
  volumeMicros: 'bigint',
  volume24hMicros: 'bigint',
  lastPriceMicros: 'bigint',
  resolution: 'text',
  splitYesMicros: 'bigint',
  resolvedAt: 'timestamp with time zone',
  feeModel: 'text',
  feeBps: 'integer',
  feeKnown: 'boolean',
  feeBrokerBps: 'integer',
  minimumMinor: 'bigint',
  minimumQuantityMicros: 'bigint',
  quantityStepMicros: 'bigint',
  tickMicros: 'bigint',
  part: 'smallint',
  terms: 'text',
  wording: 'jsonb',
  rules: 'jsonb',
});

export const BOOK_ROW = rowType<BookRow>({
  venue: 'text',
  listingId: 'text',
  bidPrices: 'bigint[]',
  bidSizes: 'bigint[]',
  askPrices: 'bigint[]',
  askSizes: 'bigint[]',
  feed: 'text',
  sequence: 'bigint',
  session: 'bigint',
  updatedAt: 'timestamp with time zone',
  confirmedAt: 'timestamp with time zone',
  tradedMicros: 'bigint',
  tradedPriceMicros: 'bigint',
});

export const COIN_ROW = rowType<CoinRow>({
  eventId: 'text',
  at: 'timestamp with time zone',
  coinPrice: 'numeric',
});

export const VENUE_FEED_STATE = rowType<VenueFeedState>({
  venue: 'text',
  connected: 'boolean',
  session: 'bigint',
  confirmedAt: 'timestamp with time zone',
  lastSyncAt: 'timestamp with time zone',
});

/** A row with its key; two rows with the same key and digest have the same content. */
export interface IngestRow {
  readonly key: string;
  readonly digest: string;
  /** The row as a JSON object, with its digest. */
  readonly json: string;
}

/** The part of an event that the rows of its markets need. */
interface EventPlace {
  readonly eventId: string;
  readonly title: string;
  readonly category: string;
}

export function placeOf(venue: string, event: VenueEvent): EventPlace {
  const { eventId, groupKey, title, category } = event;
  return { eventId: eventIdOf(venue, eventId, groupKey), title, category };
}

/**
 * @param rank index of the venue in the deployment's list; if several venues list an event, the one of the lowest rank
 * describes it
 */
export function eventRow(venue: string, rank: number, event: VenueEvent): IngestRow {
  const eventId = eventIdOf(venue, event.eventId, event.groupKey);
  return row(`${venue}:${eventId}`, EVENT_ROW, {
    eventId,
    slug: slugOf(event.title),
    rank,
    title: event.title,
    subtitle: event.subtitle,
    translations: event.translations,
    category: event.category,
    categories: event.categories.includes(event.category) ? event.categories : [event.category, ...event.categories],
    sport: event.sport,
    league: event.league,
    eventType: event.eventType,
    liveMatch: event.liveMatch,
    imageSourceUrl: event.imageUrl,
    kind: event.kind,
    levelFormat: event.levelFormat,
    opensAt: event.opensAt,
    closesAt: event.closesAt,
    volumeMicros: event.volumeMicros,
    volume24hMicros: event.volume24hMicros,
  });
}

/** @param position index of the market in its event, from 0 */
export function contractRow(
  venue: Venue,
  rank: number,
  place: EventPlace,
  position: number,
  market: VenueMarket,
): IngestRow {
  return row(`${venue.name}:${market.listingId}`, CONTRACT_ROW, {
    venue: venue.name,
    listingId: market.listingId,
    contractId: contractIdOf(venue.name, market.listingId, market.groupKey),
    eventId: place.eventId,
    category: place.category,
    rank,
    position,
    groupKey: market.groupKey,
    fiveMinute: market.fiveMinute,
    closesAt: market.closesAt,
    venueStatus: market.status,
    label: market.label,
    yesLabel: market.yesLabel,
    noLabel: market.noLabel,
    translations: market.translations,
    teamLogoUrl: market.teamLogoUrl,
    teamColor: market.teamColor,
    teamMarks: market.teamMarks === null ? null : [market.teamMarks],
    teamAbbr: market.teamAbbr,
    sportsMarketType: market.sportsMarketType,
    threshold: market.threshold,
    direction: market.direction,
    volumeMicros: market.volumeMicros,
    volume24hMicros: market.volume24hMicros,
    lastPriceMicros: market.lastPriceMicros,
    resolution: market.resolution?.outcome ?? null,
    splitYesMicros: market.resolution?.yesWorthMicros ?? null,
    resolvedAt: market.resolution?.resolvedAt ?? null,
    feeModel: market.fee.model,
    feeBps: market.fee.bps,
    feeKnown: market.fee.known,
    feeBrokerBps: market.fee.brokerBps ?? 0,
    minimumMinor: venue.minimumAmountMinor,
    minimumQuantityMicros: venue.minimumQuantityMicros,
    quantityStepMicros: venue.quantityStepMicros,
    tickMicros: market.tickMicros,
    part: market.part ?? null,
    terms: termsOf(market),
    wording: wordingOf(place.title, market),
    rules: publicRules(market),
  });
}

/** No connection has this number, so heartbeats do not confirm a book that has it. */
const NO_SESSION = 0;

/**
 * @param session the connection that delivered the book, in milliseconds since 1970
 * @param now the time of confirmation, unless the venue's own timestamp is earlier
 */
export function bookRow(venue: string, session: number, now: Date, book: VenueBook): BookRow {
  return {
    venue,
    listingId: book.listingId,
    bidPrices: book.bids.map(({ priceMicros }) => Number(priceMicros)),
    bidSizes: book.bids.map(({ quantityMicros }) => Number(quantityMicros)),
    askPrices: book.asks.map(({ priceMicros }) => Number(priceMicros)),
    askSizes: book.asks.map(({ quantityMicros }) => Number(quantityMicros)),
    feed: book.feed,
    sequence: book.sequence,
    session: book.asOf === undefined ? session : NO_SESSION,
    updatedAt: book.observedAt,
    confirmedAt: book.asOf === undefined ? now : earlier(book.asOf, now),
    tradedMicros: book.traded?.quantityMicros ?? null,
    tradedPriceMicros: book.traded?.priceMicros ?? null,
  };
}

export function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** A digest of the terms that a support person compares to match two listings. If it changes, the match ends. */
function termsOf({ rules, closesAt, label, yesLabel, noLabel }: VenueMarket): string {
  return digestOf(JSON.stringify({ rules, closesAt, label, yesLabel, noLabel }));
}

/** The wording that a support person reads to match two listings, word for word from the venue. */
function wordingOf(title: string, { label, yesLabel, noLabel, rules, sources = [], closesAt }: VenueMarket) {
  const source = sources.map(({ name, url }) => [name, url].filter(Boolean).join(' ')).join(', ') || null;
  return { title, label, yesLabel, noLabel, rules, source, closesAt };
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

function row<T>(key: string, type: RowType<T>, values: T): IngestRow {
  const members = type.members(values);
  const digest = digestOf(members);
  return { key, digest, json: `{"digest":"${digest}"${members}}` };
}

interface NewestRows {
  /**
   * @returns the rows that differ from the remembered ones; they are remembered from now on, whether or not they are
   * written yet
   */
  changed(rows: readonly IngestRow[]): IngestRow[];
  /** Lets the next row with this key be written even if it has not changed. */
  forget(key: string): void;
  /**
   * Forgets the rows of a venue that its catalogue no longer contains.
   * @param listed ids without the venue
   */
  forgetOthers(venue: string, listed: readonly string[]): void;
  readonly size: number;
}

/** Remembers the digest of the newest row of each subject, so that unchanged reports are not written again. */
export function rememberRows(): NewestRows {
  const digests = new Map<string, string>();
  return {
    changed(rows) {
      const changed = rows.filter((row) => digests.get(row.key) !== row.digest);
      for (const row of changed) {
        digests.set(row.key, row.digest);
      }
      return changed;
    },
    forget(key) {
      digests.delete(key);
    },
    forgetOthers(venue, listed) {
      const kept = new Set(listed.map((id) => `${venue}:${id}`));
      for (const key of digests.keys()) {
        if (key.startsWith(`${venue}:`) && !kept.has(key)) {
          digests.delete(key);
        }
      }
    },
    get size() {
      return digests.size;
    },
  };
}

interface PublicRules {
  readonly text: string | null;
  /** The name of the publisher of the result. */
  readonly source: string | null;
  /** A public `http` or `https` address, never one of a venue. */
  readonly sourceUrl: string | null;
  /** When the venue expects the result. */
  readonly resolvesAt: Date | null;
}

const VENUE_ADDRESS =
  /\b(?:https?:\/\/)?(?:[a-z0-9-]+\.)*(?:(?:kalshi|polymarket)\.[a-z]{2,}|gemini\.com)[^\s)\]"'<>]*/gi;
/** Gemini alone is not matched, because a question may be about it. */
const VENUE_NAME = /\b(?:the )?(?:kalshi|polymarket|gemini (?:titan|predictions?|exchange)(?: markets?)?)\b/gi;

/**
 * The rules of a contract as they may be published: those of the venue without the names and addresses of venues, which
 * no public surface shows.
 *
 * @returns null if the venue publishes neither rules nor a source
 */
export function publicRules({
  rules,
  sources = [],
  resolvesAt = null,
}: Pick<VenueMarket, 'rules' | 'sources' | 'resolvesAt'>): PublicRules | null {
  const text = rules === null ? null : withoutVenues(rules);
  const names = sources.flatMap(({ name }) => (name === null ? [] : [withoutVenues(name)]));
  const source = names.filter((name) => name !== '').join(', ') || null;
  const sourceUrl = sources.map(({ url }) => publicAddress(url)).find((address) => address !== null) ?? null;
  return text === null && source === null && sourceUrl === null ? null : { text, source, sourceUrl, resolvesAt };
}

function withoutVenues(text: string): string {
  return text.replace(VENUE_ADDRESS, 'the site of the exchange').replace(VENUE_NAME, 'the exchange').trim();
}

function publicAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address) || address.search(VENUE_ADDRESS) >= 0) {
    return null;
  }
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
