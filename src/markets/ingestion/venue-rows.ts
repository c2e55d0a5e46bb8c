/** Converts what a venue reports into the rows of ingest_board. Pure; it validates nothing and drops nothing. */
import { createHash } from 'node:crypto';
import type { RowType } from '../../db/row-type.ts';
import type { VenueBook, VenueEvent, VenueMarket } from '../../venues/listing.ts';
import type { Venue } from '../../venues/port.ts';
import { contractIdOf, eventIdOf, slugOf } from '../identity.ts';
import { type BookRow, CONTRACT_ROW, EVENT_ROW } from './ingest-rows.ts';
import { publicRules } from './public-rules.ts';

/** A row with its key; two rows with the same key and digest have the same content. */
export interface IngestRow {
  readonly key: string;
  readonly digest: string;
  /** The row as a JSON object, with its digest. */
  readonly json: string;
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

/** No connection has this number, so no heartbeat confirms a book with it. */
const NO_SESSION = 0;

/**
 * @param session the connection that delivered it, in milliseconds since 1970
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

/** The terms that a person compared when matching two listings: a change of them ends routing between them. */
function termsOf({ rules, closesAt, label, yesLabel, noLabel }: VenueMarket): string {
  return digestOf(JSON.stringify({ rules, closesAt, label, yesLabel, noLabel }));
}

/** What a person reads before matching two listings. */
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
