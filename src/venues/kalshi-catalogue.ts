/** Kalshi's events in the words of the port: shapes, strikes, statuses and results. Pure; what does not fit is evidence. */
import type { z } from 'zod';
import {
  type KalshiEvent,
  type KalshiMarket,
  kalshiEvent,
  type kalshiLadders,
  kalshiMarket,
} from './kalshi-schemas.ts';
import type { Invalid, VenueBook, VenueEvent, VenueLevel, VenueMarket, VenueResolution, VenueStatus } from './port.ts';
import { sift } from './sift.ts';

const DOLLAR = 1_000_000n;
/** Taker fee of 0.07 p (1 - p), before a series' own multiplier, which this adapter does not read. */
const HIGHEST_FEE_BPS = 700;

const CATEGORIES: Readonly<Record<string, string>> = {
  Sports: 'sports',
  Elections: 'politics',
  Politics: 'politics',
  Crypto: 'crypto',
  Economics: 'economics',
  Financials: 'finance',
  Companies: 'finance',
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
};

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

const STATUSES: Readonly<Record<KalshiMarket['status'], VenueStatus>> = {
  initialized: 'closed',
  active: 'open',
  inactive: 'paused',
  closed: 'closed',
  // A determined result may still be disputed and amended: only the final one counts.
  determined: 'closed',
  disputed: 'closed',
  amended: 'closed',
  finalized: 'resolved',
};

export interface KalshiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/** @param raw items of `GET /events?with_nested_markets=true`. */
export function readKalshiEvents(raw: readonly unknown[]): KalshiRead {
  const { good, invalid } = sift('event', kalshiEvent, raw);
  const events: VenueEvent[] = [];
  for (const event of good) {
    const markets = sift('market', kalshiMarket, event.markets);
    invalid.push(...markets.invalid);
    const category = CATEGORIES[event.category];
    const odd = markets.good.find((market) => market.event_ticker !== event.event_ticker);
    if (category === undefined || odd !== undefined) {
      const reason = category === undefined ? `no shelf for ${event.category}` : `a market of ${odd?.event_ticker}`;
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
    if (read.length > 0) events.push(readEvent(event, category, markets.good, read));
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
  const times = (pick: (market: VenueMarket) => Date) => markets.map((market) => pick(market).getTime());
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
    // Pictures take one more request an event and are left out.
    imageUrl: null,
    opensAt: new Date(Math.min(...times((market) => market.opensAt))),
    closesAt: new Date(Math.max(...times((market) => market.closesAt))),
    volumeMicros: markets.reduce((sum, market) => sum + market.volumeMicros, 0n),
    volume24hMicros: markets.reduce((sum, market) => sum + market.volume24hMicros, 0n),
    status: eventStatus(markets),
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
    sportsMarketType: null,
    threshold,
    direction,
    fiveMinute: false,
    status: resolution === null ? STATUSES[market.status] : 'resolved',
    opensAt: market.open_time,
    closesAt: market.close_time,
    volumeMicros: market.volume_fp,
    volume24hMicros: market.volume_24h_fp,
    lastPriceMicros: inside(market.last_price_dollars),
    resolution,
    fee: { model: 'of_variance', bps: HIGHEST_FEE_BPS, known: false },
    // Finer grids come and go with the price; whole cents are always valid.
    tickMicros: 10_000n,
    translations: {},
  };
}

/** undefined where a final market names no value. Paid from the value, never from the word (brief, section 11). */
function resolutionOf(market: KalshiMarket): VenueResolution | null | undefined {
  if (market.status !== 'finalized') return null;
  const worth =
    market.settlement_value_dollars ?? { yes: DOLLAR, no: 0n, scalar: undefined, '': undefined }[market.result];
  if (worth === undefined) return undefined;
  const resolvedAt = market.settlement_ts ?? market.close_time;
  if (worth === DOLLAR) return { outcome: 'YES', yesWorthMicros: null, resolvedAt };
  if (worth === 0n) return { outcome: 'NO', yesWorthMicros: null, resolvedAt };
  return { outcome: 'SPLIT', yesWorthMicros: worth, resolvedAt };
}

function strikeOf(market: KalshiMarket): Pick<VenueMarket, 'threshold' | 'direction'> {
  const { strike_type: type, floor_strike: floor, cap_strike: cap } = market;
  if (floor != null && cap == null && type !== 'between' && type !== 'functional' && type !== 'custom') {
    return { threshold: floor, direction: 'above' };
  }
  if (cap != null && floor == null && (type === 'less' || type === 'less_or_equal')) {
    return { threshold: cap, direction: 'below' };
  }
  return { threshold: null, direction: null };
}

function kindOf(event: KalshiEvent, markets: readonly KalshiMarket[]): VenueEvent['kind'] {
  if (markets.length === 1) return 'binary';
  if (event.mutually_exclusive === true) return 'mutually_exclusive';
  const strikes = markets.map(strikeOf);
  const directions = new Set(strikes.map((strike) => strike.direction));
  // Spreads and props hold a ladder a team or player under one event.
  const whose = new Set(markets.map((market) => JSON.stringify(market.custom_strike ?? null)));
  const different = new Set(strikes.map((strike) => strike.threshold)).size === markets.length;
  return directions.size === 1 && !directions.has(null) && whose.size === 1 && different
    ? 'cumulative_ladder'
    : 'ambiguous';
}

function sportOf(markets: readonly KalshiMarket[]): string | null {
  const keys = markets.flatMap((market) => Object.keys(market.custom_strike ?? {})).join();
  return SPORTS.find(([pattern]) => pattern.test(keys))?.[1] ?? null;
}

/**
 * @param ladders bids of YES and of NO; an ask of YES is a bid of NO seen from the other side.
 * @param sequence rises with every book this adapter hands out: the venue numbers none over REST.
 */
export function readKalshiBook(
  listingId: string,
  ladders: z.output<typeof kalshiLadders>,
  sequence: bigint,
  observedAt: Date,
): VenueBook {
  const best = (one: VenueLevel, other: VenueLevel) => (one.priceMicros > other.priceMicros ? -1 : 1);
  return {
    listingId,
    bids: [...ladders.yes_dollars].sort(best),
    asks: [...ladders.no_dollars]
      .sort(best)
      .map(({ priceMicros, quantityMicros }) => ({ priceMicros: DOLLAR - priceMicros, quantityMicros })),
    sequence,
    observedAt,
    feed: 'rest',
  };
}

function inside(price: bigint | null | undefined): bigint | null {
  return price == null || price === 0n || price === DOLLAR ? null : price;
}

function eventStatus(markets: readonly VenueMarket[]): VenueStatus {
  const order: readonly VenueStatus[] = ['open', 'paused', 'closed', 'resolved'];
  return order.find((status) => markets.some((market) => market.status === status)) ?? 'voided';
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
