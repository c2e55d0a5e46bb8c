/**
 * Converts Polymarket's events into the port's types: shapes, strikes, statuses and results. Pure. Entries that cannot
 * be parsed are kept as evidence.
 */

import { lastPriceOf, pictureOf, statusOfAll, timesOfAll } from '../derived.ts';
import { noteFields } from '../documented.ts';
import type { FeeSchedule, Invalid, VenueEvent, VenueMarket, VenueResolution, VenueSource } from '../listing.ts';
import { validateItems } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import { type PolymarketEvent, type PolymarketMarket, polymarketEvent, polymarketMarket, tokensOf } from './schemas.ts';
import { categoryOf, feeOf, kindOf, liveOf, resolutionOf, statusOf, strikeOf } from './terms.ts';

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

/** Fields of recorded answers and of newer pages that its document does not name. */
const SEEN_OF_EVENTS: ReadonlySet<string> = new Set([
  ...['awayTeamName', 'countryName', 'cumulativeMarkets', 'electionType', 'eventMetadata', 'gameId', 'homeTeamName'],
  ...['negRiskAugmented', 'requiresTranslation', 'sport', 'teams'],
]);
const SEEN_OF_MARKETS: ReadonlySet<string> = new Set([
  ...['approved', 'clobRewards', 'comboStatus', 'cyom', 'feeType', 'holdingRewardsEnabled', 'makerRebatesFeeShareBps'],
  ...['negRisk', 'negRiskMarketID', 'negRiskRequestID', 'pagerDutyNotificationEnabled', 'requiresTranslation'],
  ...['positionIds', 'resolutionStatus', 'submitted_by', 'version'],
]);

export interface PolymarketRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/**
 * @param raw items of Gamma's `/events/keyset`
 * @param note takes what is not known here
 * @param charged adds what is charged beside a market's own fee
 */
export function readPolymarketEvents(
  raw: readonly unknown[],
  note: Note = () => undefined,
  charged: (fee: FeeSchedule) => FeeSchedule = (fee) => fee,
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
      const resolution = resolutionOf(market, closesAt ?? null);
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

/** A state that is not known here decides nothing. */
function noteWords({ version, umaResolutionStatus, resolutionStatus }: PolymarketMarket, note: Note): void {
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
}

/** Unnamed entries of an augmented field ("Person A"), its changing "Other", and markets that were never deployed. */
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
    kind: kindOf(event, source),
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

/** The exchange names a source by its address, sometimes in words. */
function sourcesOf(source: string): VenueSource[] {
  if (source === '') {
    return [];
  }
  return [URL.canParse(source) ? { name: new URL(source).hostname, url: source } : { name: source, url: null }];
}
