/** What only the stream of Kalshi does: numbered messages, commands that are refused, full subscriptions. The rest: `stream.test.ts`. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { KalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { signKalshi } from '../../src/venues/kalshi/rest.ts';
import { KNOWN_TYPES, streamMessage } from '../../src/venues/kalshi/shapes.ts';
import type { Venue } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { type KalshiMarket, openKalshiMarket, TICKER } from './kalshi-venue.ts';
import { SLOWEST_MS, WatchedVenue } from './watched-venue.ts';

let exchange: KalshiMarket;
let emulator: KalshiEmulator;
let venue: Venue;
let seen: WatchedVenue;
let books: WatchedVenue['books'];
let events: string[];

const tell = (request: object) => exchange.tell(request);
const list = (ticker: string) =>
  tell({ do: 'market', ticker, eventTicker: ticker.slice(0, -3), title: 'T', closeTime: '2099-01-01T00:00:00Z' });
const setBook = (yes: [string, string][], no: [string, string][], ticker = TICKER) =>
  tell({ do: 'book', ticker, yes, no });
/** The exchange forgets the key: another one has its id. */
const forgetKey = () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  tell({ do: 'key', keyId: 'k', publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })), cash: '1000' });
};

beforeEach(async () => {
  exchange = await openKalshiMarket();
  ({ emulator, venue } = exchange);
  seen = new WatchedVenue();
  ({ books, events } = seen);
});
afterEach(async () => {
  await seen.watch?.close();
  await exchange.close();
});

const follow = () => seen.follow(venue);
const bids = () => books.get(TICKER)?.bids.map((level) => [level.priceMicros, level.quantityMicros]);
const asks = () => books.get(TICKER)?.asks.map((level) => [level.priceMicros, level.quantityMicros]);

test('a stream that loses a message is down once the next one comes, and comes back with the current books', {
  timeout: 60_000,
}, async () => {
  await follow();
  tell({ do: 'stream', fault: 'gap' });
  setBook([['0.3000', '1.00']], []);
  setBook([['0.3100', '2.00']], []);
  await until(() => expect(events.filter((event) => event === 'up').length).toBe(2), SLOWEST_MS);
  expect(events.find((event) => event.startsWith('down'))).toMatch(/^down: expected message/);
  expect([bids(), asks()]).toEqual([[[310_000n, 2_000_000n]], []]);
});

test('a message about markets that is missing is noticed by the next one, like one about books', {
  timeout: 60_000,
}, async () => {
  await follow();
  const say = (event_ticker: string) =>
    tell({ do: 'stream_say', message: { type: 'event_lifecycle', msg: { event_ticker } } });
  say('KXFIRST');
  tell({ do: 'stream', fault: 'gap' });
  say('KXLOST');
  say('KXNEXT');
  await until(() => expect(events.find((event) => event.startsWith('down'))).toMatch(/expected message/), SLOWEST_MS);
});

test('a book that stays crossed after a lost change is read again', { timeout: 60_000 }, async () => {
  await follow();
  tell({ do: 'stream', fault: 'crossed' });
  // the bid of NO is gone, which the stream does not say, so YES at 0.50 crosses it
  setBook([['0.4000', '50.00']], []);
  setBook([['0.5000', '1.00']], []);
  await until(async () => expect(await bids()).toEqual([[500_000n, 1_000_000n]]), SLOWEST_MS);
  await until(() => expect(events.find((event) => event.startsWith('down'))).toMatch(/stays crossed$/), SLOWEST_MS);
  await until(async () => expect(await asks()).toEqual([]), SLOWEST_MS);
  expect(bids()).toEqual([[500_000n, 1_000_000n]]);
});

const listMore = async (...tickers: string[]) => {
  for (const ticker of tickers) {
    list(ticker);
    setBook([['0.2000', '5.00']], [], ticker);
  }
  await venue.catalogue();
};
const invalid = () => events.filter((event) => event.startsWith('invalid'));
/** The exchange's catalogue lists a market that its stream does not know. */
const unknownToStream = (ticker: string) => {
  const market = emulator.state.markets.get(ticker);
  emulator.state.markets.delete(ticker);
  return () => emulator.state.markets.set(ticker, market as NonNullable<typeof market>);
};
const begin = () => seen.begin(venue);

test.each([
  ['is named', true],
  ['is not named', false],
])(
  'a market that the stream refuses is left out, and the others are followed (it %s)',
  {
    timeout: 60_000,
  },
  async (_, namesMarket) => {
    await listMore('KXMORE-T1', 'KXMORE-T2', 'KXMORE-T3');
    tell({ do: 'stream_limits', namesMarket });
    const known = unknownToStream('KXMORE-T2');
    await begin();
    await until(() => expect(events).toContain('up'), SLOWEST_MS);
    expect(events.some((event) => event.startsWith('down'))).toBe(false);
    expect([bids(), books.get('KXMORE-T1')?.bids.length, books.get('KXMORE-T3')?.feed]).toEqual([
      [[400_000n, 50_000_000n]],
      1,
      'websocket',
    ]);
    // no price of it is confirmed any more
    expect(books.get('KXMORE-T2')?.bids).toEqual([]);
    expect(invalid()).toEqual(['invalid: KXMORE-T2 is left out: the stream does not know it']);
    // it is tried again with the next catalogue, and told once
    known();
    await venue.catalogue();
    await until(() => expect(books.get('KXMORE-T2')?.bids.length).toBe(1), SLOWEST_MS);
    expect(invalid()).toHaveLength(1);
  },
);

test.each(['already', 'internal'] as const)(
  'a refusal with an error that was retired (%s) costs one connection',
  {
    timeout: 60_000,
  },
  async (fault) => {
    await begin();
    await until(() => expect(events).toContain('up'), SLOWEST_MS);
    tell({ do: 'stream', fault });
    await listMore('KXMORE-T1');
    await until(() => expect(books.get('KXMORE-T1')?.feed).toBe('websocket'), SLOWEST_MS);
    expect(events.filter((event) => event.startsWith('down'))).toHaveLength(1);
    expect(invalid()).toEqual([]);
  },
);

test('a market of which the stream says nothing does not hold back the others', {
  timeout: 60_000,
}, async () => {
  await listMore('KXMORE-T1');
  tell({ do: 'stream_limits', silent: ['KXMORE-T1'] });
  await begin();
  // until then the books are polled
  await until(
    async () => expect(await invalid()).toEqual(['invalid: KXMORE-T1 is left out: the stream does not report it']),
    SLOWEST_MS,
  );
  await until(() => expect(books.get('KXMORE-T1')?.bids).toEqual([]), SLOWEST_MS);
  setBook([['0.4100', '50.00']], [['0.5500', '10.00']]);
  await until(
    () => expect([bids(), books.get(TICKER)?.feed]).toEqual([[[410_000n, 50_000_000n]], 'websocket']),
    SLOWEST_MS,
  );
  expect(books.get('KXMORE-T1')?.bids).toEqual([]);
});

test('a full subscription is followed by another one', { timeout: 60_000 }, async () => {
  await listMore('KXMORE-T1', 'KXMORE-T2', 'KXMORE-T3');
  tell({ do: 'stream_limits', mostMarkets: 2 });
  await follow();
  expect(books.size).toBe(4);
  setBook([['0.2100', '6.00']], [], 'KXMORE-T3');
  await until(() => expect(books.get('KXMORE-T3')?.bids[0]?.priceMicros).toBe(210_000n), SLOWEST_MS);
  // a market leaves the subscription that it is on
  tell({ do: 'status', ticker: 'KXMORE-T3', status: 'closed' });
  await listMore('KXMORE-T4');
  await until(() => expect(books.get('KXMORE-T4')?.bids.length).toBe(1), SLOWEST_MS);
  expect(events).toEqual(['up']);
});

test('commands that are too many are sent again after a pause', { timeout: 60_000 }, async () => {
  await follow();
  tell({ do: 'stream', fault: 'busy' });
  await listMore('KXMORE-T1');
  await until(() => expect(books.get('KXMORE-T1')?.bids.length).toBe(1), SLOWEST_MS);
  expect(events).toEqual(['up']);
});

test('a stream that does not come up is told', { timeout: 60_000 }, async () => {
  forgetKey();
  await begin();
  await until(() => expect(invalid()).toMatchObject([expect.stringMatching(/it does not come up: /)]), SLOWEST_MS);
});

test('the emulator survives a message that is no JSON, and refuses it', { timeout: 30_000 }, async () => {
  const path = '/trade-api/ws/v2';
  const key = createPrivateKey(readFileSync(exchange.keyFile, 'utf8'));
  const socket = new WebSocket(emulator.url.replace('http', 'ws') + path, {
    headers: { ...signKalshi(key, 'k', Date.now(), 'GET', path) },
  });
  await once(socket, 'open');
  socket.send('{"id": 1, "cmd"');
  const [answer] = await once(socket, 'message');
  expect(JSON.parse(String(answer))).toMatchObject({ type: 'error', msg: { code: 5 } });
  socket.terminate();
  expect((await fetch(`${emulator.url}/trade-api/v2/exchange/status`)).status).toBe(200);
});

test('while the stream refuses its key the books are polled', { timeout: 60_000 }, async () => {
  await follow();
  // the stream cannot come back, public books can
  forgetKey();
  tell({ do: 'stream', fault: 'disconnect' });
  setBook([['0.3000', '1.00']], []);
  await until(() => expect(events.filter((event) => event === 'up').length).toBe(2), SLOWEST_MS);
  expect([books.get(TICKER)?.feed, bids()]).toEqual(['rest', [[300_000n, 1_000_000n]]]);
});

test.each([
  ['orderbook_snapshot without a side', { type: 'orderbook_snapshot', sid: 1, seq: 1, msg: { market_ticker: 'T' } }],
  [
    'orderbook_snapshot',
    {
      type: 'orderbook_snapshot',
      sid: 1,
      seq: 2,
      sending_ts_ms: 1,
      msg: { market_ticker: 'T', market_id: 'm', yes_dollars_fp: [['0.0800', '300.00']], no_dollars_fp: [] },
    },
  ],
  [
    'orderbook_delta',
    {
      type: 'orderbook_delta',
      sid: 1,
      seq: 3,
      msg: { market_ticker: 'T', market_id: 'm', price_dollars: '0.960', delta_fp: '-54.00', side: 'yes', ts_ms: 1 },
    },
  ],
  ['ok', { id: 1, sid: 1, seq: 4, type: 'ok', msg: { market_tickers: ['T'] } }],
  ['unsubscribed', { id: 1, sid: 1, seq: 5, type: 'unsubscribed' }],
  ['error of a subscription', { id: 1, sid: 1, seq: 6, type: 'error', msg: { code: 25, msg: 'Buffer overflow' } }],
  [
    'market_lifecycle_v2',
    { type: 'market_lifecycle_v2', sid: 13, seq: 7, msg: { market_ticker: 'T', event_type: 'created', open_ts: 1 } },
  ],
])('%s can be read as the exchange documents it', (_, message) => {
  expect(KNOWN_TYPES.has(message.type)).toBe(true);
  expect(streamMessage.safeParse(message).error?.message).toBeUndefined();
});
