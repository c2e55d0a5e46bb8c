/** Polymarket's events in the words of the port: shapes, strikes, statuses and results. Pure; what does not fit is evidence. */
import type { z } from 'zod';
import {
  type PolymarketEvent,
  type PolymarketMarket,
  type polymarketBook,
  polymarketEvent,
  polymarketMarket,
} from './polymarket-schemas.ts';
import type { Invalid, VenueBook, VenueEvent, VenueLevel, VenueMarket, VenueResolution, VenueStatus } from './port.ts';
import { sift } from './sift.ts';

/** Crypto's rate: the highest there is (brief, section 7). */
const HIGHEST_FEE_BPS = 700;
const DEFAULT_TICK = 10_000n;
const FIVE_MINUTES = /^(btc|eth|sol|xrp)-updown-5m-[0-9]+$/;

/** The first tag found decides the shelf; the order puts the narrow before the wide. */
const SHELVES: readonly (readonly [string, readonly string[]])[] = [
  ['sports', ['sports', 'soccer', 'nba', 'wnba', 'nfl', 'mlb', 'nhl', 'tennis', 'games', 'esports', 'ufc', 'f1']],
  ['crypto', ['crypto', 'bitcoin', 'ethereum', 'crypto-prices', 'up-or-down']],
  ['economics', ['economy', 'economic-policy', 'fed', 'fed-rates', 'inflation', 'jobs-report']],
  ['finance', ['finance', 'business', 'stocks', 'ipos', 'earnings']],
  ['climate', ['climate', 'weather', 'climate-science']],
  ['science', ['science', 'space', 'health']],
  ['technology', ['tech', 'technology', 'ai', 'big-tech']],
  ['politics', ['politics', 'elections', 'us-politics', 'trump', 'congress', 'legal']],
  ['culture', ['pop-culture', 'culture', 'movies', 'music', 'mentions', 'awards', 'celebrities', 'gaming']],
  ['world', ['world', 'geopolitics', 'middle-east', 'ukraine', 'foreign-policy']],
];

const LEAGUES: Readonly<Record<string, string>> = {
  nba: 'basketball',
  wnba: 'basketball',
  nfl: 'american-football',
  cfb: 'american-football',
  mlb: 'baseball',
  nhl: 'ice-hockey',
  epl: 'soccer',
  mls: 'soccer',
  ucl: 'soccer',
  atp: 'tennis',
  wta: 'tennis',
  ufc: 'mma',
};

export interface PolymarketRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/** @param raw items of Gamma's `/events/keyset`. */
export function readPolymarketEvents(raw: readonly unknown[]): PolymarketRead {
  const { good, invalid } = sift('event', polymarketEvent, raw);
  const events: VenueEvent[] = [];
  for (const event of good) {
    const listed = event.markets.filter((market) => !isPlaceholder(market));
    const markets = sift('market', polymarketMarket, listed);
    invalid.push(...markets.invalid);
    const category = shelfOf(event);
    if (category === undefined) {
      invalid.push({ about: 'event', reason: 'no tag that names a shelf', raw: event });
      continue;
    }
    const read = markets.good.flatMap((market) => {
      const closesAt = market.endDate ?? event.endDate;
      const resolution = resolutionOf(market, closesAt ?? null);
      if (closesAt == null || resolution === undefined) {
        const reason = closesAt == null ? 'no end' : 'ended without a value';
        invalid.push({ about: 'market', reason, raw: market });
        return [];
      }
      return [readMarket(event, market, closesAt, resolution)];
    });
    if (read.length > 0) events.push(readEvent(event, category, markets.good, read));
  }
  return { events, invalid };
}

/** Unnamed places of an augmented field ("Person A"), its moving "Other", and markets that were never deployed. */
function isPlaceholder(raw: unknown): boolean {
  const market = raw as { negRiskOther?: unknown; active?: unknown; conditionId?: unknown };
  return market.negRiskOther === true || market.active === false || market.conditionId === '';
}

function readEvent(
  event: PolymarketEvent,
  category: string,
  source: readonly PolymarketMarket[],
  markets: readonly VenueMarket[],
): VenueEvent {
  const league = event.teams?.[0]?.league ?? (category === 'sports' ? (event.slug.split('-')[0] ?? null) : null);
  const game = event.teams != null && event.teams.length > 0;
  const times = (pick: (market: VenueMarket) => Date) => markets.map((market) => pick(market).getTime());
  const sport = category === 'sports' && league !== null ? (LEAGUES[league] ?? null) : null;
  return {
    eventId: event.id,
    groupKey: null,
    slug: event.slug,
    title: event.title,
    subtitle: null,
    category,
    categories: [category],
    kind: kindOf(event, source),
    sport,
    league: sport === null ? null : league,
    eventType: sport === null ? null : game ? 'game' : 'future',
    liveMatch: liveOf(event),
    imageUrl: event.image ?? null,
    opensAt: new Date(Math.min(...times((market) => market.opensAt))),
    closesAt: new Date(Math.max(...times((market) => market.closesAt))),
    // Counted in dollars there: contracts are not known, and dollars are not passed off as them.
    volumeMicros: 0n,
    volume24hMicros: 0n,
    status: eventStatus(markets),
    levelFormat: null,
    translations: {},
    markets,
  };
}

function readMarket(
  event: PolymarketEvent,
  market: PolymarketMarket,
  closesAt: Date,
  resolution: VenueResolution | null,
): VenueMarket {
  const [yes = 'Yes', no = 'No'] = market.outcomes;
  const plain = yes === 'Yes' && no === 'No';
  const team = event.teams?.find((one) => one.name === yes);
  const color = team?.color?.toLowerCase();
  return {
    listingId: market.clobTokenIds[0] ?? market.conditionId,
    eventId: event.id,
    groupKey: null,
    label: market.groupItemTitle || (plain ? 'Yes' : yes),
    teamLogoUrl: null,
    teamColor: color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : null,
    teamMarks: null,
    teamAbbr: team?.abbreviation?.toUpperCase() ?? null,
    yesLabel: plain ? null : yes,
    noLabel: plain ? null : no,
    sportsMarketType: market.sportsMarketType ?? null,
    ...strikeOf(market),
    fiveMinute: FIVE_MINUTES.test(event.slug),
    status: statusOf(market, resolution),
    opensAt: market.eventStartTime ?? market.startDate ?? event.startDate ?? closesAt,
    closesAt,
    volumeMicros: 0n,
    volume24hMicros: 0n,
    lastPriceMicros: inside(market.lastTradePrice),
    resolution,
    fee: feeOf(market),
    tickMicros: market.orderPriceMinTickSize ?? DEFAULT_TICK,
    translations: {},
  };
}

function feeOf(market: PolymarketMarket): VenueMarket['fee'] {
  if (market.feesEnabled === false) return { model: 'of_variance', bps: 0, known: true };
  const schedule = market.feeSchedule;
  if (schedule == null || schedule.exponent !== 1) {
    return { model: 'of_variance', bps: HIGHEST_FEE_BPS, known: false };
  }
  return { model: 'of_variance', bps: Math.ceil(schedule.rate * 10_000), known: true };
}

function statusOf(market: PolymarketMarket, resolution: VenueResolution | null): VenueStatus {
  if (resolution !== null) return 'resolved';
  if (market.closed) return 'closed';
  return market.active && market.archived !== true && market.acceptingOrders === true && market.enableOrderBook === true
    ? 'open'
    : 'paused';
}

/** undefined where it is over and its payout adds up to nothing: legacy rows with `["0","0"]`. */
function resolutionOf(market: PolymarketMarket, closesAt: Date | null): VenueResolution | null | undefined {
  if (!market.closed || (market.umaResolutionStatus !== 'resolved' && market.automaticallyResolved !== true)) {
    return null;
  }
  const [yes, no] = (market.outcomePrices ?? []).map((text) => Math.round(Number(text) * 1_000_000));
  if (yes === undefined || no === undefined || yes + no !== 1_000_000 || yes < 0 || no < 0 || closesAt === null) {
    return undefined;
  }
  const closed = market.closedTime == null ? Number.NaN : Date.parse(market.closedTime.replace(' ', 'T'));
  const resolvedAt = Number.isNaN(closed) ? closesAt : new Date(closed);
  if (yes === 1_000_000) return { outcome: 'YES', yesWorthMicros: null, resolvedAt };
  if (yes === 0) return { outcome: 'NO', yesWorthMicros: null, resolvedAt };
  return { outcome: 'SPLIT', yesWorthMicros: BigInt(yes), resolvedAt };
}

/** Strikes stand in the titles: `Above $105k`, `↓ 90,000`, `<5%`. Anything else has none. */
function strikeOf(market: PolymarketMarket): Pick<VenueMarket, 'threshold' | 'direction'> {
  if (market.sportsMarketType === 'totals' && market.line != null) {
    return { threshold: market.line, direction: 'above' };
  }
  const match = /^(above|over|>|≥|↑|below|under|<|≤|↓)\s*\$?([0-9][0-9,]*(?:\.[0-9]+)?)\s*([kmb%])?$/i.exec(
    market.groupItemTitle ?? '',
  );
  if (match?.[1] === undefined || match[2] === undefined) return { threshold: null, direction: null };
  const unit = { k: 1_000, m: 1_000_000, b: 1_000_000_000 }[match[3]?.toLowerCase() ?? ''] ?? 1;
  const direction = /^(above|over|>|≥|↑)/i.test(match[1]) ? 'above' : 'below';
  return { threshold: Number(match[2].replaceAll(',', '')) * unit, direction };
}

function kindOf(event: PolymarketEvent, markets: readonly PolymarketMarket[]): VenueEvent['kind'] {
  if (markets.length === 1) return 'binary';
  if (event.negRisk === true || event.enableNegRisk === true) return 'mutually_exclusive';
  const strikes = markets.map(strikeOf);
  const directions = new Set(strikes.map((strike) => strike.direction));
  return directions.size === 1 && !directions.has(null) ? 'cumulative_ladder' : 'ambiguous';
}

function shelfOf(event: PolymarketEvent): string | undefined {
  const tags = new Set((event.tags ?? []).map((tag) => tag.slug));
  if (event.teams != null && event.teams.length > 0) return 'sports';
  if (/-updown-(5m|15m|4h)-/.test(event.slug)) return 'crypto';
  return SHELVES.find(([, slugs]) => slugs.some((slug) => tags.has(slug)))?.[0];
}

function liveOf(event: PolymarketEvent): VenueEvent['liveMatch'] {
  const score = /^([0-9]{1,3})\s*-\s*([0-9]{1,3})$/.exec(event.score ?? '');
  if (event.live !== true || event.ended === true || score === null) return null;
  // Scores are told in the order of the teams, away first in American leagues.
  const awayFirst = event.teams?.[0]?.ordering === 'away';
  const [first, second] = [Number(score[1]), Number(score[2])];
  return {
    homeScore: awayFirst ? second : first,
    awayScore: awayFirst ? first : second,
    period: event.period ?? '',
    clock: event.elapsed ?? null,
    observedAt: new Date(),
  };
}

/** @param sequence rises with every book this adapter hands out: the venue numbers none. */
export function readPolymarketBook(
  book: z.output<typeof polymarketBook>,
  sequence: bigint,
  observedAt: Date,
): VenueBook {
  const good = (levels: readonly VenueLevel[]) => levels.filter((level) => level.quantityMicros > 0n);
  return {
    listingId: book.asset_id,
    bids: good(book.bids).sort((one, other) => (one.priceMicros > other.priceMicros ? -1 : 1)),
    asks: good(book.asks).sort((one, other) => (one.priceMicros < other.priceMicros ? -1 : 1)),
    sequence,
    observedAt,
    feed: 'rest',
  };
}

function inside(price: bigint | null | undefined): bigint | null {
  return price == null || price === 0n || price === 1_000_000n ? null : price;
}

function eventStatus(markets: readonly VenueMarket[]): VenueStatus {
  const order: readonly VenueStatus[] = ['open', 'paused', 'closed', 'resolved'];
  return order.find((status) => markets.some((market) => market.status === status)) ?? 'voided';
}
