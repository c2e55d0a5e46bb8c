/** Converts Gemini's events into the port's types. Pure. Entries that cannot be parsed are kept as evidence. */
import { lastPriceOf, statusOfAll, timesOfAll } from '../derived.ts';
import { noteFields } from '../documented.ts';
import type { Invalid, VenueEvent, VenueMarket, VenueSource } from '../listing.ts';
import { validateItems } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import { type GeminiContract, type GeminiEvent, geminiContract, geminiEvent } from './schemas.ts';
import {
  categoryOf,
  type Grid,
  gridOf,
  isFiveMinute,
  kindOf,
  resolutionOf,
  sportOf,
  statusOf,
  strikeOf,
  TAKER_FEE,
} from './terms.ts';

const DEFAULT_TICK = 10_000n;

export interface GeminiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
  /** By contract. */
  readonly grids: ReadonlyMap<string, Grid>;
}

/** @param raw events as they came @param note takes what is not known here */
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
    kind: kindOf(event, contracts),
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

/** Undefined if it is settled and names no winner. */
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

/** The texts of a rich text, in their order; null if it has none. */
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
