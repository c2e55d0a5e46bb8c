/**
 * Kalshi: catalogue and books over its REST interface and, if the deployment has a key, orders and our account.
 * Without a key it is read only. The host comes only from configuration.
 */

import type { RequestBucket } from '../../core/net/request-budget.ts';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { chunksOf, unlisted, without } from '../held.ts';
import type { Invalid, VenueBook, VenueCatalogue, VenueEvent } from '../listing.ts';
import { type PolledVenue, watchByPolling } from '../polling-watch.ts';
import type { Locate, Venue } from '../port.ts';
import { readOnlyOrders } from '../read-only.ts';
import { expectShape, validateItems } from '../response-shape.ts';
import { kalshiAccount } from './account.ts';
import { readKalshiBook } from './book.ts';
import { readKalshiEvents } from './catalogue.ts';
import { kalshiOrderSide } from './orders.ts';
import { kalshiSigner, openKalshiRest } from './rest.ts';
import { kalshiBook, kalshiBooks, kalshiMarketEvents, kalshiPage, kalshiTickerBook } from './schemas.ts';
import { STREAM_PATH } from './stream.ts';
import { watchKalshi } from './watch.ts';

const PAGE = 200;
/** The whole exchange has tens of thousands of markets; a deployment without keys can follow only the first pages. */
const MOST_PAGES = 3;
const BATCH = 100;
/** Held markets per request: their tickers are part of the URL. */
const HELD_BATCH = 50;
const POLL_MS = 5_000;
/**
 * The lowest tier: 200 read tokens a second, held for two seconds, of which a quarter is left to catalogue, books and comparison,
 * and 100 write tokens. A list costs 10; a look-up reads the order and its fills twice, a send the fills three times.
 */
const KALSHI_LIMITS: readonly RequestBucket[] = [
  { perSecond: 150, burst: 300, costs: { look_up: 40, cancel: 20, send: 30 } },
  { perSecond: 100, burst: 100, costs: { cancel: 2, send: 10 } },
];

export function openKalshi(name: string, locate: Locate, settings: KalshiSettings): Venue {
  const rest = openKalshiRest(name, locate, kalshiSigner(settings));
  let listings: string[] | undefined;
  let sequence = BigInt(Date.now()) * 1_000n;

  const get = (path: string) => rest.get(path);

  async function catalogue(held: readonly string[] = []): Promise<VenueCatalogue> {
    const events: VenueEvent[] = [];
    const invalid: Invalid[] = [];
    let cursor = '';
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = new URLSearchParams({ limit: String(PAGE), with_nested_markets: 'true', status: 'open' });
      if (cursor !== '') {
        query.set('cursor', cursor);
      }
      const { body } = await get(`/events?${query}`);
      const found = expectShape(name, 'events', kalshiPage, body);
      const read = readKalshiEvents(found.events);
      events.push(...read.events);
      invalid.push(...read.invalid);
      cursor = found.cursor ?? '';
      if (cursor === '') {
        break;
      }
    }
    const closed = await eventsOf(unlisted(held, events));
    events.push(...without(closed.events, events));
    invalid.push(...closed.invalid);
    listings = events.flatMap((event) =>
      event.markets.filter((market) => market.status === 'open').map((market) => market.listingId),
    );
    return { events, invalid };
  }

  /** The complete events of these markets, whatever their status. */
  async function eventsOf(tickers: readonly string[]): Promise<VenueCatalogue> {
    const found: { events: VenueEvent[]; invalid: Invalid[] } = { events: [], invalid: [] };
    for (const some of chunksOf(tickers, HELD_BATCH)) {
      const { body } = await get(`/markets?${new URLSearchParams({ tickers: some.join(',') })}`);
      const { markets } = expectShape(name, 'markets', kalshiMarketEvents, body);
      const of = new Set(markets.map((market) => market.event_ticker));
      if (of.size === 0) {
        continue;
      }
      const query = new URLSearchParams({
        limit: String(PAGE),
        with_nested_markets: 'true',
        tickers: [...of].join(','),
      });
      const page = await get(`/events?${query}`);
      const read = readKalshiEvents(expectShape(name, 'events', kalshiPage, page.body).events);
      found.events.push(...read.events);
      found.invalid.push(...read.invalid);
    }
    return found;
  }

  const next = () => {
    sequence += 1n;
    return sequence;
  };

  const polled: PolledVenue = {
    batch: BATCH,
    everyMs: POLL_MS,
    listings: async () => {
      if (listings === undefined) {
        await catalogue();
      }
      return listings ?? [];
    },
    books: async (ids, handlers) => {
      const query = new URLSearchParams(ids.map((id): [string, string] => ['tickers', id]));
      const { body } = await get(`/markets/orderbooks?${query}`);
      const { good, invalid } = validateItems(
        'book',
        kalshiTickerBook,
        expectShape(name, 'books', kalshiBooks, body).orderbooks,
      );
      for (const evidence of invalid) {
        handlers.invalid(evidence);
      }
      const now = new Date();
      return good.map((book): VenueBook => readKalshiBook(book.ticker, book.orderbook_fp, next(), now));
    },
  };

  return {
    ...(rest.signs
      ? {
          ...kalshiOrderSide(name, rest, settings),
          account: kalshiAccount(name, rest, settings),
          // orders of the last months are listed, also those that found nothing
          lookupIsComplete: true,
          takesCostBound: false,
          limits: KALSHI_LIMITS,
        }
      : readOnlyOrders),
    name,
    quantityStepMicros: 10_000n,
    minimumQuantityMicros: 10_000n,
    minimumAmountMinor: 100n,
    catalogue,
    async book(listingId) {
      const { status, body } = await get(`/markets/${encodeURIComponent(listingId)}/orderbook`);
      if (status === 404) {
        return null;
      }
      return readKalshiBook(listingId, expectShape(name, 'book', kalshiBook, body).orderbook_fp, next(), new Date());
    },
    watch: async (handlers) =>
      rest.signs
        ? watchKalshi(
            {
              polled,
              stream: { url: settings.streamUrl, headers: () => rest.handshake(STREAM_PATH) },
              events: async (tickers) => (await eventsOf(tickers)).events,
              book: (ticker, ladders) => readKalshiBook(ticker, ladders, next(), new Date(), 'websocket'),
            },
            handlers,
          )
        : watchByPolling(polled, handlers),
    feeSchedule: async () => ({ model: 'of_variance', bps: 700, known: false }),
    close: () => rest.close(),
  };
}
