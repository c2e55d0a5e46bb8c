/** What only the streams of Polymarket do: messages without a number, doubted books, ticks, trades to their end. The rest: `stream.test.ts`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { VenueBook } from '../../src/venues/listing.ts';
import { readMarketFrame, readUserFrame } from '../../src/venues/polymarket/shapes.ts';
import { timePasses, until } from '../support/until.ts';
import { polymarketPayloads } from '../venues/recordings.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, send } from './polymarket-venue.ts';
import { SLOWEST_MS, WatchedVenue } from './watched-venue.ts';

let exchange: PolymarketExchange;
let seen: WatchedVenue;
let books: WatchedVenue['books'];
let events: string[];
/** Sizes of the best bid, as they were reported. */
let sizes: number[];

beforeEach(async () => {
  exchange = await openPolymarketExchange();
  vi.spyOn(exchange.emulator.faults, 'take');
  seen = new WatchedVenue();
  ({ books, events } = seen);
  sizes = [];
});
afterEach(async () => {
  await seen.watch?.close();
  await exchange.close();
});

const follow = (venue = exchange.venue) =>
  seen.follow(venue, (book) => {
    const size = Number(book.bids[0]?.quantityMicros ?? 0n) / 1e6;
    if (sizes.at(-1) !== size) {
      sizes.push(size);
    }
  });
const tell = (request: object) => exchange.tell(request);
const setBook = (bids: [string, string][], asks: [string, string][]) => tell({ do: 'book', name: 't', bids, asks });
const book = () => books.get(exchange.market.tokens[0]);
const plain = (levels: VenueBook['bids'] | undefined) =>
  levels?.map(({ priceMicros, quantityMicros }) => [Number(priceMicros) / 1e6, Number(quantityMicros) / 1e6]);
const sides = () => [plain(book()?.bids), plain(book()?.asks)];
const reads = () => vi.mocked(exchange.emulator.faults.take).mock.calls.filter(([on]) => on === 'POST /books').length;

test('a change costs no request, and leaves no doubt about the book', async () => {
  await follow();
  const before = reads();
  setBook([['0.41', '7.5']], []);
  await until(async () => expect(await sides()).toEqual([[[0.41, 7.5]], []]), SLOWEST_MS);
  await until(() => expect(seen.confirmed).toBeGreaterThan(1), SLOWEST_MS);
  expect([reads(), book()?.asOf, seen.watch?.connected]).toEqual([before, undefined, true]);
});

test('a missed change of the best price is noticed with the next message, and the book is read again', async () => {
  await follow();
  tell({ do: 'stream', fault: 'gap' });
  setBook([['0.42', '20']], [['0.45', '10']]);
  setBook([['0.42', '20']], [['0.45', '9']]);
  // until it was read again, the book is as old as the doubt
  await until(() => expect(book()?.asOf).toBeInstanceOf(Date), SLOWEST_MS);
  await until(async () => expect(await sides()).toEqual([[[0.42, 20]], [[0.45, 9]]]), SLOWEST_MS);
  expect([book()?.asOf, events]).toEqual([undefined, ['up']]);
});

test.each([
  ['names its book', (token: string) => [{ asset_id: token, price: 'x', size: '1', side: 'BUY' }], 1],
  ['names no book', () => [{ price: '0.41' }], 2],
  ['is of a market that is not followed', () => [{ asset_id: '7', price: 'x' }], 0],
])('a change that cannot be read and %s costs only that, and the connection stays', async (_, changes, doubted) => {
  tell({ do: 'market', name: 'other', title: 'O', closeTime: '2099-01-01T00:00:00Z' });
  tell({ do: 'book', name: 'other', bids: [['0.20', '5']], asks: [] });
  const doubts = new Set<string>();
  await seen.follow(exchange.venue, ({ listingId, asOf }) => asOf === undefined || doubts.add(listingId));
  // the change that is read wrongly is missed
  tell({ do: 'stream', fault: 'gap' });
  setBook([['0.42', '20']], []);
  const price_changes = changes(exchange.market.tokens[0]);
  tell({ do: 'stream_say', message: { event_type: 'price_change', price_changes, timestamp: String(Date.now()) } });
  await until(() => expect(events).toEqual(['up', 'invalid: a change that cannot be read']), SLOWEST_MS);
  if (doubted > 0) {
    await until(async () => expect(await sides()).toEqual([[[0.42, 20]], []]), SLOWEST_MS);
    await until(() => expect([...books.values()].map(({ asOf }) => asOf)).toEqual([undefined, undefined]), SLOWEST_MS);
  }
  expect([doubts.size, seen.watch?.connected, events.length]).toEqual([doubted, true, 2]);
});

test('a missed change behind the best price is found by the comparison with REST', { timeout: 60_000 }, async () => {
  await follow();
  tell({ do: 'stream', fault: 'gap' });
  setBook(
    [
      ['0.40', '50'],
      ['0.20', '33'],
    ],
    [['0.45', '10']],
  );
  await until(
    async () =>
      expect(await sides()).toEqual([
        [
          [0.4, 50],
          [0.2, 33],
        ],
        [[0.45, 10]],
      ]),
    SLOWEST_MS,
  );
  expect(events).toEqual(['up']);
});

test('a message that comes twice, the second time late, changes nothing', async () => {
  await follow();
  tell({ do: 'stream', fault: 'twice' });
  setBook([['0.40', '5']], [['0.45', '10']]);
  await until(async () => expect(await sides()).toEqual([[[0.4, 5]], [[0.45, 10]]]), SLOWEST_MS);
  // after this change the earlier one arrives again
  await timePasses(5);
  setBook([['0.40', '6']], [['0.45', '10']]);
  await until(async () => expect(await sides()).toEqual([[[0.4, 6]], [[0.45, 10]]]), SLOWEST_MS);
  await timePasses(500);
  expect(sides()).toEqual([[[0.4, 6]], [[0.45, 10]]]);
  expect(sizes).toEqual([50, 5, 6]);
});

test('after a change of the tick the book counts again once it was read, and the market is read at once', async () => {
  await follow();
  const before = reads();
  tell({ do: 'terms', name: 't', tick: '0.001' });
  await until(() => expect(seen.ticks()).toContain(1_000n), SLOWEST_MS);
  await until(async () => expect(await reads()).toBeGreaterThan(before), SLOWEST_MS);
  await until(() => expect(book()?.asOf).toBeUndefined(), SLOWEST_MS);
});

test('a market that is resolved as one half is read at once', { timeout: 60_000 }, async () => {
  await follow();
  tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
  await until(() => expect(seen.results()).toContain('SPLIT'), SLOWEST_MS);
});

test('a market without an order book does not keep the others from being up', { timeout: 60_000 }, async () => {
  tell({ do: 'market', name: 'bare', title: 'B', closeTime: '2099-01-01T00:00:00Z' });
  await exchange.venue.catalogue();
  // it is listed as open, and its book is gone
  const bare = exchange.emulator.state.markets.get('bare');
  if (bare !== undefined) {
    bare.closed = true;
  }
  await follow();
  await until(() => expect(book()?.feed).toBe('websocket'), SLOWEST_MS);
});

test('while no stream can be opened the books are polled', { timeout: 60_000 }, async () => {
  const venue = exchange.open({ streamUrl: 'ws://127.0.0.1:9' });
  await follow(venue);
  expect([book()?.feed, sides()[0]]).toEqual(['rest', [[0.4, 50]]]);
  await seen.watch?.close();
  await venue.close();
});

test('our orders and trades are pushed under their hash, to the end of each trade', { timeout: 60_000 }, async () => {
  tell({ do: 'settlement', minedMs: 300, finalMs: 900 });
  const pushed: string[][] = [];
  const following = exchange.venue.account?.follow?.((refs) => pushed.push([...refs]));
  // a new connection asks for a comparison, because pushes may have been missed
  await until(() => expect(pushed).toEqual([[]]), SLOWEST_MS);
  const order = await prepare(exchange.venue, orderOf(exchange));
  await exchange.venue.placeOrder(order, () => true);
  const about = () => pushed.filter((refs) => refs.includes(order.venueRef)).length;
  // the order, and its trade as it is matched, broadcast, mined and confirmed
  await until(async () => expect(await about()).toBe(5), SLOWEST_MS);
  expect(await exchange.venue.findOrder(order.ourId, order)).toMatchObject({
    order: { state: 'closed', fills: [{}, {}] },
  });
  tell({ do: 'stream', fault: 'disconnect' });
  await until(() => expect(pushed.filter((refs) => refs.length === 0).length).toBe(2), SLOWEST_MS);
  await send(exchange.venue, orderOf(exchange));
  await until(() => expect(pushed.length).toBeGreaterThan(6), SLOWEST_MS);
  following?.close();
});

test('what is traded is added up with its last price, also over a new connection, and a message that comes twice counts once', async () => {
  await follow();
  expect(book()?.traded).toBeUndefined();
  tell({ do: 'stream', fault: 'twice' });
  await send(exchange.venue, orderOf(exchange));
  // 10 shares at 0.45 and 10.21 at 0.46 are 9.20 dollars, fee apart
  await until(() => expect(book()?.traded?.priceMicros).toBe(460_000n), SLOWEST_MS);
  const first = book()?.traded?.quantityMicros ?? 0n;
  expect(Number(first) / 1e6).toBeGreaterThan(19);
  expect(Number(first) / 1e6).toBeLessThan(21);
  tell({ do: 'stream', fault: 'disconnect' });
  // what is traded while the connection is replaced is not heard of
  const traded = async () => {
    setBook([['0.40', '50']], [['0.46', '100']]);
    await send(exchange.venue, orderOf(exchange));
    return book()?.traded?.quantityMicros ?? 0n;
  };
  await until(async () => expect(await traded()).toBeGreaterThan(first), 25_000);
});

test('every message that was recorded of the exchange can be read', () => {
  const { messages: recorded, documented } = polymarketPayloads();
  const messages = [...Object.values(recorded), ...documented].filter(
    (message) => (message as { event_type?: unknown }).event_type !== undefined,
  );
  expect(messages.length).toBeGreaterThan(15);
  for (const message of messages) {
    const frame = JSON.stringify(message);
    const { event_type: type } = message as { event_type: string };
    const told: string[] = [];
    const note = (about: string) => told.push(about);
    const read = type === 'order' || type === 'trade' ? readUserFrame(frame, note) : readMarketFrame(frame, note);
    expect([read?.missed, told], frame.slice(0, 300)).toEqual([[], []]);
  }
});
