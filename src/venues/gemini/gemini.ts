/**
 * Opens Gemini as a venue of the port: the catalogue over REST, books over the stream and, if the deployment has a key, orders and our
 * account. Without a key it only reads, and refuses every order.
 */
import type { RequestBucket } from '../../core/request-budget.ts';
import type { GeminiSettings } from '../../core/venue-settings.ts';
import { readOnlyOrders, unlisted, without } from '../adapter.ts';
import type { Invalid, VenueBook, VenueEvent } from '../listing.ts';
import { type Locate, Unknowns, type Venue } from '../port.ts';
import { expectShape } from '../shapes.ts';
import { geminiAccount } from './account.ts';
import { watchGemini } from './books.ts';
import {
  FEE_STEP_MICROS,
  type GeminiRead,
  type Grid,
  QUANTITY_STEP_MICROS,
  readGeminiEvents,
  TAKER_FEE,
} from './catalogue.ts';
import { geminiLists, geminiOrderSide } from './orders.ts';
import { EVENTS_PATH, openGeminiRest } from './rest.ts';
import { geminiBook, geminiEvent, geminiPage } from './shapes.ts';

const PAGE = 500;
/**
 * The exchange allows 600 private requests per minute and queues five more. A fifth is left to the comparison of the account. A look-up
 * reads three lists (twice for a sale), and a send also reads trades.
 */
const GEMINI_LIMITS: readonly RequestBucket[] = [
  { perSecond: 8, burst: 12, costs: { look_up: 3, cancel: 7, send: 2 } },
];
/** Most events that one connection follows; those with the most volume are chosen. */
const MOST_EVENTS = 400;

export function openGemini(name: string, locate: Locate, settings: GeminiSettings): Venue {
  const rest = openGeminiRest(name, locate, settings);
  const unknowns = new Unknowns();
  const lists = geminiLists(name, rest, unknowns.note);
  /** By contract that was read, the ticker of its event. */
  const eventOf = new Map<string, string>();
  const grids = new Map<string, Grid>();
  let listings: string[] | undefined;
  let sequence = BigInt(Date.now()) * 1_000n;

  function read(raw: readonly unknown[]): GeminiRead {
    const found = readGeminiEvents(raw, unknowns.note);
    for (const market of found.events.flatMap(({ markets }) => markets)) {
      eventOf.set(market.listingId, market.eventId);
    }
    for (const [symbol, grid] of found.grids) {
      grids.set(symbol, grid);
    }
    return found;
  }

  async function openEvents(): Promise<unknown[]> {
    const raw: unknown[] = [];
    for (;;) {
      const path = `${EVENTS_PATH}?status=active&limit=${PAGE}&offset=${raw.length}`;
      const { data } = expectShape(name, 'events', geminiPage, (await rest.get(path)).body);
      raw.push(...data);
      if (data.length < PAGE) {
        return raw;
      }
    }
  }

  async function eventNamed(ticker: string): Promise<unknown> {
    const { status, body } = await rest.get(`${EVENTS_PATH}/${encodeURIComponent(ticker)}`);
    return status === 404 ? undefined : body;
  }

  async function eventsNamed(tickers: Iterable<string>): Promise<unknown[]> {
    const raw: unknown[] = [];
    for (const ticker of new Set(tickers)) {
      raw.push(await eventNamed(ticker));
    }
    return raw.filter((event) => event !== undefined);
  }

  /** The event of a contract that no page lists: the event known from earlier, else one made from the parts of the contract's name. */
  async function eventWith(symbol: string): Promise<unknown> {
    for (const ticker of new Set([eventOf.get(symbol) ?? '', ...tickersIn(symbol)].filter((one) => one !== ''))) {
      const event = await eventNamed(ticker);
      if (event !== undefined && contractsOf(event).includes(symbol)) {
        return event;
      }
    }
    return undefined;
  }

  const mostTraded = (raw: readonly unknown[]): unknown[] => {
    const head = (event: unknown) => geminiEvent.safeParse(event).data;
    // pages are counted by offset, so an event may be on two of them
    const once = new Map(raw.map((event) => [head(event)?.ticker ?? event, event]));
    return [...once.values()]
      .map((event) => ({ event, volume: head(event)?.volume ?? 0n }))
      .sort((one, other) => (one.volume > other.volume ? -1 : one.volume < other.volume ? 1 : 0))
      .slice(0, MOST_EVENTS)
      .map(({ event }) => event);
  };

  async function catalogue(held: readonly string[] = []) {
    const listed = read(mostTraded(await openEvents()));
    const events: VenueEvent[] = [...listed.events];
    const invalid: Invalid[] = [...listed.invalid];
    for (let missing = unlisted(held, events); missing.length > 0; missing = unlisted(missing.slice(1), events)) {
      const event = await eventWith(missing[0] ?? '');
      const more = read(event === undefined ? [] : [event]);
      events.push(...without(more.events, events));
      invalid.push(...more.invalid);
    }
    listings = events
      .flatMap(({ markets }) => markets)
      .filter(({ status }) => status === 'open')
      .map(({ listingId }) => listingId);
    return { events, invalid };
  }

  /** Reads the event if the grid is not known, so that no order is sent that does not fit. */
  async function gridOf(listingId: string): Promise<Grid | undefined> {
    if (!grids.has(listingId)) {
      const event = await eventWith(listingId);
      read(event === undefined ? [] : [event]);
    }
    return grids.get(listingId);
  }

  const bookFrom = (
    listingId: string,
    { bids, asks }: Pick<VenueBook, 'bids' | 'asks'>,
    feed: VenueBook['feed'],
  ): VenueBook => {
    sequence += 1n;
    return { listingId, bids, asks, sequence, observedAt: new Date(), feed };
  };

  return {
    ...(rest.signs
      ? {
          ...geminiOrderSide(name, rest, lists, gridOf, unknowns.note),
          account: geminiAccount(name, rest, lists, unknowns.note, settings),
          // the lists have all open and ended orders, also those that filled nothing; a signature is valid for 30 seconds
          lookupIsComplete: true,
          mayOmitOurId: true,
          takesCostBound: false,
          limits: GEMINI_LIMITS,
        }
      : readOnlyOrders),
    name,
    quantityStepMicros: QUANTITY_STEP_MICROS,
    minimumQuantityMicros: QUANTITY_STEP_MICROS,
    minimumAmountMinor: 100n,
    feeStepMicros: FEE_STEP_MICROS,
    catalogue,
    async book(listingId) {
      const { status, body } = await rest.get(`/v1/book/${encodeURIComponent(listingId)}?limit_bids=0&limit_asks=0`);
      return status === 404 ? null : bookFrom(listingId, expectShape(name, 'book', geminiBook, body), 'rest');
    },
    watch: async (handlers) =>
      watchGemini(
        {
          url: settings.streamUrl,
          listings: async () => listings ?? (await catalogue().then(() => listings)) ?? [],
          events: async (tickers) => read(await eventsNamed(tickers)).events,
          note: unknowns.note,
          book: (symbol, book) => bookFrom(symbol, book, 'websocket'),
        },
        handlers,
      ),
    feeSchedule: async (listingId) => (eventOf.has(listingId) ? TAKER_FEE : null),
    unknowns: () => unknowns.take(),
    close: () => rest.close(),
  };
}

/** Possible event tickers in the name of a contract: for `GEMI-A-B-C` these are `A-B-C`, `A-B` and `A`. */
function tickersIn(symbol: string): string[] {
  const parts = symbol.replace(/^GEMI-/i, '').split('-');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
}

function contractsOf(event: unknown): unknown[] {
  const contracts = geminiEvent.safeParse(event).data?.contracts ?? [];
  return contracts.map((one) => (one as { instrumentSymbol?: unknown } | null)?.instrumentSymbol);
}
