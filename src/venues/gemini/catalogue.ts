/**
 * Converts Gemini's events and contracts into the port's types: categories, kinds, strikes, price grids, statuses and results. Pure. An
 * entry that cannot be read is returned as evidence, and a word that is not known is noted.
 */
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
import { type GeminiContract, type GeminiEvent, geminiContract, geminiEvent } from './shapes.ts';

const DEFAULT_TICK = 10_000n;

export interface GeminiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
  /** By contract, what its orders must fit; missing if that is not known. */
  readonly grids: ReadonlyMap<string, Grid>;
}

/**
 * @param raw unparsed events
 * @returns the events with at least one contract that can be read
 */
export function readGeminiEvents(raw: readonly unknown[], note: Note): GeminiRead {
  const { good, invalid } = validateItems('event', geminiEvent, raw);
  noteFields(note, 'gemini', 'Event', raw);
  const events: VenueEvent[] = [];
  const grids = new Map<string, Grid>();
  for (const event of good) {
    const contracts = validateItems('contract', geminiContract, event.contracts ?? []);
    invalid.push(...contracts.invalid);
    noteFields(note, 'gemini', 'Contract', event.contracts ?? []);
    const markets = contracts.good.flatMap((contract): VenueMarket[] => {
      const closesAt = contract.expiryDate ?? event.expiryDate;
      if (closesAt == null) {
        invalid.push({ about: 'contract', reason: 'no end', raw: contract });
        return [];
      }
      const market = readMarket(event, contract, closesAt, contracts.good.length, note);
      if (market === undefined) {
        invalid.push({ about: 'contract', reason: 'settled without a winner', raw: contract });
        return [];
      }
      const grid = gridOf(contract);
      if (grid !== undefined) {
        grids.set(contract.instrumentSymbol, grid);
      }
      return [market];
    });
    if (markets.length > 0) {
      events.push(readEvent(event, contracts.good, markets, note));
    }
  }
  return { events, invalid, grids };
}

function readEvent(
  event: GeminiEvent,
  contracts: readonly GeminiContract[],
  markets: readonly VenueMarket[],
  note: Note,
): VenueEvent {
  const category = categoryOf(event, note);
  const sport = category === 'sports' ? sportOf(event) : null;
  return {
    eventId: event.ticker,
    groupKey: null,
    slug: event.slug || event.ticker.toLowerCase(),
    title: event.title,
    subtitle: null,
    category,
    categories: [category],
    kind: kindOfStrikes(contracts.map(strikeOf), {
      // no document states that contracts exclude each other: `categorical` only means that there are several
      exclusive: false,
      oneSubject: event.sportsMarket == null && new Set(contracts.map(({ strike }) => strike?.type)).size === 1,
    }),
    sport,
    league: sport === null ? null : (event.subcategory?.name?.toLowerCase().replace(/[^a-z0-9]+/g, '-') ?? null),
    eventType: sport === null ? null : event.sportsMarket?.type === 'futures' ? 'future' : 'game',
    liveMatch: null,
    imageUrl: event.imageUrl || null,
    ...timesOfAll(markets),
    // the exchange counts dollars; the number of contracts is unknown
    volumeMicros: 0n,
    volume24hMicros: 0n,
    status: statusOfAll(markets),
    levelFormat: null,
    translations: {},
    markets,
  };
}

/** @returns undefined if the contract is settled and names no winner */
function readMarket(
  event: GeminiEvent,
  contract: GeminiContract,
  closesAt: Date,
  count: number,
  note: Note,
): VenueMarket | undefined {
  const resolution = resolutionOf(contract, event, closesAt);
  if (resolution === undefined) {
    return undefined;
  }
  const color = contract.color?.toLowerCase() ?? '';
  return {
    listingId: contract.instrumentSymbol,
    eventId: event.ticker,
    groupKey: null,
    label: contract.label || (count === 1 ? 'Yes' : contract.instrumentSymbol),
    teamLogoUrl: null,
    teamColor: /^#[0-9a-f]{6}$/.test(color) ? color : null,
    teamMarks: null,
    teamAbbr: null,
    yesLabel: null,
    noLabel: null,
    rules: wordsOf(contract.description) ?? (event.description || null),
    sources: sourcesOf(event),
    sportsMarketType: event.sportsMarket?.type ?? null,
    ...strikeOf(contract),
    fiveMinute: isFiveMinute(event),
    status: statusOf(contract, resolution, note),
    opensAt: contract.effectiveDate ?? contract.createdAt ?? event.effectiveDate ?? event.createdAt ?? closesAt,
    closesAt,
    volumeMicros: 0n,
    volume24hMicros: 0n,
    lastPriceMicros: lastPriceOf(contract.prices?.lastTradePrice),
    resolution,
    fee: TAKER_FEE,
    tickMicros: contract.priceIncrement || DEFAULT_TICK,
    translations: {},
  };
}

/** The texts of a rich text in their order, joined; null if it has none. */
function wordsOf(rich: unknown): string | null {
  const words: string[] = [];
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(collect);
    } else if (typeof node === 'object' && node !== null) {
      const { value, content } = node as { value?: unknown; content?: unknown };
      if (typeof value === 'string') {
        words.push(value);
      }
      collect(content);
    }
  };
  if (typeof rich === 'string') {
    words.push(rich);
  }
  collect(rich);
  return words.join('').trim() || null;
}

function sourcesOf({ sourceDetails }: GeminiEvent): VenueSource[] {
  const name = [sourceDetails?.agency, sourceDetails?.index].filter(Boolean).join(' ');
  return name === '' ? [] : [{ name, url: null }];
}

/** The fee of a taker since 2026-03-18: 0.07 * p * (1 - p). The fee of each order is rounded up to a cent. */
export const TAKER_FEE: FeeSchedule = { model: 'of_variance', bps: 700, known: true };
export const FEE_STEP_MICROS = 10_000n;
/** We trade multiples of a hundredth of a contract. */
export const QUANTITY_STEP_MICROS = 10_000n;

const CATEGORIES: Readonly<Record<string, string>> = {
  sports: 'sports',
  politics: 'politics',
  elections: 'politics',
  midterms: 'politics',
  crypto: 'crypto',
  economics: 'economics',
  economy: 'economics',
  finance: 'finance',
  financial: 'finance',
  financials: 'finance',
  business: 'finance',
  commodities: 'finance',
  tech: 'technology',
  technology: 'technology',
  science: 'science',
  weather: 'climate',
  climate: 'climate',
  culture: 'culture',
  entertainment: 'culture',
  media: 'culture',
  world: 'world',
  other: 'world',
};
const OTHER = 'world';

/** An unknown category becomes `world`, so that no event is lost. */
function categoryOf({ category }: GeminiEvent, note: Note): string {
  const known = CATEGORIES[(category ?? '').toLowerCase()];
  if (known === undefined && category) {
    note('category', category);
  }
  return known ?? OTHER;
}

const SPORTS: Readonly<Record<string, string>> = {
  american_football: 'american-football',
  baseball: 'baseball',
  basketball: 'basketball',
  golf: 'golf',
  hockey: 'ice-hockey',
  mixed_martial_arts: 'mma',
  soccer: 'soccer',
  tennis: 'tennis',
};

const sportOf = ({ sportsMarket }: GeminiEvent): string | null => SPORTS[sportsMarket?.sport ?? ''] ?? null;

const STATUSES: Readonly<Record<string, VenueStatus>> = {
  // trading has not begun
  approved: 'closed',
  active: 'open',
  closed: 'closed',
  under_review: 'closed',
  settled: 'resolved',
  // its payout is not documented, so it is not a result
  invalid: 'closed',
};
const MARKET_STATES: ReadonlySet<string> = new Set(['open', 'closed']);

/** A contract whose status or grid is not known is shown, but not sold. */
function statusOf(contract: GeminiContract, resolution: VenueResolution | null, note: Note): VenueStatus {
  const { status, marketState } = contract;
  const known = STATUSES[status];
  if (known === undefined) {
    note('contract status', status);
  }
  if (marketState != null && !MARKET_STATES.has(marketState)) {
    note('market state', marketState);
  }
  if (known !== 'open') {
    return resolution === null && known === 'resolved' ? 'closed' : (known ?? 'paused');
  }
  const trades = (marketState ?? 'open') === 'open' && gridOf(contract) !== undefined;
  return trades ? 'open' : 'paused';
}

export interface Grid {
  /** Prices are whole steps above `priceMinimumMicros`. */
  readonly priceStepMicros: bigint;
  readonly priceMinimumMicros: bigint;
  readonly quantityStepMicros: bigint;
  readonly quantityMinimumMicros: bigint;
}

/** The grid that orders of a contract must fit; undefined if it is incomplete, or if hundredths of a contract do not fit it. */
function gridOf(contract: GeminiContract): Grid | undefined {
  const { priceIncrement, priceMinimum, quantityIncrement, quantityMinimum } = contract;
  if (!priceIncrement || priceMinimum == null || !quantityIncrement || quantityMinimum == null) {
    return undefined;
  }
  return QUANTITY_STEP_MICROS % quantityIncrement === 0n
    ? {
        priceStepMicros: priceIncrement,
        priceMinimumMicros: priceMinimum,
        quantityStepMicros: quantityIncrement,
        quantityMinimumMicros: quantityMinimum,
      }
    : undefined;
}

/** @returns null if the contract is not settled, undefined if it is settled and names no winner */
function resolutionOf(
  { status, resolutionSide, resolvedAt }: GeminiContract,
  event: GeminiEvent,
  closesAt: Date,
): VenueResolution | null | undefined {
  if (status !== 'settled') {
    return null;
  }
  const side = resolutionSide?.toLowerCase();
  if (side !== 'yes' && side !== 'no') {
    return undefined;
  }
  return {
    outcome: side === 'yes' ? 'YES' : 'NO',
    yesWorthMicros: null,
    resolvedAt: resolvedAt ?? event.resolvedAt ?? closesAt,
  };
}

const ABOVE: ReadonlySet<string> = new Set(['above', 'over', 'over_or_equal']);
const BELOW: ReadonlySet<string> = new Set(['under', 'under_or_equal', 'below']);

function strikeOf({ strike }: GeminiContract): VenueStrike {
  const type = strike?.type ?? '';
  const value = strike?.value == null || strike.value === '' ? Number.NaN : Number(strike.value);
  const direction = ABOVE.has(type) ? 'above' : BELOW.has(type) ? 'below' : null;
  return direction === null || !Number.isFinite(value)
    ? { threshold: null, direction: null }
    : { threshold: value, direction };
}

const FIVE_MINUTES = /^(BTC|ETH|SOL|XRP)05M\d+$/;

const isFiveMinute = ({ ticker }: GeminiEvent): boolean => FIVE_MINUTES.test(ticker);
