/**
 * Converts Kalshi's events into the port's types: shapes, strikes, statuses and results. Pure. Entries that cannot be
 * parsed are kept as evidence.
 */

import { lastPriceOf, statusOfAll, timesOfAll } from '../derived.ts';
import { noteFields } from '../documented.ts';
import type { FeeSchedule, Invalid, VenueEvent, VenueMarket, VenueResolution, VenueSource } from '../listing.ts';
import { validateItems } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import { GENERAL_FEE, highestFee } from './fees.ts';
import { DEFAULT_PART } from './parts/read-parts.ts';
import { targetOfAll } from './pictures.ts';
import { type KalshiEvent, type KalshiMarket, kalshiEvent, kalshiMarket } from './schemas.ts';
import { feeFrom, type KnownSeries } from './series.ts';
import { categoriesOf, isSettledOnce, kindOf, resolutionOf, sportOf, statusOf, strikeOf } from './terms.ts';

export interface KalshiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
  /** The team or player that each event is about, undefined where it is not about one alone. */
  readonly targets: ReadonlyMap<string, string | undefined>;
}

/** What is known beside the events. */
export interface KalshiContext {
  readonly series: KnownSeries;
  readonly note: Note;
}

/** @param raw items of `GET /events?with_nested_markets=true`. */
export function readKalshiEvents(raw: readonly unknown[], context: KalshiContext): KalshiRead {
  const { good, invalid } = validateItems('event', kalshiEvent, raw);
  noteFields(context.note, 'kalshi', 'EventData', raw);
  const events: VenueEvent[] = [];
  const targets = new Map<string, string | undefined>();
  for (const event of good) {
    const markets = validateItems('market', kalshiMarket, event.markets);
    invalid.push(...markets.invalid);
    noteFields(context.note, 'kalshi', 'Market', event.markets);
    const odd = markets.good.find((market) => market.event_ticker !== event.event_ticker);
    if (odd !== undefined) {
      invalid.push({ about: 'event', reason: `a market of ${odd.event_ticker}`, raw: event });
      continue;
    }
    const read = markets.good.flatMap((market) => {
      const resolution = resolutionOf(market);
      if (resolution === undefined) {
        invalid.push({ about: 'market', reason: 'final without a value', raw: market });
        return [];
      }
      return [readMarket(event, market, resolution, markets.good.length, context)];
    });
    if (read.length > 0) {
      events.push(readEvent(event, markets.good, read, context));
      targets.set(event.event_ticker, targetOfAll(markets.good));
    }
  }
  return { events, invalid, targets };
}

function readEvent(
  event: KalshiEvent,
  source: readonly KalshiMarket[],
  markets: readonly VenueMarket[],
  { series, note }: KalshiContext,
): VenueEvent {
  const named = series.of(event.series_ticker)?.categories ?? [];
  const categories = categoriesOf(named.length > 0 || !event.category ? named : [event.category], note);
  const [category] = categories;
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
    categories,
    kind: kindOf(event, source),
    sport,
    league: sport === null || competition === undefined ? null : slugOf(competition),
    eventType: sport === null ? null : /^(Game|Spread|Point Total|.*Total.*)$/.test(scope) ? 'game' : 'future',
    liveMatch: null,
    // it is read apart, by the target
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
  context: KalshiContext,
): VenueMarket {
  const fee = feeOf(event, market, context);
  const status = resolution === null ? statusOf(market, context.note) : 'resolved';
  const isSold = isSettledOnce(market, context.note) && fee !== null;
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
    // shown, and not sold
    status: status === 'open' && !isSold ? 'paused' : status,
    opensAt: market.open_time,
    closesAt: market.close_time,
    volumeMicros: market.volume_fp,
    volume24hMicros: market.volume_24h_fp,
    lastPriceMicros: lastPriceOf(market.last_price_dollars),
    resolution,
    fee: fee ?? GENERAL_FEE,
    // Finer grids depend on the price; whole cents are always valid.
    tickMicros: 10_000n,
    part: market.exchange_index ?? DEFAULT_PART,
    translations: {},
  };
}

/** Null if it cannot be told. */
function feeOf(event: KalshiEvent, market: KalshiMarket, { series, note }: KalshiContext): FeeSchedule | null {
  const listed = series.of(event.series_ticker);
  const own = feeFrom(event.fee_type_override, event.fee_multiplier_override);
  const fee = highestFee(
    {
      series: listed?.fee,
      event: own,
      changesOfSeries: series.changesOfSeries(event.series_ticker),
      changesOfEvent: series.changesOfEvent(event.event_ticker),
      waivedUntil: market.fee_waiver_expiration_time,
    },
    new Date(),
  );
  if (fee === null) {
    note('fee', `${event.series_ticker}: ${(own ?? listed?.fee)?.type ?? 'not said'}`);
  }
  return fee;
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
