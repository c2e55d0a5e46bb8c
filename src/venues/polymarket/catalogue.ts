/**
 * Converts Polymarket's events and their terms into the port's types: category, kind, strike, status, result, fee and score. Pure. Entries
 * that cannot be read are kept as evidence. Only the second witness of a result sends requests to the exchange.
 */
import { LRUCache } from 'lru-cache';
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
import { expectShape, lastPriceOf, noteFields, pictureOf, statusOfAll, timesOfAll, validateItems } from '../shapes.ts';
import {
  type PolymarketEvent,
  type PolymarketMarket,
  polymarketEvent,
  polymarketMarket,
  polymarketWinner,
  tokensOf,
} from './shapes.ts';

const DEFAULT_TICK = 10_000n;
const FIVE_MINUTES = /^(btc|eth|sol|xrp)-updown-5m-[0-9]+$/;

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

/** Fields that occur in recorded responses or on newer pages, though the exchange's document does not name them. */
const SEEN_OF_EVENTS: ReadonlySet<string> = new Set([
  ...['awayTeamName', 'countryName', 'cumulativeMarkets', 'electionType', 'eventMetadata', 'gameId', 'homeTeamName'],
  ...['negRiskAugmented', 'requiresTranslation', 'sport', 'teams'],
]);
const SEEN_OF_MARKETS: ReadonlySet<string> = new Set([
  ...['approved', 'clobRewards', 'comboStatus', 'cyom', 'feeType', 'holdingRewardsEnabled', 'makerRebatesFeeShareBps'],
  ...['negRisk', 'negRiskMarketID', 'negRiskRequestID', 'pagerDutyNotificationEnabled', 'requiresTranslation'],
  ...['positionIds', 'resolutionStatus', 'submitted_by', 'version'],
]);

interface PolymarketRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/**
 * @param raw items of Gamma's `/events/keyset`
 * @param note records fields and words that are not known here
 * @param charged adds what is charged in addition to a market's own fee
 * @param winners the tokens that won markets without a word of the oracle, by condition
 */
export function readPolymarketEvents(
  raw: readonly unknown[],
  note: Note = () => undefined,
  charged: (fee: FeeSchedule) => FeeSchedule = (fee) => fee,
  winners: ReadonlyMap<string, string> = new Map(),
): PolymarketRead {
  const { good, invalid } = validateItems('event', polymarketEvent, raw);
  noteFields(note, 'polymarket-gamma', 'Event', raw, SEEN_OF_EVENTS);
  const events: VenueEvent[] = [];
  for (const event of good) {
    const listed = event.markets.filter((market) => !isPlaceholder(market));
    const markets = validateItems('market', polymarketMarket, listed);
    invalid.push(...markets.invalid);
    noteFields(note, 'polymarket-gamma', 'Market', listed, SEEN_OF_MARKETS);
    const read = markets.good.flatMap((market) => {
      const closesAt = market.endDate ?? event.endDate;
      const resolution = resolutionOf(market, closesAt ?? null, winners.get(market.conditionId));
      const traded = tokensOf(market);
      noteWords(market, note);
      if (traded === undefined) {
        invalid.push({ about: 'market', reason: `version ${market.version} without its tokens`, raw: market });
        return [];
      }
      if (closesAt == null || resolution === undefined) {
        const reason = closesAt == null ? 'no end' : 'ended without a value';
        invalid.push({ about: 'market', reason, raw: market });
        return [];
      }
      const listed = readMarket(event, market, traded.tokens[0], closesAt, resolution);
      return [{ ...listed, fee: charged(listed.fee) }];
    });
    if (read.length > 0) {
      events.push(readEvent(event, categoryOf(event, note), markets.good, read));
    }
  }
  return { events, invalid };
}

const VERSIONS = new Set(['v1', 'v2']);
const ORACLE_STATES = new Set(['requested', 'proposed', 'disputed', 'challenged', 'settled', 'resolved']);
const RESOLUTION_STATES = new Set(['inactive', 'active', 'resolved']);

/** Notes unknown words, which decide nothing, and a time of the result that cannot be read. */
function noteWords(market: PolymarketMarket, note: Note): void {
  const { version, umaResolutionStatus, resolutionStatus, closedTime } = market;
  const said = [
    ['market version', version, VERSIONS],
    ['umaResolutionStatus', umaResolutionStatus, ORACLE_STATES],
    ['resolutionStatus', resolutionStatus, RESOLUTION_STATES],
  ] as const;
  for (const [about, word, known] of said) {
    if (word != null && word !== '' && !known.has(word)) {
      note(about, word);
    }
  }
  if (closedTime != null && closedAtOf(market) === undefined) {
    note('closedTime', closedTime);
  }
}

/** Whether it is an unnamed entry of an augmented field ("Person A"), its changing "Other", or a market that was never deployed. */
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
  const sport = category === 'sports' && league !== null ? (LEAGUES[league] ?? null) : null;
  return {
    eventId: event.id,
    groupKey: null,
    slug: event.slug,
    title: event.title,
    subtitle: null,
    category,
    categories: [category],
    kind: kindOfStrikes(source.map(strikeOf), {
      exclusive: event.negRisk === true || event.enableNegRisk === true,
      oneSubject: new Set(source.map((market) => market.sportsMarketType ?? null)).size === 1,
    }),
    sport,
    league: sport === null ? null : league,
    eventType: sport === null ? null : game ? 'game' : 'future',
    liveMatch: liveOf(event),
    imageUrl: pictureOf(event.image),
    ...timesOfAll(markets),
    // The venue counts dollars; the number of contracts is unknown, and dollars must not be reported as contracts.
    volumeMicros: 0n,
    volume24hMicros: 0n,
    status: statusOfAll(markets),
    levelFormat: null,
    translations: {},
    markets,
  };
}

function readMarket(
  event: PolymarketEvent,
  market: PolymarketMarket,
  listingId: string,
  closesAt: Date,
  resolution: VenueResolution | null,
): VenueMarket {
  const [yes = 'Yes', no = 'No'] = market.outcomes;
  const plain = yes === 'Yes' && no === 'No';
  const team = event.teams?.find((one) => one.name === yes);
  const color = team?.color?.toLowerCase();
  return {
    listingId,
    eventId: event.id,
    groupKey: null,
    label: market.groupItemTitle || (plain ? 'Yes' : yes),
    teamLogoUrl: null,
    teamColor: color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : null,
    teamMarks: null,
    teamAbbr: team?.abbreviation?.toUpperCase() ?? null,
    yesLabel: plain ? null : yes,
    noLabel: plain ? null : no,
    rules: market.description || null,
    sources: sourcesOf(market.resolutionSource || event.resolutionSource || ''),
    sportsMarketType: market.sportsMarketType ?? null,
    ...strikeOf(market),
    fiveMinute: FIVE_MINUTES.test(event.slug),
    status: statusOf(market, resolution),
    opensAt: market.eventStartTime ?? market.startDate ?? event.startDate ?? closesAt,
    closesAt,
    volumeMicros: 0n,
    volume24hMicros: 0n,
    lastPriceMicros: lastPriceOf(market.lastTradePrice),
    resolution,
    fee: feeOf(market),
    tickMicros: market.orderPriceMinTickSize ?? DEFAULT_TICK,
    translations: {},
  };
}

/** The exchange gives a source as an address, sometimes in words. */
function sourcesOf(source: string): VenueSource[] {
  if (source === '') {
    return [];
  }
  return [URL.canParse(source) ? { name: new URL(source).hostname, url: source } : { name: source, url: null }];
}

/** The fee rate for crypto, which is the highest (brief, section 7). */
const HIGHEST_FEE_BPS = 700;

/** The first entry with one of the event's tags decides the category, so specific ones come before general ones. */
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

/** An event without a known tag is filed under `world`, so that it is not lost. */
function categoryOf(event: PolymarketEvent, note: Note): string {
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

/** Reads the strike from the title, such as `Above $105k`, `↓ 90,000` or `<5%`. */
function strikeOf(market: PolymarketMarket): VenueStrike {
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

function statusOf(market: PolymarketMarket, resolution: VenueResolution | null): VenueStatus {
  if (resolution !== null) {
    return 'resolved';
  }
  if (market.closed) {
    return 'closed';
  }
  const takesOrders = market.acceptingOrders === true && market.enableOrderBook === true;
  return market.active && market.archived !== true && takesOrders && hasBoundedFee(market) ? 'open' : 'paused';
}

/**
 * @param winner token that the order book names as the winner, if it was requested
 * @returns null before the market is resolved; undefined if its payout does not add up to a dollar, as in legacy rows with `["0","0"]`
 */
export function resolutionOf(
  market: PolymarketMarket,
  closesAt: Date | null,
  winner?: string,
): VenueResolution | null | undefined {
  const resolved =
    market.version === 'v2'
      ? market.resolutionStatus === 'resolved'
      : market.umaResolutionStatus === 'resolved' || market.automaticallyResolved === true;
  if (!market.closed || !(resolved || (winner !== undefined && winner === paidWithoutWord(market)))) {
    return null;
  }
  const [yes, no] = payoutOf(market);
  if (yes === undefined || no === undefined || yes + no !== 1_000_000 || yes < 0 || no < 0 || closesAt === null) {
    return undefined;
  }
  const resolvedAt = closedAtOf(market) ?? closesAt;
  if (yes === 1_000_000) {
    return { outcome: 'YES', yesWorthMicros: null, resolvedAt };
  }
  if (yes === 0) {
    return { outcome: 'NO', yesWorthMicros: null, resolvedAt };
  }
  return { outcome: 'SPLIT', yesWorthMicros: BigInt(yes), resolvedAt };
}

const payoutOf = (market: PolymarketMarket): number[] =>
  (market.outcomePrices ?? []).map((text) => Math.round(Number(text) * 1_000_000));

/**
 * The token that a market has paid, if it closed without any word of its oracle, as some do. The prices alone prove nothing; a second
 * witness has to agree.
 * @returns undefined for any other market
 */
function paidWithoutWord(market: PolymarketMarket): string | undefined {
  const silent =
    market.version !== 'v2' &&
    !market.umaResolutionStatus &&
    (market.umaResolutionStatuses ?? '[]') === '[]' &&
    market.automaticallyResolved !== true;
  const index = payoutOf(market).indexOf(1_000_000);
  return market.closed && silent ? tokensOf(market)?.tokens[index] : undefined;
}

/** The markets of events that closed without a final word of their oracle, which are few. */
export function silentMarkets(raw: readonly unknown[]): PolymarketMarket[] {
  const markets = raw.flatMap((event) => polymarketEvent.safeParse(event).data?.markets ?? []);
  const silent = markets.filter((one) => {
    const { closed, umaResolutionStatus } = one as { closed?: unknown; umaResolutionStatus?: unknown };
    return closed === true && umaResolutionStatus !== 'resolved';
  });
  return validateItems('market', polymarketMarket, silent).good;
}

/** How long it counts that the order book names no winner. */
const NO_WINNER_MS = 600_000;
const MOST_MARKETS = 5_000;

/** Names the winners of markets that paid without a word of their oracle. */
export interface Witness {
  /** @returns the winning token of each such market among these, by condition. A market without a response is missing. */
  winnersOf(markets: readonly PolymarketMarket[]): Promise<ReadonlyMap<string, string>>;
}

/** @param ask reads a path of the order book's host that needs no signature, and answers with status 200 or 404 */
export function openWitness(
  venue: string,
  ask: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>,
): Witness {
  /** The winner by condition; `''` if none is named yet. */
  const known = new LRUCache<string, string>({ max: MOST_MARKETS });

  async function askWinner(conditionId: string): Promise<string> {
    const { status, body } = await ask(`/markets/${encodeURIComponent(conditionId)}`);
    if (status === 404) {
      return '';
    }
    const { closed, tokens } = expectShape(venue, 'winner', polymarketWinner, body);
    const [won, ...others] = tokens.filter(({ winner }) => winner);
    return closed && won !== undefined && others.length === 0 ? won.token_id : '';
  }

  async function winnerOf(conditionId: string): Promise<string> {
    let winner = known.get(conditionId);
    if (winner === undefined) {
      winner = await askWinner(conditionId);
      known.set(conditionId, winner, winner === '' ? { ttl: NO_WINNER_MS } : {});
    }
    return winner;
  }

  return {
    async winnersOf(markets) {
      const winners = new Map<string, string>();
      for (const market of markets) {
        if (paidWithoutWord(market) !== undefined) {
          const winner = await winnerOf(market.conditionId).catch(() => '');
          if (winner !== '') {
            winners.set(market.conditionId, winner);
          }
        }
      }
      return winners;
    },
  };
}

/** Gamma writes an offset without minutes: `2026-03-19 23:20:15+00`. @returns undefined if there is no time, or it cannot be read */
function closedAtOf({ closedTime }: PolymarketMarket): Date | undefined {
  const read = new Date((closedTime ?? '').replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00'));
  return Number.isNaN(read.getTime()) ? undefined : read;
}

function feeOf(market: PolymarketMarket): VenueMarket['fee'] {
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

/** With an exponent below 1 the fee at extreme prices exceeds any rate of the variance, so such a market is shown but not sold. */
const hasBoundedFee = ({ feesEnabled, feeSchedule }: PolymarketMarket) =>
  feesEnabled === false || feeSchedule == null || feeSchedule.rate === 0 || feeSchedule.exponent >= 1;

function liveOf(event: PolymarketEvent): VenueEvent['liveMatch'] {
  const score = /^([0-9]{1,3})\s*-\s*([0-9]{1,3})$/.exec(event.score ?? '');
  if (event.live !== true || event.ended === true || score === null) {
    return null;
  }
  // scores are in the order of the teams, which is away first in American leagues
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
