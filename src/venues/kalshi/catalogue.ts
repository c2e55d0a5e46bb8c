/**
 * Converts Kalshi's events into the port's types: shapes, strikes, statuses and results. Pure. Entries that cannot be
 * parsed are kept as evidence.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { chunksOf } from '../adapter.ts';
import type {
  FeeSchedule,
  Invalid,
  VenueCatalogue,
  VenueEvent,
  VenueMarket,
  VenueResolution,
  VenueSource,
} from '../listing.ts';
import type { Note } from '../port.ts';
import { expectShape, lastPriceOf, nextPageOf, noteFields, statusOfAll, timesOfAll, validateItems } from '../shapes.ts';
import { DEFAULT_PART } from './parts.ts';
import { openKalshiPictures, openKalshiTexts, targetOfAll } from './presentation.ts';
import type { KalshiRest } from './rest.ts';
import {
  categoriesOf,
  feeFrom,
  GENERAL_FEE,
  highestFee,
  isSettledOnce,
  type KnownSeries,
  kindOf,
  openKalshiSeries,
  resolutionOf,
  sportOf,
  statusOf,
  strikeOf,
} from './series.ts';
import {
  type KalshiEvent,
  type KalshiMarket,
  kalshiEvent,
  kalshiMarket,
  kalshiMarketPage,
  kalshiPage,
} from './shapes.ts';

interface KalshiRead {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
  /** The team or player that each event is about, undefined where it is not about one alone. */
  readonly targets: ReadonlyMap<string, string | undefined>;
}

/** What is known beside the events. */
export interface KalshiContext {
  readonly series: KnownSeries;
  readonly note: Note;
}

/** @param raw items of `GET /events?with_nested_markets=true`. */
export function readKalshiEvents(raw: readonly unknown[], context: KalshiContext): KalshiRead {
  const { good, invalid } = validateItems('event', kalshiEvent, raw);
  noteFields(context.note, 'kalshi', 'EventData', raw);
  const events: VenueEvent[] = [];
  const targets = new Map<string, string | undefined>();
  for (const event of good) {
    const markets = validateItems('market', kalshiMarket, event.markets);
    invalid.push(...markets.invalid);
    noteFields(context.note, 'kalshi', 'Market', event.markets);
    const odd = markets.good.find((market) => market.event_ticker !== event.event_ticker);
    if (odd !== undefined) {
      invalid.push({ about: 'event', reason: `a market of ${odd.event_ticker}`, raw: event });
      continue;
    }
    const read = markets.good.flatMap((market) => {
      const resolution = resolutionOf(market);
      if (resolution === undefined) {
        invalid.push({ about: 'market', reason: 'final without a value', raw: market });
        return [];
      }
      return [readMarket(event, market, resolution, markets.good.length, context)];
    });
    if (read.length > 0) {
      events.push(readEvent(event, markets.good, read, context));
      targets.set(event.event_ticker, targetOfAll(markets.good));
    }
  }
  return { events, invalid, targets };
}

function readEvent(
  event: KalshiEvent,
  source: readonly KalshiMarket[],
  markets: readonly VenueMarket[],
  { series, note }: KalshiContext,
): VenueEvent {
  const named = series.of(event.series_ticker)?.categories ?? [];
  const categories = categoriesOf(named.length > 0 || !event.category ? named : [event.category], note);
  const [category] = categories;
  const sport = category === 'sports' ? sportOf(source) : null;
  const competition = event.product_metadata?.competition;
  const scope = event.product_metadata?.competition_scope ?? '';
  return {
    eventId: event.event_ticker,
    groupKey: null,
    slug: event.event_ticker.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    title: event.title,
    subtitle: event.sub_title === undefined || event.sub_title === '' ? null : event.sub_title,
    category,
    categories,
    kind: kindOf(event, source),
    sport,
    league: sport === null || competition === undefined ? null : slugOf(competition),
    eventType: sport === null ? null : /^(Game|Spread|Point Total|.*Total.*)$/.test(scope) ? 'game' : 'future',
    liveMatch: null,
    // it is read apart, by the target
    imageUrl: null,
    ...timesOfAll(markets),
    volumeMicros: markets.reduce((sum, market) => sum + market.volumeMicros, 0n),
    volume24hMicros: markets.reduce((sum, market) => sum + market.volume24hMicros, 0n),
    status: statusOfAll(markets),
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
  context: KalshiContext,
): VenueMarket {
  const fee = feeOf(event, market, context);
  const status = resolution === null ? statusOf(market, context.note) : 'resolved';
  const isSold = isSettledOnce(market, context.note) && fee !== null;
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
    rules: [market.rules_primary, market.rules_secondary].filter(Boolean).join('\n') || null,
    sources: sourcesOf(event),
    resolvesAt: market.expected_expiration_time ?? null,
    sportsMarketType: null,
    threshold,
    direction,
    fiveMinute: false,
    // shown, and not sold
    status: status === 'open' && !isSold ? 'paused' : status,
    opensAt: market.open_time,
    closesAt: market.close_time,
    volumeMicros: market.volume_fp,
    volume24hMicros: market.volume_24h_fp,
    lastPriceMicros: lastPriceOf(market.last_price_dollars),
    resolution,
    fee: fee ?? GENERAL_FEE,
    // Finer grids depend on the price; whole cents are always valid.
    tickMicros: 10_000n,
    part: market.exchange_index ?? DEFAULT_PART,
    translations: {},
  };
}

/** Null if it cannot be told. */
function feeOf(event: KalshiEvent, market: KalshiMarket, { series, note }: KalshiContext): FeeSchedule | null {
  const listed = series.of(event.series_ticker);
  const own = feeFrom(event.fee_type_override, event.fee_multiplier_override);
  const fee = highestFee(
    {
      series: listed?.fee,
      event: own,
      changesOfSeries: series.changesOfSeries(event.series_ticker),
      changesOfEvent: series.changesOfEvent(event.event_ticker),
      waivedUntil: market.fee_waiver_expiration_time,
    },
    new Date(),
  );
  if (fee === null) {
    note('fee', `${event.series_ticker}: ${(own ?? listed?.fee)?.type ?? 'not said'}`);
  }
  return fee;
}

function sourcesOf({ settlement_sources: sources }: KalshiEvent): VenueSource[] {
  return (sources ?? [])
    .map(({ name, url }) => ({ name: name || null, url: url || null }))
    .filter(({ name, url }) => name !== null || url !== null);
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

// What Kalshi lists: all of it by pages, then every time what changed since. All pages are read again at intervals,
// which finds what was missed and updates volumes, which are no change. Without a key only the first pages are read,
// because books would have to be polled.

const PAGE = 200;
const MARKET_PAGE = 1_000;
/** Pages of a deployment without a key. */
const FIRST_PAGES = 3;
/** From the fourth page on: a list costs 10 of the 200 tokens a second that the lowest tier may read. */
const PAGE_EVERY_MS = 200;
export const WHOLE_EVERY_MS = 600_000;
/** Changes are asked for from this long before the last question: clocks differ, and changes appear late. */
const OVERLAP_MS = 120_000;
/** Tickers per request: they are part of the URL. */
const BATCH = 50;

export interface ListedEvents {
  /** @param held listings that are needed with their result in any case. @throws VenueUnknown; nothing is taken over then */
  read(held: readonly string[]): Promise<VenueCatalogue>;
  /** The complete events of these markets, or of that name, as they are now, whatever their status. @throws VenueUnknown */
  eventsOf(tickers: readonly string[], named?: readonly string[]): Promise<VenueCatalogue>;
  /** Markets that were open when they were read last; undefined before anything was read. */
  open(): readonly string[] | undefined;
}

const seriesOfEvent = z.looseObject({ series_ticker: z.string().min(1) });

interface Found {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/** @param wholeEveryMs only tests hand it in, like `feesGoodMs` */
export function openListedEvents(
  name: string,
  rest: KalshiRest,
  note: Note,
  wholeEveryMs = WHOLE_EVERY_MS,
  feesGoodMs?: number,
): ListedEvents {
  const series = openKalshiSeries(name, rest, note, feesGoodMs);
  const texts = openKalshiTexts(name, rest, note);
  const pictures = openKalshiPictures(name, rest, note);
  const shown = (event: VenueEvent) => pictures.pictured(texts.translated(event));
  let known = new Map<string, VenueEvent>();
  let openNow: readonly string[] | undefined;
  let wholeAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds since 1970 of the last question that was answered. */
  let askedAt = 0;
  let before: Promise<unknown> = Promise.resolve();

  async function readEvents(raw: readonly unknown[]): Promise<KalshiRead> {
    const { good } = validateItems('event', seriesOfEvent, raw);
    await series.complete(good.map((event) => event.series_ticker));
    const read = readKalshiEvents(raw, { series, note });
    pictures.about(read.targets);
    return read;
  }

  async function eventPages(filter: Readonly<Record<string, string>>, mostPages: number): Promise<Found> {
    const found: Found = { events: [], invalid: [] };
    const query = new URLSearchParams({ limit: String(PAGE), with_nested_markets: 'true', ...filter });
    const nextPage = nextPageOf(name, 'events');
    for (let page = 0; page < mostPages; page += 1) {
      if (page >= FIRST_PAGES) {
        await sleep(PAGE_EVERY_MS);
      }
      const { body } = await rest.get(`/events?${query}`);
      const { events, cursor: given } = expectShape(name, 'events', kalshiPage, body);
      take(found, await readEvents(events));
      const cursor = nextPage(given);
      if (cursor === undefined) {
        break;
      }
      query.set('cursor', cursor);
    }
    return found;
  }

  /** What changed at events or markets, trades apart. */
  async function changedSince(seconds: number): Promise<Found> {
    const found = await eventPages({ min_updated_ts: String(seconds) }, Number.POSITIVE_INFINITY);
    const of = new Set<string>();
    const query = new URLSearchParams({
      limit: String(MARKET_PAGE),
      min_updated_ts: String(seconds),
      mve_filter: 'exclude',
    });
    const nextPage = nextPageOf(name, 'markets');
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      if (cursor !== '') {
        query.set('cursor', cursor);
      }
      const { body } = await rest.get(`/markets?${query}`);
      const page = expectShape(name, 'markets', kalshiMarketPage, body);
      for (const { event_ticker: event } of page.markets) {
        of.add(event);
      }
      cursor = nextPage(page.cursor);
    }
    const complete = new Set(found.events.map(({ eventId }) => eventId));
    take(found, await eventsNamed([...of].filter((event) => !complete.has(event))));
    return found;
  }

  /** @param archived markets that the list of events leaves out, because they were settled long ago */
  async function eventsNamed(eventTickers: readonly string[], archived: readonly RawMarket[] = []): Promise<Found> {
    const found: Found = { events: [], invalid: [] };
    for (const some of chunksOf(eventTickers, BATCH)) {
      const query = new URLSearchParams({
        limit: String(PAGE),
        with_nested_markets: 'true',
        tickers: some.join(','),
      });
      const { body } = await rest.get(`/events?${query}`);
      const { events } = expectShape(name, 'events', kalshiPage, body);
      take(found, await readEvents(events.map((event) => withMarkets(event, archived))));
    }
    return found;
  }

  async function eventsOf(tickers: readonly string[]): Promise<Found> {
    const found: Found = { events: [], invalid: [] };
    for (const some of chunksOf(tickers, BATCH)) {
      const live = await marketsNamed('/markets', some);
      const gone = some.filter((ticker) => !live.some((market) => market.ticker === ticker));
      const archived = gone.length === 0 ? [] : await marketsNamed('/historical/markets', gone);
      const of = new Set([...live, ...archived].map((market) => market.event_ticker));
      take(found, await eventsNamed([...of], archived));
    }
    return found;
  }

  async function marketsNamed(path: string, tickers: readonly string[]): Promise<readonly RawMarket[]> {
    const query = new URLSearchParams({ limit: String(MARKET_PAGE), tickers: tickers.join(',') });
    const { status, body } = await rest.get(`${path}?${query}`);
    return status === 404 ? [] : expectShape(name, 'markets', kalshiMarketPage, body).markets;
  }

  /** A market of which nobody knows now what it costs is shown and not sold. */
  const asSold = (event: VenueEvent) => (series.areCurrent() ? event : notSold(event));

  async function read(held: readonly string[]): Promise<VenueCatalogue> {
    const startedAt = Date.now();
    const whole = !rest.signs || performance.now() - wholeAt >= wholeEveryMs;
    const since = Math.floor((askedAt - OVERLAP_MS) / 1_000);
    const unread = await series.read(whole, since);
    const news = whole
      ? await eventPages({ status: 'open' }, rest.signs ? Number.POSITIVE_INFINITY : FIRST_PAGES)
      : await changedSince(since);
    const next = new Map(whole ? [] : known);
    for (const event of news.events) {
      if (whole || event.status === 'open' || event.status === 'paused' || next.has(event.eventId)) {
        next.set(event.eventId, event);
      }
    }
    const unsure = new Set(held);
    for (const ticker of openIn(next.values())) {
      unsure.delete(ticker);
    }
    const ended = await eventsOf([...unsure]);
    for (const event of ended.events) {
      next.set(event.eventId, event);
    }
    known = next;
    askedAt = startedAt;
    wholeAt = whole ? performance.now() : wholeAt;
    const listed = [...known.values()].map(asSold);
    openNow = openIn(listed);
    const running = listed.filter(({ status }) => status !== 'resolved');
    await texts.read(running);
    await pictures.read(running);
    return { events: listed.map(shown), invalid: [...unread, ...news.invalid, ...ended.invalid] };
  }

  return {
    read(held) {
      const reading = before.then(() => read(held));
      before = reading.catch(() => undefined);
      return reading;
    },
    async eventsOf(tickers, named = []) {
      const found = await eventsOf(tickers);
      const others = named.filter((event) => !found.events.some(({ eventId }) => eventId === event));
      take(found, await eventsNamed(others));
      for (const event of found.events.filter(({ eventId }) => known.has(eventId))) {
        known.set(event.eventId, event);
      }
      return { ...found, events: found.events.map(asSold).map(shown) };
    },
    open: () => openNow,
  };
}

interface RawMarket {
  readonly ticker: string;
  readonly event_ticker: string;
}

function take(found: Found, more: Found): void {
  found.events.push(...more.events);
  found.invalid.push(...more.invalid);
}

function openIn(events: Iterable<VenueEvent>): string[] {
  return [...events].flatMap(({ markets }) =>
    markets.filter(({ status }) => status === 'open').map(({ listingId }) => listingId),
  );
}

function notSold(event: VenueEvent): VenueEvent {
  const markets = event.markets.map((market) =>
    market.status === 'open' ? { ...market, status: 'paused' as const } : market,
  );
  return { ...event, markets, status: statusOfAll(markets) };
}

/** An event with those of its markets that it leaves out. */
function withMarkets(event: unknown, archived: readonly RawMarket[]): unknown {
  if (archived.length === 0 || typeof event !== 'object' || event === null) {
    return event;
  }
  const { event_ticker: ticker, markets } = event as { event_ticker?: unknown; markets?: readonly RawMarket[] | null };
  const listed = markets ?? [];
  const missing = archived.filter(
    (market) => market.event_ticker === ticker && !listed.some((one) => one.ticker === market.ticker),
  );
  return { ...event, markets: [...listed, ...missing] };
}
