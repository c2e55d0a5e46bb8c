/** Converts what a venue reports into the rows of ingest_board. Pure; it validates nothing and drops nothing. */
import { createHash } from 'node:crypto';
import type { VenueBook, VenueEvent, VenueMarket } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import { contractIdOf, eventIdOf, slugOf } from '../identity.ts';

/** A row with its key; two rows with the same key and digest have the same content. */
export interface IngestRow {
  readonly key: string;
  readonly digest: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface BookRow {
  readonly venue: string;
  readonly listing_id: string;
  readonly bid_prices: readonly number[];
  readonly bid_sizes: readonly number[];
  readonly ask_prices: readonly number[];
  readonly ask_sizes: readonly number[];
  readonly feed: VenueBook['feed'];
  readonly sequence: string;
  readonly session: number;
  readonly updated_at: Date;
  /** On the clock of this process, like `VenueFeedState.confirmed_at`. */
  readonly confirmed_at: Date;
}

/** What the rows of a market need from its event. */
export interface EventPlace {
  readonly eventId: string;
  readonly title: string;
  readonly category: string;
}

export function placeOf(venue: string, event: VenueEvent): EventPlace {
  const { eventId, groupKey, title, category } = event;
  return { eventId: eventIdOf(venue, eventId, groupKey), title, category };
}

/** @param rank index of the venue in the deployment's list; if several list a market, the lowest describes it */
export function eventRow(venue: string, rank: number, event: VenueEvent): IngestRow {
  const eventId = eventIdOf(venue, event.eventId, event.groupKey);
  return row(`${venue}:${eventId}`, {
    event_id: eventId,
    slug: slugOf(event.title),
    rank,
    title: event.title,
    subtitle: event.subtitle,
    translations: event.translations,
    category: event.category,
    categories: event.categories.includes(event.category) ? event.categories : [event.category, ...event.categories],
    sport: event.sport,
    league: event.league,
    event_type: event.eventType,
    live_match: event.liveMatch,
    image_source_url: event.imageUrl,
    kind: event.kind,
    level_format: event.levelFormat,
    opens_at: event.opensAt,
    closes_at: event.closesAt,
    volume_micros: event.volumeMicros.toString(),
    volume_24h_micros: event.volume24hMicros.toString(),
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
  return row(`${venue.name}:${market.listingId}`, {
    venue: venue.name,
    listing_id: market.listingId,
    contract_id: contractIdOf(venue.name, market.listingId, market.groupKey),
    event_id: place.eventId,
    category: place.category,
    rank,
    position,
    group_key: market.groupKey,
    five_minute: market.fiveMinute,
    closes_at: market.closesAt,
    venue_status: market.status,
    label: market.label,
    yes_label: market.yesLabel,
    no_label: market.noLabel,
    translations: market.translations,
    team_logo_url: market.teamLogoUrl,
    team_color: market.teamColor,
    team_marks: market.teamMarks === null ? null : [market.teamMarks],
    team_abbr: market.teamAbbr,
    sports_market_type: market.sportsMarketType,
    threshold: market.threshold,
    direction: market.direction,
    volume_micros: market.volumeMicros.toString(),
    volume_24h_micros: market.volume24hMicros.toString(),
    last_price_micros: market.lastPriceMicros?.toString() ?? null,
    source_price_micros: null,
    resolution: market.resolution?.outcome ?? null,
    split_yes_micros: market.resolution?.yesWorthMicros?.toString() ?? null,
    resolved_at: market.resolution?.resolvedAt ?? null,
    fee_model: market.fee.model,
    fee_bps: market.fee.bps,
    fee_known: market.fee.known,
    minimum_minor: venue.minimumAmountMinor.toString(),
    minimum_quantity_micros: venue.minimumQuantityMicros.toString(),
    quantity_step_micros: venue.quantityStepMicros.toString(),
    tick_micros: market.tickMicros.toString(),
    terms: termsOf(market),
    wording: wordingOf(place.title, market),
  });
}

/** No connection has this number, so no heartbeat confirms a book with it. */
const NO_SESSION = 0;

/**
 * @param session the connection that delivered it, in milliseconds since 1970
 * @param receivedAt the time of confirmation, unless the venue's own timestamp is earlier
 */
export function bookRow(venue: string, session: number, receivedAt: Date, book: VenueBook): BookRow {
  return {
    venue,
    listing_id: book.listingId,
    bid_prices: book.bids.map(({ priceMicros }) => Number(priceMicros)),
    bid_sizes: book.bids.map(({ quantityMicros }) => Number(quantityMicros)),
    ask_prices: book.asks.map(({ priceMicros }) => Number(priceMicros)),
    ask_sizes: book.asks.map(({ quantityMicros }) => Number(quantityMicros)),
    feed: book.feed,
    sequence: book.sequence.toString(),
    session: book.asOf === undefined ? session : NO_SESSION,
    updated_at: book.observedAt,
    confirmed_at: book.asOf === undefined ? receivedAt : earlier(book.asOf, receivedAt),
  };
}

export function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** The terms that a person compared when matching two listings: a change of them ends routing between them. */
function termsOf({ rules, closesAt, label, yesLabel, noLabel }: VenueMarket): string {
  return digestOf({ rules, closesAt, label, yesLabel, noLabel });
}

/** What a person reads before matching two listings. */
function wordingOf(title: string, { label, yesLabel, noLabel, rules, source, closesAt }: VenueMarket) {
  return { title, label, yesLabel, noLabel, rules, source: source ?? null, closesAt };
}

function digestOf(values: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22);
}

function row(key: string, values: Record<string, unknown>): IngestRow {
  const digest = digestOf(values);
  return { key, digest, values: { ...values, digest } };
}
