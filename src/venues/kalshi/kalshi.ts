/**
 * Opens Kalshi as a venue of the port: catalogue and books and, if the deployment has a key, orders and our account. Without a key
 * it only reads, and refuses every order.
 */
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { readOnlyOrders } from '../adapter.ts';
import { openFillReports } from '../fill-reports.ts';
import { type PolledVenue, watchByPolling } from '../follow.ts';
import type { VenueBook } from '../listing.ts';
import { type Locate, Unknowns, type Venue } from '../port.ts';
import { expectShape, validateItems } from '../shapes.ts';
import { kalshiAccount } from './account.ts';
import { readKalshiBook, watchKalshi } from './books.ts';
import { openListedEvents } from './listed-events.ts';
import { kalshiOrderSide } from './orders.ts';
import { openKalshiParts } from './parts.ts';
import { kalshiSigner, LOWEST_TIER, openKalshiRest, openSubaccount, readKalshiLimits } from './rest.ts';
import { type KalshiFill, kalshiBook, kalshiBooks, kalshiTickerBook } from './shapes.ts';
import { STREAM_PATH } from './stream.ts';

const BATCH = 100;
const POLL_MS = 5_000;
/** While the stream is down, all books are polled. A list costs 10 of the 200 read tokens per second. */
const BETWEEN_POLLS_MS = 200;

/**
 * @param name of the venue in the deployment, by which `locate` finds its host
 * @param wholeEveryMs interval between readings of all pages of the catalogue; only tests pass it
 * @param feesGoodMs how long the last fees stay valid if they cannot be read again; only tests pass it
 */
export function openKalshi(
  name: string,
  locate: Locate,
  settings: KalshiSettings,
  wholeEveryMs?: number,
  feesGoodMs?: number,
): Venue {
  const rest = openKalshiRest(name, locate, kalshiSigner(settings));
  const unknowns = new Unknowns();
  const subaccount = openSubaccount(name, rest, settings);
  const parts = openKalshiParts(name, rest, subaccount);
  const reports = openFillReports<KalshiFill>();
  const listed = openListedEvents(name, rest, unknowns.note, wholeEveryMs, feesGoodMs);
  let sequence = BigInt(Date.now()) * 1_000n;

  const get = (path: string) => rest.get(path);

  const next = () => {
    sequence += 1n;
    return sequence;
  };

  const polled: PolledVenue = {
    batch: BATCH,
    everyMs: POLL_MS,
    betweenMs: BETWEEN_POLLS_MS,
    listings: async () => {
      if (listed.open() === undefined) {
        await listed.read([]);
      }
      return listed.open() ?? [];
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
          ...kalshiOrderSide(name, rest, parts, unknowns.note, reports, {
            subaccount,
            orderGroups: settings.orderGroups,
          }),
          account: kalshiAccount(name, rest, parts, unknowns.note, reports, subaccount, settings),
          // the lists go back months and include orders that filled nothing
          lookupIsComplete: true,
          takesCostBound: false,
          limits: LOWEST_TIER,
          readLimits: () => readKalshiLimits(name, rest),
        }
      : readOnlyOrders),
    name,
    quantityStepMicros: 10_000n,
    minimumQuantityMicros: 10_000n,
    minimumAmountMinor: 100n,
    catalogue: (held = []) => listed.read(held),
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
              events: async (tickers, named) => (await listed.eventsOf(tickers, named)).events,
              note: unknowns.note,
              book: (ticker, ladders) => readKalshiBook(ticker, ladders, next(), new Date(), 'websocket'),
            },
            handlers,
          )
        : watchByPolling(polled, handlers),
    async feeSchedule(listingId) {
      const { events } = await listed.eventsOf([listingId]);
      const found = events.flatMap(({ markets }) => markets).find((market) => market.listingId === listingId);
      return found?.fee ?? null;
    },
    unknowns: () => unknowns.take(),
    close: () => rest.close(),
  };
}
