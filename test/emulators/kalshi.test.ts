/** The adapter of Kalshi against the emulated exchange: signatures, orders, unknown outcomes, fees and the account. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { takerFee } from '../../src/emulators/kalshi/series.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import { type OrderToPlace, type Venue, VenueUnknown } from '../../src/venues/port.ts';
import { decimalMicros } from '../../src/venues/shapes.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { kalshiOrder, newKalshiKey } from './kalshi-venue.ts';

const TICKER = 'KXTEST-26-T1';
let emulator: KalshiEmulator;
let venue: Venue;
let keyFile: string;

const tell = (request: object) => emulator.control(controlRequest.parse(request));

beforeEach(async () => {
  emulator = await startKalshiEmulator();
  keyFile = newKalshiKey(emulator, 'key-1');
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXTEST-26', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({
    do: 'book',
    ticker: TICKER,
    yes: [['0.4000', '50.00']],
    no: [
      ['0.5500', '10.00'],
      ['0.5400', '100.00'],
    ],
  });
  const settings = { ...VENUE_SETTINGS.kalshi, keyId: 'key-1', privateKeyFile: keyFile };
  venue = openKalshi('kalshi', async () => emulator.url, settings);
});
afterEach(async () => {
  await venue.close();
  await emulator.close();
});

const order = (changes: Partial<OrderToPlace> = {}) => kalshiOrder(TICKER, changes);
const send = (one: OrderToPlace) => venue.placeOrder(one, () => true);

test('buys YES from the bids of NO, level by level, and reads the fees of the fills', async () => {
  const answer = await send(order());
  expect(answer).toMatchObject({
    outcome: 'accepted',
    order: {
      state: 'closed',
      fills: [
        { priceMicros: 450_000n, quantityMicros: 10_000_000n, feeMicros: 173_300n },
        { priceMicros: 460_000n, quantityMicros: 10_000_000n, feeMicros: 173_900n },
      ],
    },
  });
  expect(await venue.account?.positions()).toEqual([{ listingId: TICKER, side: 'YES', quantityMicros: 20_000_000n }]);
  expect(await venue.account?.balanceMicros()).toBe(1_000_000_000n - 9_100_000n - 173_300n - 173_900n);
});

test('trades NO as the complement of YES, and sells what it bought', async () => {
  const no = { side: 'NO', quantityMicros: 5_000_000n } as const;
  const bought = await send(order({ ...no, limitPriceMicros: 600_000n }));
  expect(bought).toMatchObject({ order: { side: 'NO', fills: [{ priceMicros: 600_000n }] } });
  expect(await venue.account?.positions()).toMatchObject([{ side: 'NO', quantityMicros: 5_000_000n }]);
  const sold = await send(order({ ...no, action: 'SELL', limitPriceMicros: 540_000n }));
  expect(sold).toMatchObject({ order: { side: 'NO', action: 'SELL', fills: [{ priceMicros: 550_000n }] } });
  expect(await venue.account?.positions()).toEqual([]);
});

test('leaves nothing behind: what is not matched at its price is cancelled', async () => {
  const one = order({ limitPriceMicros: 450_000n });
  expect(await send(one)).toMatchObject({ order: { state: 'closed', fills: [{ quantityMicros: 10_000_000n }] } });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ outcome: 'found', order: { state: 'closed' } });
});

test('an answer that is lost leaves the order unknown, and a look-up by our id finds it', {
  timeout: 30_000,
}, async () => {
  tell({ do: 'fault', on: 'POST /portfolio/events/orders', fault: { kind: 'timeout_after_apply' } });
  const one = order();
  const error = await send(one).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(VenueUnknown);
  expect((error as VenueUnknown).notTaken).toBe(false);
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ outcome: 'found', order: { fills: [{}, {}] } });
  expect(emulator.state.accounts.get('key-1')?.orders.size).toBe(1);
});

test('the same id again is the same order there', async () => {
  const one = order();
  const [first, second] = [await send(one), await send(one)];
  expect(second).toEqual(first);
  expect(emulator.state.accounts.get('key-1')?.orders.size).toBe(1);
});

test('a question about fills that is not taken leaves a taken order unknown', async () => {
  tell({ do: 'fault', on: 'GET /portfolio/fills', fault: { kind: 'status', status: 429 } });
  const error = await send(order()).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'VenueUnknown', notTaken: false });
});

test.each([
  [
    '429 says that the order was not taken',
    { kind: 'status', status: 429, body: { error: 'too many requests' } },
    true,
  ],
  ['a server error says nothing', { kind: 'status', status: 504 }, false],
  ['a page of HTML says nothing', { kind: 'html' }, false],
])('%s', async (_name, fault, notTaken) => {
  tell({ do: 'fault', on: 'POST /portfolio/events/orders', fault });
  expect(await send(order()).catch((cause: unknown) => cause)).toMatchObject({ name: 'VenueUnknown', notTaken });
});

test('refusals of the exchange are decisions', async () => {
  expect(await send(order({ quantityMicros: 90_000_000_000n }))).toMatchObject({
    outcome: 'rejected',
    reason: 'insufficient_balance',
  });
  expect(await send(order({ limitPriceMicros: 455_000n }))).toMatchObject({ reason: 'invalid_price' });
  tell({ do: 'status', ticker: TICKER, status: 'closed' });
  expect(await send(order())).toMatchObject({ reason: 'market_inactive' });
  expect(await send(order({ listingId: 'KXNONE' }))).toMatchObject({ reason: 'market_not_found' });
});

test('a signature of another key is refused before the order is taken', async () => {
  const elsewhere = newKalshiKey(emulator, 'key-2');
  writeFileSync(keyFile, readFileSync(elsewhere));
  const settings = { ...VENUE_SETTINGS.kalshi, keyId: 'key-1', privateKeyFile: keyFile };
  const other = openKalshi('kalshi', async () => emulator.url, settings);
  const error = await other.placeOrder(order(), () => true).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'VenueUnknown', notTaken: true });
  await other.close();
});

test('the account answers for its orders and fills by our ids', async () => {
  const one = order();
  await send(one);
  const since = new Date(Date.now() - 60_000);
  expect(await venue.account?.ordersSince(since)).toMatchObject([{ ourId: one.ourId, fills: [{}, {}] }]);
  expect((await venue.account?.fillsSince(since))?.map(({ ourId }) => ourId)).toEqual([one.ourId, one.ourId]);
  expect(Math.abs(((await venue.account?.serverTime())?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
  expect(await venue.account?.tradingPaused?.()).toBe(false);
  tell({ do: 'trading', active: false });
  expect(await venue.account?.tradingPaused?.()).toBe(true);
});

test('without a key the venue is only read', async () => {
  const reader = openKalshi('kalshi', async () => emulator.url, VENUE_SETTINGS.kalshi);
  expect(reader.account).toBeNull();
  expect((await reader.book(TICKER))?.asks[0]).toEqual({ priceMicros: 450_000n, quantityMicros: 10_000_000n });
  await reader.close();
});

test('a result is taken once it is final, a scalar one as a split', async () => {
  await send(order());
  tell({ do: 'status', ticker: TICKER, status: 'determined', result: 'yes', settlementValue: '1.0000' });
  const read = async () => (await venue.catalogue([TICKER])).events[0]?.markets[0];
  expect(await read()).toMatchObject({ status: 'closed', resolution: null });
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'scalar', settlementValue: '0.5000' });
  expect(await read()).toMatchObject({ resolution: { outcome: 'SPLIT', yesWorthMicros: 500_000n } });
  expect(emulator.state.accounts.get('key-1')?.positions.size).toBe(0);
});

// 33 of 33 fills that were seen at the exchange follow the same rule
test.each([
  ['bid', '100.00', '0.4000', 10_000n, '1.6800'],
  ['bid', '100.00', '0.4000', 5_000n, '0.8400'],
  ['ask', '100.00', '0.4000', 20_000n, '3.3600'],
  ['bid', '100.00', '0.4000', 0n, '0.0000'],
  ['bid', '10.00', '0.0400', 10_000n, '0.0269'],
  ['bid', '4.00', '0.4500', 10_000n, '0.0693'],
  // so much more that the balance changes by whole ten-thousandths
  ['bid', '0.01', '0.3333', 10_000n, '0.000267'],
] as const)('the fee of a %s of %s at %s times %d is %s', (side, count, price, multiplier, fee) => {
  const [micros, yesPrice] = [decimalMicros(count) ?? 0n, decimalMicros(price) ?? 0n];
  expect(takerFee({ count: micros, yesPrice, side }, multiplier)).toBe(decimalMicros(fee));
});
