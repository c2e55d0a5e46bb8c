/**
 * Events and outcomes as the API shows them (contract chapter 5, contract chapter 6). It shapes and translates. Prices come
 * from price-rules.ts, and no venue's name is rendered.
 */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/client.ts';
import { MICROS } from '../../money/decimal.ts';
import type { CatalogueEvent, EventRules, Outcome, PriceView } from '../../wire/catalogue.ts';
import type { HaltedVenues } from '../board/board-state.ts';
import type { BoardContract, BoardEvent } from '../event.ts';
import { impliedLevel } from '../prices/implied-level.ts';
import { type PublishedPrice, publishedPrice } from '../prices/price-rules.ts';
import type { RenderLocale } from './event-query.ts';

/** Contract 7.12: a list shows at most this many outcomes of an event. */
const LISTED_OUTCOMES = 12;

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
    threshold: contract.threshold,
    direction: contract.direction,
    volume24h,
    volume24hContracts: volume24h,
    closesAt: contract.closesAt.toISOString(),
  };
}

/**
 * An event without its outcomes, which are rendered separately, so that after a change of one book only one outcome is
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

/** The outcomes that a list shows: the most traded in 24 h first, then in the venue's order. */
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

/** The data of a price stream event for a contract (contract 8.4). */
export function renderPrice(contractId: string, price: PublishedPrice): PriceView {
  return {
    contractId,
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
  };
}

function contractsOf(quantityMicros: bigint): number {
  return Number(quantityMicros) / MICROS;
}

/** An event changes whenever one of its contracts changes, because its status follows from theirs. */
function lastChange(event: BoardEvent): Date {
  return new Date(Math.max(...[event, ...event.contracts].map(({ updatedAt }) => updatedAt.getTime())));
}

// What lists need to know about an event: whether it is listed, whether it can be traded, its categories and words.
// Pure.

export interface EventSummary {
  readonly event: BoardEvent;
  readonly listed: boolean;
  /** Whether any outcome has an executable side. */
  readonly tradable: boolean;
  /** The next time, in milliseconds, at which this may change without a change of the board. */
  readonly changesAt: number;
}

/** Whether this is a sports fixture that is being played and has no result yet. */
function isInPlay(event: BoardEvent): boolean {
  return (
    event.sport !== null &&
    event.eventType === 'game' &&
    event.liveMatch !== null &&
    event.status !== 'resolved' &&
    event.status !== 'voided'
  );
}

/**
 * Events are listed while they can be traded or are halted, and not past their close, except a fixture in play
 * (contract chapter 7).
 */
export function isListed(event: BoardEvent, now: Date): boolean {
  if (isInPlay(event)) {
    return true;
  }
  return event.closesAt > now && (event.status === 'open' || event.status === 'paused');
}

export function summarize(event: BoardEvent, now: Date, halted: HaltedVenues | null = null): EventSummary {
  const time = now.getTime();
  let changesAt = Number.POSITIVE_INFINITY;
  let tradable = false;
  for (const { closesAt } of [event, ...event.contracts]) {
    const close = closesAt.getTime();
    if (close > time && close < changesAt) {
      changesAt = close;
    }
  }
  const listed = isListed(event, now);
  for (const contract of listed ? event.contracts : []) {
    if (publishedPrice(contract, now, halted).tradable) {
      tradable = true;
      break;
    }
  }
  return { event, listed, tradable, changesAt };
}

/** Whether a list with the older summary still shows the same event at the same place, except for prices and volumes. */
export function isUnchanged(older: EventSummary, newer: EventSummary): boolean {
  const a = older.event;
  const b = newer.event;
  return (
    older.listed === newer.listed &&
    a.closesAt.getTime() === b.closesAt.getTime() &&
    a.opensAt.getTime() === b.opensAt.getTime() &&
    a.category === b.category &&
    a.sport === b.sport &&
    a.league === b.league &&
    a.title === b.title &&
    a.subtitle === b.subtitle &&
    sameValue(a.categories, b.categories) &&
    sameValue(a.translations, b.translations) &&
    a.contracts.length === b.contracts.length &&
    a.contracts.every((contract, index) => {
      const other = b.contracts[index];
      return (
        other !== undefined &&
        contract.contractId === other.contractId &&
        contract.label === other.label &&
        sameValue(contract.translations, other.translations)
      );
    })
  );
}

/** Usually one comparison of references, because the board keeps objects that did not change. */
function sameValue(a: object, b: object): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

// The rules of an event as the API shows them: one text if they are the same for all outcomes, else one for each. They
// are read from the database when an event is looked at, because the texts of all events would fill the board; what was
// read is kept for a moment.

const KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 15_000;

export interface EventRulesReader {
  /** JSON text; `null` if none are published. It is there at once if it was read within the last seconds. */
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

export function createEventRules(sql: Sql): EventRulesReader {
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (json) => json.length * 2,
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

/** @param rows of one event, in the order of its outcomes */
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
