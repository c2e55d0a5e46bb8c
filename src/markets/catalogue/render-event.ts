/**
 * Events, outcomes, prices, depth and rules as the API shows them (contract chapter 5, contract chapter 6). It shapes
 * and translates. Prices come from `price-rules.ts`, and no venue's name is rendered.
 */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/client.ts';
import type { Level } from '../../money/book.ts';
import { MICROS } from '../../money/decimal.ts';
import type { CatalogueEvent, ContractBook, EventRules, Outcome, PriceView } from '../../wire/catalogue.ts';
import { primaryBook } from '../board/best-prices.ts';
import type { HaltedVenues } from '../board/board-state.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import { type PublishedPrice, publishedPrice, referencePrice } from '../prices/price-rules.ts';
import type { RenderLocale } from './event-query.ts';

/** Contract 7.12: a list shows at most this many outcomes of an event. */
const LISTED_OUTCOMES = 12;
/** How many levels of a book are published on each side. */
const DEEPEST = 50;
/** An implied level has this many significant digits. */
const SIGNIFICANT_DIGITS = 4;
const HALF = 0.5;
const DOLLAR_HALF_MICROS = 2_000_000;
const KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 15_000;

/**
 * An outcome in a language. Texts that are not translated are in English.
 *
 * @param halted venues whose books are not executable for the audience now
 */
export function renderOutcome(
  contract: BoardContract,
  locale: RenderLocale,
  now: Date,
  halted: HaltedVenues | null = null,
): Outcome {
  const texts = locale === 'en' ? undefined : contract.translations[locale];
  const label = texts?.label ?? null;
  const price = publishedPrice(contract, now, halted);
  const volume24h = contractsOf(contract.volume24hMicros);
  return {
    id: contract.contractId,
    label: label ?? contract.label,
    ...(label === null || label === contract.label ? {} : { sourceLabel: contract.label }),
    teamLogoUrl: contract.teamLogoUrl,
    teamColor: contract.teamColor,
    teamMarks: contract.teamMarks === null ? null : [...contract.teamMarks],
    teamAbbr: contract.teamAbbr,
    probability: price.probability,
    yesCents: price.yesCents,
    noCents: price.noCents,
    executableYesCents: price.executableYesCents,
    executableNoCents: price.executableNoCents,
    tradable: price.tradable,
    tradingClosed: price.tradingClosed,
    yesLabel: texts?.yesLabel ?? contract.yesLabel,
    noLabel: texts?.noLabel ?? contract.noLabel,
    sportsMarketType: contract.sportsMarketType,
    spreadCents: price.spreadCents,
    priceBasis: price.priceBasis,
    priceUpdatedAt: price.priceUpdatedAt.toISOString(),
    priceFeed: price.priceFeed,
    status: contract.status,
    ...resolutionOf(contract),
    threshold: contract.threshold,
    direction: contract.direction,
    volume24h,
    volume24hContracts: volume24h,
    closesAt: contract.closesAt.toISOString(),
  };
}

/**
 * An event without its outcomes. These are rendered separately, so that after a change of one book only one outcome is
 * rendered again.
 */
export function renderEventHead(
  event: BoardEvent,
  locale: RenderLocale,
): Omit<CatalogueEvent, 'outcomes' | 'trending' | 'rules'> {
  const texts = locale === 'en' ? undefined : event.translations[locale];
  const title = texts?.title ?? null;
  const volume = contractsOf(event.volumeMicros);
  const volume24h = contractsOf(event.volume24hMicros);
  return {
    id: event.eventId,
    slug: event.slug,
    title: title ?? event.title,
    ...(title === null || title === event.title ? {} : { sourceTitle: event.title }),
    subtitle: texts?.subtitle ?? event.subtitle,
    category: event.category,
    categories: [...event.categories],
    sport: event.sport,
    league: event.league,
    eventType: event.eventType,
    liveMatch: renderLiveMatch(event.liveMatch),
    imageUrl: `/api/v1/images/${event.eventId}`,
    kind: event.kind,
    outcomeCount: event.contracts.length,
    ...impliedLevel(event),
    closesAt: event.closesAt.toISOString(),
    opensAt: event.opensAt.toISOString(),
    updatedAt: lastChange(event).toISOString(),
    volume,
    volume24h,
    volumeContracts: volume,
    volume24hContracts: volume24h,
    status: event.status,
  };
}

function renderLiveMatch(match: BoardEvent['liveMatch']): CatalogueEvent['liveMatch'] {
  if (match === null) {
    return null;
  }
  const { homeScore, awayScore, period, clock, observedAt } = match;
  return { homeScore, awayScore, period, clock, observedAt };
}

/** An event changes whenever one of its contracts changes, because its status follows from theirs. */
function lastChange(event: BoardEvent): Date {
  return new Date(Math.max(...[event, ...event.contracts].map(({ updatedAt }) => updatedAt.getTime())));
}

/**
 * The level that a ladder of thresholds implies: where its reference probability passes one half.
 *
 * @returns the level interpolated between the two thresholds around one half; nulls if the event is not a ladder, its
 * thresholds have both directions, or all of them are on the same side of one half
 */
export function impliedLevel(event: Pick<BoardEvent, 'kind' | 'contracts' | 'levelFormat'>): {
  readonly impliedLevel: number | null;
  readonly impliedLevelLabel: string | null;
} {
  const none = { impliedLevel: null, impliedLevelLabel: null };
  if (event.kind !== 'cumulative_ladder') {
    return none;
  }
  const thresholds = readThresholds(event.contracts);
  for (const [index, low] of thresholds.entries()) {
    const high = thresholds[index + 1];
    if (high === undefined || low.above < HALF || high.above > HALF) {
      continue;
    }
    const share = low.above === high.above ? HALF : (low.above - HALF) / (low.above - high.above);
    const level = Number((low.threshold + share * (high.threshold - low.threshold)).toPrecision(SIGNIFICANT_DIGITS));
    return { impliedLevel: level, impliedLevelLabel: labelOf(level, event.levelFormat, areYears(thresholds)) };
  }
  return none;
}

interface ThresholdPrice {
  readonly threshold: number;
  /** The probability of a value above the threshold. */
  readonly above: number;
}

function readThresholds(contracts: BoardEvent['contracts']): ThresholdPrice[] {
  const directions = new Set(contracts.map(({ direction }) => direction));
  if (directions.size !== 1 || directions.has(null)) {
    return [];
  }
  const thresholds: ThresholdPrice[] = [];
  for (const contract of contracts) {
    const { halfMicros } = referencePrice(contract);
    if (contract.threshold === null || halfMicros === null) {
      continue;
    }
    const probability = halfMicros / DOLLAR_HALF_MICROS;
    thresholds.push({
      threshold: contract.threshold,
      above: contract.direction === 'above' ? probability : 1 - probability,
    });
  }
  return thresholds.sort((a, b) => a.threshold - b.threshold);
}

/** Whether all thresholds may be years, as in "before 2028". */
function areYears(thresholds: readonly ThresholdPrice[]): boolean {
  return thresholds.every(({ threshold }) => Number.isInteger(threshold) && threshold >= 1900 && threshold <= 2100);
}

function labelOf(level: number, format: string | null, areAllYears: boolean): string {
  // A year is not a quantity and has no thousands separator.
  const isYear = areAllYears && (format === null || format === '{k}');
  const figure = level.toLocaleString('en-US', { maximumFractionDigits: isYear ? 0 : 6, useGrouping: !isYear });
  return format === null ? figure : format.replace('{k}', () => figure);
}

/**
 * The outcomes that a list shows, the most traded in 24 hours first. Outcomes that were traded equally keep the venue's
 * order.
 */
export function listedOutcomes(event: BoardEvent): readonly BoardContract[] {
  return event.contracts
    .toSorted((a, b) =>
      a.volume24hMicros === b.volume24hMicros
        ? a.position - b.position
        : a.volume24hMicros > b.volume24hMicros
          ? -1
          : 1,
    )
    .slice(0, LISTED_OUTCOMES);
}

function contractsOf(quantityMicros: bigint): number {
  return Number(quantityMicros) / MICROS;
}

/** The data of a price stream event for a contract (contract 8.4). */
export function renderPrice(contract: BoardContract, price: PublishedPrice): PriceView {
  return {
    contractId: contract.contractId,
    tradeable: price.tradable,
    tradingClosed: price.tradingClosed,
    probability: price.probability,
    yesCents: price.yesCents,
    noCents: price.noCents,
    executableYesCents: price.executableYesCents,
    executableNoCents: price.executableNoCents,
    spreadCents: price.spreadCents,
    priceBasis: price.priceBasis,
    priceUpdatedAt: price.priceUpdatedAt.toISOString(),
    ...resolutionOf(contract),
  };
}

/** An open contract has no such field (contract 6.8). */
function resolutionOf({ resolution }: BoardContract): Pick<Outcome, 'resolution'> {
  return resolution === null ? {} : { resolution };
}

/**
 * The depth of a contract: levels of YES, best first, without the name of a venue. Five-minute contracts and closed
 * ones publish none (contract chapter 3).
 */
export function renderBook(contract: BoardContract, now: Date): ContractBook {
  const { tradable } = publishedPrice(contract, now);
  const shown = !tradable ? [] : contract.routable ? contract.books : [primaryBook(contract)].filter((book) => !!book);
  return {
    contractId: contract.contractId,
    bids: merge(shown.map(({ bids }) => bids))
      .reverse()
      .slice(0, DEEPEST),
    asks: merge(shown.map(({ asks }) => asks)).slice(0, DEEPEST),
    updatedAt: latest(shown.map(({ updatedAt }) => updatedAt))?.toISOString() ?? null,
  };
}

/** Several ladders as one, lowest price first. Levels with the same price are added up. */
function merge(ladders: readonly (readonly Level[])[]): { price: number; contracts: number }[] {
  const quantities = new Map<bigint, bigint>();
  for (const { priceMicros, quantityMicros } of ladders.flat()) {
    quantities.set(priceMicros, (quantities.get(priceMicros) ?? 0n) + quantityMicros);
  }
  return [...quantities]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([price, quantity]) => ({ price: Number(price) / MICROS, contracts: Number(quantity) / MICROS }));
}

function latest(times: readonly Date[]): Date | undefined {
  return times.reduce<Date | undefined>((last, at) => (last === undefined || at > last ? at : last), undefined);
}

export interface EventRulesReader {
  /**
   * @returns the rules as JSON text, `null` if none are published; at once if they were read within the last seconds
   */
  find(eventId: string): string | Promise<string>;
}

interface RulesRow {
  readonly contractId: string;
  readonly text: string | null;
  readonly source: string | null;
  readonly sourceUrl: string | null;
  /** ISO-8601 UTC. */
  readonly resolvesAt: string | null;
}

/**
 * Reads the rules of an event when the event is looked at, because the texts of all events would fill the board. They
 * are kept for a moment.
 */
export function createEventRules(sql: Sql): EventRulesReader {
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (json, key) => (json.length + key.length) * 2 + 256,
    ttl: KEPT_MS,
  });

  async function read(eventId: string): Promise<string> {
    const rows = await sql<RulesRow[]>`
      select contract_id, rules->>'text' as text, rules->>'source' as source, rules->>'sourceUrl' as source_url,
        rules->>'resolvesAt' as resolves_at
      from contracts where event_id = ${eventId} and rules is not null
      order by position, contract_id`;
    const json = JSON.stringify(renderRules(rows));
    kept.set(eventId, json);
    return json;
  }

  return { find: (eventId) => kept.get(eventId) ?? read(eventId) };
}

/**
 * One text if the rules are the same for all outcomes, else one for each.
 *
 * @param rows of one event, in the order of its outcomes
 */
export function renderRules(rows: readonly RulesRow[]): EventRules | null {
  const [first] = rows;
  if (first === undefined) {
    return null;
  }
  const shared = rows.every(({ text }) => text === first.text);
  const { source, sourceUrl } = rows.find((row) => row.source !== null || row.sourceUrl !== null) ?? first;
  const times = rows.flatMap(({ resolvesAt }) => (resolvesAt === null ? [] : [resolvesAt])).toSorted();
  return {
    text: shared ? first.text : null,
    source,
    sourceUrl,
    resolvesAt: times.at(-1) ?? null,
    outcomes: shared ? [] : rows.flatMap(({ contractId, text }) => (text === null ? [] : [{ id: contractId, text }])),
  };
}
