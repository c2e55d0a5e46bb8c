/**
 * Converts Kalshi's events into the port's types: shapes, strikes, statuses and results. Pure. Entries that cannot be
 * parsed are kept as evidence.
 */

import { lastPriceOf, statusOfAll, timesOfAll } from '../derived.ts';
import type { Invalid, VenueEvent, VenueMarket, VenueResolution, VenueSource } from '../listing.ts';
import { validateItems } from '../response-shape.ts';
import { HIGHEST_FEE } from './fees.ts';
import { DEFAULT_PART } from './parts/read-parts.ts';
import { type KalshiEvent, type KalshiMarket, kalshiEvent, kalshiMarket } from './schemas.ts';
import { CATEGORIES, kindOf, resolutionOf, STATUSES, sportOf, strikeOf } from './terms.ts';

export interface KalshiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/** @param raw items of `GET /events?with_nested_markets=true`. */
export function readKalshiEvents(raw: readonly unknown[]): KalshiRead {
  const { good, invalid } = validateItems('event', kalshiEvent, raw);
  const events: VenueEvent[] = [];
  for (const event of good) {
    const markets = validateItems('market', kalshiMarket, event.markets);
    invalid.push(...markets.invalid);
    const category = CATEGORIES[event.category];
    const odd = markets.good.find((market) => market.event_ticker !== event.event_ticker);
    if (category === undefined || odd !== undefined) {
      const reason = category === undefined ? `no category for ${event.category}` : `a market of ${odd?.event_ticker}`;
      invalid.push({ about: 'event', reason, raw: event });
      continue;
    }
    const read = markets.good.flatMap((market) => {
      const resolution = resolutionOf(market);
      if (resolution === undefined) {
        invalid.push({ about: 'market', reason: 'final without a value', raw: market });
        return [];
      }
      return [readMarket(event, market, resolution, markets.good.length)];
    });
    if (read.length > 0) {
      events.push(readEvent(event, category, markets.good, read));
    }
  }
  return { events, invalid };
}

function readEvent(
  event: KalshiEvent,
  category: string,
  source: readonly KalshiMarket[],
  markets: readonly VenueMarket[],
): VenueEvent {
  const sport = category === 'sports' ? sportOf(source) : null;
  const competition = event.product_metadata?.competition;
  const scope = event.product_metadata?.competition_scope ?? '';
  return {
    eventId: event.event_ticker,
    groupKey: null,
    slug: event.event_ticker.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    title: event.title,
    subtitle: event.sub_title === undefined || event.sub_title === '' ? null : event.sub_title,
    category,
    categories: [category],
    kind: kindOf(event, source),
    sport,
    league: sport === null || competition === undefined ? null : slugOf(competition),
    eventType: sport === null ? null : /^(Game|Spread|Point Total|.*Total.*)$/.test(scope) ? 'game' : 'future',
    liveMatch: null,
    // Pictures would need one more request per event and are omitted.
    imageUrl: null,
    ...timesOfAll(markets),
    volumeMicros: markets.reduce((sum, market) => sum + market.volumeMicros, 0n),
    volume24hMicros: markets.reduce((sum, market) => sum + market.volume24hMicros, 0n),
    status: statusOfAll(markets),
    levelFormat: null,
    translations: {},
    markets,
  };
}

function readMarket(
  event: KalshiEvent,
  market: KalshiMarket,
  resolution: VenueResolution | null,
  count: number,
): VenueMarket {
  const { threshold, direction } = strikeOf(market);
  return {
    listingId: market.ticker,
    eventId: event.event_ticker,
    groupKey: null,
    label: count === 1 && market.yes_sub_title === '' ? 'Yes' : market.yes_sub_title || market.ticker,
    teamLogoUrl: null,
    teamColor: null,
    teamMarks: null,
    teamAbbr: null,
    yesLabel: null,
    noLabel: null,
    rules: [market.rules_primary, market.rules_secondary].filter(Boolean).join('\n') || null,
    sources: sourcesOf(event),
    resolvesAt: market.expected_expiration_time ?? null,
    sportsMarketType: null,
    threshold,
    direction,
    fiveMinute: false,
    status: resolution === null ? STATUSES[market.status] : 'resolved',
    opensAt: market.open_time,
    closesAt: market.close_time,
    volumeMicros: market.volume_fp,
    volume24hMicros: market.volume_24h_fp,
    lastPriceMicros: lastPriceOf(market.last_price_dollars),
    resolution,
    fee: HIGHEST_FEE,
    // Finer grids depend on the price; whole cents are always valid.
    tickMicros: 10_000n,
    part: market.exchange_index ?? DEFAULT_PART,
    translations: {},
  };
}

function sourcesOf({ settlement_sources: sources }: KalshiEvent): VenueSource[] {
  return (sources ?? [])
    .map(({ name, url }) => ({ name: name || null, url: url || null }))
    .filter(({ name, url }) => name !== null || url !== null);
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
