/**
 * Events and outcomes as the API shows them (contract chapter 5, contract chapter 6). It shapes and translates. Prices come
 * from price-rules.ts, and no venue's name is rendered.
 */
import { MICROS } from '../../money/decimal.ts';
import type { CatalogueEvent, Outcome, PriceView } from '../../wire/catalogue.ts';
import type { BoardContract } from '../contract.ts';
import type { BoardEvent } from '../event.ts';
import type { HaltedVenues } from '../prices/halted-venues.ts';
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
