/** What the streams of all emulated exchanges have in common: books by snapshot and change, pushes of our orders, and the ways to fail. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { VenueBook } from '../../src/venues/listing.ts';
import { until } from '../support/until.ts';
import { EXCHANGES } from './every-exchange.ts';
import type { Exchange } from './exchange.ts';
import { SLOWEST_MS, WatchedVenue } from './watched-venue.ts';

/** A change is pushed at once; one that is not by then was made before the stream was open. */
const PUSHED_MS = 3_000;
const EACH = { timeout: 60_000 };

describe.each(EXCHANGES)('the stream of %s', (_, open) => {
  let exchange: Exchange;
  let seen: WatchedVenue;

  beforeEach(async () => {
    exchange = await open();
    seen = new WatchedVenue();
  });
  afterEach(async () => {
    await seen.watch?.close();
    await exchange.close();
  });

  const levels = (side: VenueBook['bids'] | undefined) =>
    side?.map(({ priceMicros, quantityMicros }) => [Number(priceMicros) / 1e6, Number(quantityMicros) / 1e6]);
  const bids = (listingId = exchange.listingId) => levels(seen.books.get(listingId)?.bids);
  const asks = () => levels(seen.books.get(exchange.listingId)?.asks);
  const feed = () => seen.books.get(exchange.listingId)?.feed;

  test(
    'books come as a snapshot and change, also down to nothing, and the connection confirms them',
    EACH,
    async () => {
      await seen.follow(exchange.venue);
      expect([bids(), asks(), feed()]).toEqual([
        [[0.4, 50]],
        [
          [0.45, 10],
          [0.46, 100],
        ],
        'websocket',
      ]);
      exchange.setBook(
        [
          ['0.40', '20'],
          ['0.41', '7.5'],
        ],
        [],
      );
      await until(() => expect(asks()).toEqual([]), SLOWEST_MS);
      expect(bids()).toEqual([
        [0.41, 7.5],
        [0.4, 20],
      ]);
      await until(() => expect(seen.confirmed).toBeGreaterThan(1), SLOWEST_MS);
      expect(seen.watch?.connected).toBe(true);
    },
  );

  test('what the catalogue lists later is followed, and a listing with a result is read at once', EACH, async () => {
    await seen.follow(exchange.venue);
    const later = exchange.list('LATER');
    exchange.setBook([['0.20', '5']], [], later);
    await exchange.venue.catalogue();
    await until(() => expect(bids(later)).toEqual([[0.2, 5]]), SLOWEST_MS);
    exchange.resolve('YES');
    await until(() => expect(seen.results()).toContain('YES'), SLOWEST_MS);
    expect(seen.events).toEqual(['up']);
  });

  test.each([
    ['disconnect', /^down: the connection ended/],
    ['garbage', /^down: a message could not be read/],
    ['silence', /^down: nothing was received/],
  ] as const)('that fails with %s is down, comes back, and has the current books', EACH, async (fault, reason) => {
    await seen.follow(exchange.venue);
    exchange.tell({ do: 'stream', fault });
    exchange.setBook([['0.30', '1']], []);
    exchange.setBook([['0.31', '2']], []);
    await until(() => expect(seen.events.filter((event) => event === 'up')).toHaveLength(2), SLOWEST_MS);
    expect(seen.events.find((event) => event.startsWith('down'))).toMatch(reason);
    await until(() => expect([bids(), asks()]).toEqual([[[0.31, 2]], []]), SLOWEST_MS);
  });

  test('counts messages of other kinds, and hints that cannot be read, and they cost it nothing', EACH, async () => {
    await seen.follow(exchange.venue);
    const words = exchange.sayOddly();
    exchange.setBook([['0.41', '7']], []);
    await until(() => expect(bids()).toEqual([[0.41, 7]]), SLOWEST_MS);
    expect(seen.events).toEqual(['up']);
    expect(exchange.venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`)).toEqual(words);
  });

  test('pushes our orders under the name that our books know', EACH, async () => {
    const pushed: string[] = [];
    const following = exchange.venue.account?.follow?.((ids) => pushed.push(...ids));
    // what is placed before the stream is open is not pushed
    await until(async () => {
      const one = await exchange.order({ quantityMicros: 5_000_000n });
      await exchange.venue.placeOrder(one, () => true);
      await until(() => expect(pushed).toContain(one.venueRef ?? one.ourId), PUSHED_MS);
    }, SLOWEST_MS);
    following?.close();
  });
});
