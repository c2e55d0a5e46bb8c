/** Maps Polymarket's terms to ours: category, kind, strike, status, result, fee and score. Pure. */

import type { VenueEvent, VenueMarket, VenueResolution, VenueStatus } from '../listing.ts';
import type { Note } from '../unknowns.ts';
import type { PolymarketEvent, PolymarketMarket } from './schemas.ts';

/** The fee rate for crypto, which is the highest (brief, section 7). */
const HIGHEST_FEE_BPS = 700;

/** The first tag found decides the category; specific tags come before general ones. */
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

/** An event is never lost for its tags. */
export function categoryOf(event: PolymarketEvent, note: Note): string {
  const tags = new Set((event.tags ?? []).map((tag) => tag.slug));
  if (event.teams != null && event.teams.length > 0) {
    return 'sports';
  }
  if (/-updown-(5m|15m|4h)-/.test(event.slug)) {
    return 'crypto';
  }
  const [shelf] = SHELVES.find(([, slugs]) => slugs.some((slug) => tags.has(slug))) ?? [];
  if (shelf === undefined) {
    note('category', [...tags].join(' ') || 'no tag');
  }
  return shelf ?? 'world';
}

export function kindOf(event: PolymarketEvent, markets: readonly PolymarketMarket[]): VenueEvent['kind'] {
  if (markets.length === 1) {
    return 'binary';
  }
  if (event.negRisk === true || event.enableNegRisk === true) {
    return 'mutually_exclusive';
  }
  const strikes = markets.map(strikeOf);
  const directions = new Set(strikes.map((strike) => strike.direction));
  return directions.size === 1 && !directions.has(null) ? 'cumulative_ladder' : 'ambiguous';
}

/** Strikes are part of the titles: `Above $105k`, `↓ 90,000`, `<5%`. Other titles have none. */
export function strikeOf(market: PolymarketMarket): Pick<VenueMarket, 'threshold' | 'direction'> {
  if (market.sportsMarketType === 'totals' && market.line != null) {
    return { threshold: market.line, direction: 'above' };
  }
  const match = /^(above|over|>|≥|↑|below|under|<|≤|↓)\s*\$?([0-9][0-9,]*(?:\.[0-9]+)?)\s*([kmb%])?$/i.exec(
    market.groupItemTitle ?? '',
  );
  if (match?.[1] === undefined || match[2] === undefined) {
    return { threshold: null, direction: null };
  }
  const unit = { k: 1_000, m: 1_000_000, b: 1_000_000_000 }[match[3]?.toLowerCase() ?? ''] ?? 1;
  const direction = /^(above|over|>|≥|↑)/i.test(match[1]) ? 'above' : 'below';
  return { threshold: Number(match[2].replaceAll(',', '')) * unit, direction };
}

export function statusOf(market: PolymarketMarket, resolution: VenueResolution | null): VenueStatus {
  if (resolution !== null) {
    return 'resolved';
  }
  if (market.closed) {
    return 'closed';
  }
  const takesOrders = market.acceptingOrders === true && market.enableOrderBook === true;
  return market.active && market.archived !== true && takesOrders && hasBoundedFee(market) ? 'open' : 'paused';
}

/** Undefined if it ended and its payout adds up to zero: legacy rows with `["0","0"]`. */
export function resolutionOf(market: PolymarketMarket, closesAt: Date | null): VenueResolution | null | undefined {
  const resolved =
    market.version === 'v2'
      ? market.resolutionStatus === 'resolved'
      : market.umaResolutionStatus === 'resolved' || market.automaticallyResolved === true;
  if (!market.closed || !resolved) {
    return null;
  }
  const [yes, no] = (market.outcomePrices ?? []).map((text) => Math.round(Number(text) * 1_000_000));
  if (yes === undefined || no === undefined || yes + no !== 1_000_000 || yes < 0 || no < 0 || closesAt === null) {
    return undefined;
  }
  const closed = market.closedTime == null ? Number.NaN : Date.parse(market.closedTime.replace(' ', 'T'));
  const resolvedAt = Number.isNaN(closed) ? closesAt : new Date(closed);
  if (yes === 1_000_000) {
    return { outcome: 'YES', yesWorthMicros: null, resolvedAt };
  }
  if (yes === 0) {
    return { outcome: 'NO', yesWorthMicros: null, resolvedAt };
  }
  return { outcome: 'SPLIT', yesWorthMicros: BigInt(yes), resolvedAt };
}

export function feeOf(market: PolymarketMarket): VenueMarket['fee'] {
  if (market.feesEnabled === false) {
    return { model: 'of_variance', bps: 0, known: true };
  }
  const schedule = market.feeSchedule;
  if (schedule == null) {
    return { model: 'of_variance', bps: HIGHEST_FEE_BPS, known: false };
  }
  // a larger exponent makes a fee smaller
  return { model: 'of_variance', bps: Math.ceil(schedule.rate * 10_000), known: schedule.exponent === 1 };
}

/** With an exponent below 1 a fee at extreme prices is more than any rate of the variance: such a market is shown and not sold. */
const hasBoundedFee = ({ feesEnabled, feeSchedule }: PolymarketMarket) =>
  feesEnabled === false || feeSchedule == null || feeSchedule.rate === 0 || feeSchedule.exponent >= 1;

export function liveOf(event: PolymarketEvent): VenueEvent['liveMatch'] {
  const score = /^([0-9]{1,3})\s*-\s*([0-9]{1,3})$/.exec(event.score ?? '');
  if (event.live !== true || event.ended === true || score === null) {
    return null;
  }
  // Scores have the order of the teams, which is away first in American leagues.
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
