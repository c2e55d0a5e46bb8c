/** What only the stream of Gemini does: changes with numbers, subscriptions that are refused, orders without our id. The rest: `stream.test.ts`. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openGeminiStream, StreamBooks } from '../../src/venues/gemini/books.ts';
import { until } from '../support/until.ts';
import { type GeminiExchange, geminiOrderOf, openGeminiExchange, SYMBOL } from './gemini-venue.ts';
import { SLOWEST_MS, WatchedVenue } from './watched-venue.ts';

/** A change is pushed at once; one that is not by then was made before the stream was open. */
const PUSHED_MS = 3_000;

let exchange: GeminiExchange;
let seen: WatchedVenue;
let books: WatchedVenue['books'];
let events: string[];

beforeEach(async () => {
  exchange = await openGeminiExchange();
  seen = new WatchedVenue();
  ({ books, events } = seen);
});
afterEach(async () => {
  await seen.watch?.close();
  await exchange.close();
});

const follow = () => seen.follow(exchange.venue);
const setBook = (bids: [string, string][], asks: [string, string][], symbol = SYMBOL) =>
  exchange.tell({ do: 'book', symbol, bids, asks });
const list = (symbol: string) =>
  exchange.tell({ do: 'contract', symbol, eventTicker: symbol, title: 'T', expiresAt: '2099-01-01T00:00:00.000Z' });
const bids = (symbol = SYMBOL) => books.get(symbol)?.bids.map((level) => [level.priceMicros, level.quantityMicros]);
const asks = (symbol = SYMBOL) => books.get(symbol)?.asks.map((level) => [level.priceMicros, level.quantityMicros]);
const ups = () => events.filter((event) => event === 'up').length;

test('a stream that loses a change is down once the next one comes, and comes back with the current books', {
  timeout: 60_000,
}, async () => {
  await follow();
  exchange.tell({ do: 'stream', fault: 'gap' });
  setBook([['0.30', '1']], []);
  setBook([['0.31', '2']], []);
  await until(() => expect(ups()).toBe(2), SLOWEST_MS);
  expect(events.find((event) => event.startsWith('down'))).toMatch(/^down: a change of the book of .* is missing$/);
  await until(async () => expect(await [bids(), asks()]).toEqual([[[310_000n, 2_000_000n]], []]), SLOWEST_MS);
});

test('a refused subscription is asked for again on a new connection', { timeout: 60_000 }, async () => {
  exchange.tell({ do: 'stream', fault: 'refuse' });
  await follow();
  expect(bids()).toEqual([[400_000n, 50_000_000n]]);
});

test('a book that stays crossed is read again', { timeout: 60_000 }, async () => {
  await follow();
  // the exchange matches at once, so its own book never stays so
  setBook([['0.50', '1']], [['0.45', '10']]);
  await until(() => expect(events.find((event) => event.startsWith('down'))).toMatch(/stays crossed$/), SLOWEST_MS);
  setBook([['0.44', '1']], [['0.45', '10']]);
  await until(async () => expect(await bids()).toEqual([[440_000n, 1_000_000n]]), SLOWEST_MS);
});

test('a contract of which the stream says nothing is left out with no prices, and tried again with the next catalogue', {
  timeout: 60_000,
}, async () => {
  const invalid = () => events.filter((event) => event.startsWith('invalid'));
  list('GEMI-MUTE-T1');
  setBook([['0.20', '5']], [], 'GEMI-MUTE-T1');
  exchange.tell({ do: 'stream_silent', symbols: ['GEMI-MUTE-T1'] });
  await seen.begin(exchange.venue);
  await until(() => expect(ups()).toBe(1), SLOWEST_MS);
  expect(invalid()).toEqual(['invalid: GEMI-MUTE-T1 is left out: the stream does not report it']);
  expect([bids('GEMI-MUTE-T1'), bids()]).toEqual([[], [[400_000n, 50_000_000n]]]);
  exchange.tell({ do: 'stream_silent', symbols: [] });
  await exchange.venue.catalogue();
  await until(() => expect(bids('GEMI-MUTE-T1')).toEqual([[200_000n, 5_000_000n]]), SLOWEST_MS);
  expect(invalid()).toHaveLength(1);
  expect(seen.watch?.connected).toBe(true);
});

test('our orders are pushed over a signed connection, under our id if they carry it and else that of the exchange', {
  timeout: 60_000,
}, async () => {
  const pushed: string[] = [];
  const following = exchange.venue.account?.follow?.((ids) => pushed.push(...ids));
  // what is placed before the stream is open is not pushed
  await until(async () => {
    const { order } = await exchange.venue.placeOrder(geminiOrderOf(), () => true);
    await until(() => expect(pushed).toContain(order?.venueOrderId), PUSHED_MS);
  }, SLOWEST_MS);
  exchange.tell({ do: 'lists', clientIds: 'sender' });
  const named = geminiOrderOf();
  const answer = await exchange.venue.placeOrder(named, () => true);
  await until(() => expect(pushed).toContain(named.ourId), SLOWEST_MS);
  expect(pushed).not.toContain(answer.order?.venueOrderId);
  following?.close();
});

test('the orders of an account are refused without a signature, and a text that is no JSON as well', {
  timeout: 30_000,
}, async () => {
  const url = exchange.emulator.url.replace('http', 'ws');
  const ended: string[] = [];
  const stream = openGeminiStream(
    { url },
    {
      opened: (connection) => connection.send('SUBSCRIBE', ['orders@account']),
      message: () => undefined,
      alive: () => undefined,
      ended: (reason) => ended.push(reason),
      invalid: () => undefined,
      note: () => undefined,
    },
  );
  await until(() => expect(ended[0]).toMatch(/^a command was refused: -1002/), SLOWEST_MS);
  stream.close();
  const socket = new WebSocket(url);
  await once(socket, 'open');
  socket.send('{"id": 1, "method"');
  const [answer] = await once(socket, 'message');
  expect(JSON.parse(String(answer))).toMatchObject({ status: 400 });
  socket.terminate();
});

const level = (priceMicros: bigint, quantityMicros: bigint) => ({ priceMicros, quantityMicros });
const message = (first: bigint, last: bigint, ...rows: ReturnType<typeof level>[]) => ({
  kind: 'depth' as const,
  symbol: SYMBOL,
  first,
  last,
  bids: rows,
  asks: [],
});

test.each([
  ['that follow each other', [message(11n, 11n, level(1n, 5n))], true],
  ['that overlap', [message(9n, 12n, level(1n, 5n)), message(13n, 13n, level(1n, 5n))], true],
  ['of which one is missing', [message(12n, 12n, level(1n, 5n))], false],
  ['that come twice', [message(10n, 10n, level(1n, 5n)), message(11n, 11n, level(1n, 5n))], true],
])('a book takes changes %s', (_, changes, whole) => {
  const kept = new StreamBooks();
  kept.take(message(10n, 10n, level(2n, 7n)));
  const last = changes.map((change) => kept.take(change)).at(-1);
  expect(last?.bids).toEqual(whole ? [level(2n, 7n), level(1n, 5n)] : undefined);
});
