/**
 * Converts Kalshi's events and markets into the port's types: categories, kinds, strikes, statuses, fees and results. Pure. An
 * entry that cannot be read is returned as evidence. Unknown words are recorded.
 */
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import {
  type FeeSchedule,
  type Invalid,
  kindOfStrikes,
  type VenueEvent,
  type VenueMarket,
  type VenueResolution,
  type VenueSource,
  type VenueStatus,
  type VenueStrike,
} from '../listing.ts';
import type { Note } from '../port.ts';
import { lastPriceOf, noteFields, statusOfAll, timesOfAll, validateItems } from '../shapes.ts';
import { DEFAULT_PART } from './parts.ts';
import { targetOfAll } from './presentation.ts';
import { feeFrom, GENERAL_FEE, highestFee, type KnownSeries } from './series.ts';
import { type KalshiEvent, type KalshiMarket, kalshiEvent, kalshiMarket } from './shapes.ts';

export interface KalshiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
  /** By event, the team or player that it is about; undefined if it is not about exactly one. */
  readonly targets: ReadonlyMap<string, string | undefined>;
}

interface KalshiContext {
  readonly series: KnownSeries;
  readonly note: Note;
}

/**
 * @param raw items of `GET /events?with_nested_markets=true`
 * @returns the events with at least one market that can be read
 */
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
    kind: kindOfStrikes(source.map(strikeOf), {
      exclusive: event.mutually_exclusive === true,
      oneSubject: new Set(source.map((market) => JSON.stringify(market.custom_strike ?? null))).size === 1,
    }),
    sport,
    league: sport === null || competition === undefined ? null : slugOf(competition),
    eventType: sport === null ? null : /^(Game|Spread|Point Total|.*Total.*)$/.test(scope) ? 'game' : 'future',
    liveMatch: null,
    // pictures are read separately, by target (presentation.ts)
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
    // a paused market is shown but not sold
    status: status === 'open' && !isSold ? 'paused' : status,
    opensAt: market.open_time,
    closesAt: market.close_time,
    volumeMicros: market.volume_fp,
    volume24hMicros: market.volume_24h_fp,
    lastPriceMicros: lastPriceOf(market.last_price_dollars),
    resolution,
    fee: fee ?? GENERAL_FEE,
    // finer steps depend on the price; whole cents are always valid
    tickMicros: 10_000n,
    part: market.exchange_index ?? DEFAULT_PART,
    translations: {},
  };
}

/** Null if it is not known; the market is then not sold. */
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
    note('fee', `${event.series_ticker}: ${(own ?? listed?.fee)?.type ?? 'no type'}`);
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

const CATEGORIES: Readonly<Record<string, string>> = {
  Sports: 'sports',
  Elections: 'politics',
  Politics: 'politics',
  Crypto: 'crypto',
  Economics: 'economics',
  Financials: 'finance',
  Companies: 'finance',
  Commodities: 'finance',
  'Science and Technology': 'technology',
  Technology: 'technology',
  Science: 'science',
  Health: 'science',
  Entertainment: 'culture',
  Social: 'culture',
  Mentions: 'culture',
  'Climate and Weather': 'climate',
  World: 'world',
  Transportation: 'world',
  // combinations of markets of several categories
  Exotics: 'world',
};
const OTHER = 'world';

/**
 * Our categories, the primary one first; at least one.
 * @param named the categories that the exchange names, the primary one first
 */
function categoriesOf(named: readonly string[], note: Note): readonly [string, ...string[]] {
  const [first, ...more] = new Set(
    named.map((name) => {
      const ours = CATEGORIES[name];
      if (ours === undefined) {
        note('category', name);
      }
      return ours ?? OTHER;
    }),
  );
  return [first ?? OTHER, ...more];
}

const SPORTS: readonly (readonly [RegExp, string])[] = [
  [/football_/, 'american-football'],
  [/basketball_/, 'basketball'],
  [/baseball_/, 'baseball'],
  [/soccer_/, 'soccer'],
  [/hockey_/, 'ice-hockey'],
  [/tennis_/, 'tennis'],
  [/golf/, 'golf'],
  [/mma_|ufc_|fighter/, 'mma'],
];

const STATUSES: Readonly<Record<string, VenueStatus>> = {
  initialized: 'closed',
  active: 'open',
  inactive: 'paused',
  closed: 'closed',
  // a determined result may still be disputed and amended; only the final one counts
  determined: 'closed',
  disputed: 'closed',
  amended: 'closed',
  finalized: 'resolved',
};

/** A market whose status is not known is shown, but not sold. */
function statusOf({ status }: KalshiMarket, note: Note): VenueStatus {
  const known = STATUSES[status];
  if (known === undefined) {
    note('market status', status);
  }
  return known ?? 'paused';
}

/** Whether the market is settled once, at its end. Otherwise a part may be paid earlier, which our books cannot record. */
function isSettledOnce({ settlement_bounds_type: bounds }: KalshiMarket, note: Note): boolean {
  if (bounds != null && bounds !== 'default' && bounds !== 'floor') {
    note('settlement bounds', bounds);
  }
  return bounds == null || bounds === 'default';
}

function sportOf(markets: readonly KalshiMarket[]): string | null {
  const keys = markets.flatMap((market) => Object.keys(market.custom_strike ?? {})).join();
  return SPORTS.find(([pattern]) => pattern.test(keys))?.[1] ?? null;
}

function strikeOf(market: KalshiMarket): VenueStrike {
  const { strike_type: type, floor_strike: floor, cap_strike: cap } = market;
  if (floor != null && cap == null && type !== 'between' && type !== 'functional' && type !== 'custom') {
    return { threshold: floor, direction: 'above' };
  }
  if (cap != null && floor == null && (type === 'less' || type === 'less_or_equal')) {
    return { threshold: cap, direction: 'below' };
  }
  return { threshold: null, direction: null };
}

/**
 * The value decides the payment. The name of the result counts only if there is no value.
 * @returns null if the market is not final, undefined if it is final without a value
 */
function resolutionOf(market: KalshiMarket): VenueResolution | null | undefined {
  if (market.status !== 'finalized') {
    return null;
  }
  const worth =
    market.settlement_value_dollars ??
    (market.result === 'yes' ? ONE_DOLLAR_MICROS : market.result === 'no' ? 0n : undefined);
  if (worth === undefined) {
    return undefined;
  }
  const resolvedAt = market.settlement_ts ?? market.close_time;
  if (worth === ONE_DOLLAR_MICROS) {
    return { outcome: 'YES', yesWorthMicros: null, resolvedAt };
  }
  if (worth === 0n) {
    return { outcome: 'NO', yesWorthMicros: null, resolvedAt };
  }
  return { outcome: 'SPLIT', yesWorthMicros: worth, resolvedAt };
}
