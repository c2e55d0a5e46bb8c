/**
 * Kalshi: catalogue and books over its REST interface and, if the deployment has a key, orders and our account.
 * Without a key it is read only. The host comes only from configuration.
 */

import type { KalshiSettings } from '../../core/venue-settings.ts';
import { readOnlyOrders } from '../adapter.ts';
import { type PolledVenue, watchByPolling } from '../follow.ts';
import type { VenueBook } from '../listing.ts';
import { type Locate, Unknowns, type Venue } from '../port.ts';
import { expectShape, validateItems } from '../shapes.ts';
import { kalshiAccount } from './account.ts';
import { readKalshiBook, watchKalshi } from './books.ts';
import { openListedEvents } from './catalogue.ts';
import { kalshiOrderSide } from './orders.ts';
import { LOWEST_TIER, openKalshiParts, readKalshiLimits } from './parts.ts';
import { kalshiSigner, openKalshiRest } from './rest.ts';
import { kalshiBook, kalshiBooks, kalshiTickerBook } from './shapes.ts';
import { STREAM_PATH } from './stream.ts';

const BATCH = 100;
const POLL_MS = 5_000;
/** While the stream is down the books of the whole exchange are polled: a list costs 10 of the 200 tokens a second. */
const BETWEEN_POLLS_MS = 200;
/**
 * @param wholeEveryMs how often all pages of the catalogue are read; only tests hand it in
 * @param feesGoodMs how long fees count that cannot be read again; only tests hand it in
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
  const parts = openKalshiParts(name, rest, settings.subaccount);
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
          ...kalshiOrderSide(name, rest, parts, unknowns.note, settings),
          account: kalshiAccount(name, rest, parts, unknowns.note, settings),
          // orders of the last months are listed, also those that found nothing
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
