/**
 * The catalogue that Kalshi lists: all pages at first, then with each reading only what changed since the last one. All pages are read
 * again at intervals, which finds missed changes and updates volumes, which do not count as changes. Without a key only the first
 * pages are read, because every listed book would have to be polled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { chunksOf } from '../adapter.ts';
import type { Invalid, VenueCatalogue, VenueEvent } from '../listing.ts';
import type { Note } from '../port.ts';
import { expectShape, nextPageOf, statusOfAll, validateItems } from '../shapes.ts';
import { type KalshiRead, readKalshiEvents } from './catalogue.ts';
import { openKalshiPictures, openKalshiTexts } from './presentation.ts';
import type { KalshiRest } from './rest.ts';
import { openKalshiSeries } from './series.ts';
import { kalshiMarketPage, kalshiPage } from './shapes.ts';

const PAGE = 200;
const MARKET_PAGE = 1_000;
/** Pages that are read without a key. */
const FIRST_PAGES = 3;
/** Pause before each further page: a list costs 10 of the 200 tokens per second that the lowest tier may read. */
const PAGE_EVERY_MS = 200;
const WHOLE_EVERY_MS = 600_000;
/** Changes are requested from this long before the last reading, because clocks differ and changes appear late. */
const OVERLAP_MS = 120_000;
/** Tickers per request; more would make the URL too long. */
const BATCH = 50;

interface ListedEvents {
  /**
   * Readings follow each other; a failed one changes nothing here.
   * @param held listings that are returned in any case, with their result
   * @throws VenueUnknown
   */
  read(held: readonly string[]): Promise<VenueCatalogue>;
  /**
   * The complete events as they are now, whatever their status.
   * @param tickers markets whose events are read
   * @param named tickers of further events
   * @throws VenueUnknown
   */
  eventsOf(tickers: readonly string[], named?: readonly string[]): Promise<VenueCatalogue>;
  /** Markets that were open in the last reading; undefined before the first one. */
  open(): readonly string[] | undefined;
}

const seriesOfEvent = z.looseObject({ series_ticker: z.string().min(1) });

interface Found {
  readonly events: VenueEvent[];
  readonly invalid: Invalid[];
}

/**
 * @param wholeEveryMs interval between readings of all pages; only tests pass it
 * @param feesGoodMs see `openKalshiSeries`; only tests pass it
 */
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
  /** When the last successful reading began, in milliseconds since 1970. */
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

  /** Events that changed, themselves or in one of their markets; trades do not count as changes. */
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

  /** @param archived markets that the list of events omits, because they were settled long ago */
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

  /** If the fees are not known any more, the markets are shown but not sold. */
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

/** Adds archived markets of an event that its response omits. */
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
