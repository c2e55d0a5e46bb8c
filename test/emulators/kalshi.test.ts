/** What only the adapter of Kalshi does with orders and our account: refusals, pauses, results and fees. The rest: `orders.test.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takerFee } from '../../src/emulators/kalshi/series.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { decimalMicros } from '../../src/venues/shapes.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { failure } from './exchange.ts';
import { type KalshiMarket, kalshiOrder, newKalshiKey, openKalshiMarket, TICKER } from './kalshi-venue.ts';

let exchange: KalshiMarket;
beforeEach(async () => {
  exchange = await openKalshiMarket();
});
afterEach(() => exchange.close());

const tell = (request: object) => exchange.tell(request);
const order = (changes: Partial<OrderToPlace> = {}) => kalshiOrder(TICKER, changes);
const send = (one: OrderToPlace) => exchange.venue.placeOrder(one, () => true);

test('a question about fills that is not taken leaves a taken order unknown', async () => {
  tell({ do: 'fault', on: 'GET /portfolio/fills', fault: { kind: 'status', status: 429 } });
  expect(await failure(send(order()))).toMatchObject({ name: 'VenueUnknown', notTaken: false });
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
  const { emulator, keyFile } = exchange;
  writeFileSync(keyFile, readFileSync(newKalshiKey(emulator, 'key-2')));
  const settings = { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile: keyFile };
  const other = openKalshi('kalshi', async () => emulator.url, settings);
  const error = await failure(other.placeOrder(order(), () => true));
  expect(error).toMatchObject({ name: 'VenueUnknown', notTaken: true });
  await other.close();
});

test('the account says whether trading is paused, and which results were paid', async () => {
  const { account } = exchange.venue;
  expect(await account?.tradingPaused?.()).toBe(false);
  tell({ do: 'trading', active: false });
  expect(await account?.tradingPaused?.()).toBe(true);
  tell({ do: 'trading', active: true });
  await send(order());
  const since = new Date(Date.now() - 60_000);
  expect(await account?.settledSince?.(since, [TICKER])).toEqual([]);
  exchange.resolve('NO');
  expect(await account?.settledSince?.(since, [TICKER])).toEqual([TICKER]);
});

test('a result is taken once it is final, a scalar one as a split', async () => {
  await send(order());
  tell({ do: 'status', ticker: TICKER, status: 'determined', result: 'yes', settlementValue: '1.0000' });
  const read = async () => (await exchange.venue.catalogue([TICKER])).events[0]?.markets[0];
  expect(await read()).toMatchObject({ status: 'closed', resolution: null });
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'scalar', settlementValue: '0.5000' });
  expect(await read()).toMatchObject({ resolution: { outcome: 'SPLIT', yesWorthMicros: 500_000n } });
  expect(exchange.account.positions.size).toBe(0);
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
