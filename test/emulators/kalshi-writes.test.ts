/** Writes to Kalshi: each names the part where its market lives, which alone pays for it, with decimals that the exchange takes. */
import { readFileSync } from 'node:fs';
import axios from 'axios';
import { Configuration, OrdersApi } from 'kalshi-typescript';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiExchange, kalshiOrder, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';

const CRYPTO = 'KXBTC-1';
const PLAIN = 'KXRAIN-1';
let exchange: KalshiExchange;

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const writes = () => exchange.proxy.recorded.filter(({ method }) => method !== 'GET');

beforeEach(async () => {
  exchange = await openKalshiExchange({}, 'rsa');
  for (const [ticker, exchangeIndex] of [
    [PLAIN, 0],
    [CRYPTO, 2],
  ] as const) {
    const eventTicker = ticker.split('-')[0];
    tell({ do: 'market', ticker, eventTicker, title: 'T', closeTime: '2099-01-01T00:00:00Z', exchangeIndex });
    tell({ do: 'book', ticker, yes: [['0.4000', '5000']], no: [['0.5500', '5000']] });
  }
  tell({ do: 'part_balance', keyId: 'k', exchangeIndex: 2, cash: '1000' });
});
afterEach(() => exchange.close());

test.each([
  ['known from the catalogue', { part: 2 }],
  ['asked for', {}],
])('an order names its part (%s) and four decimals, and so does its cancellation', async (_, more) => {
  const order = kalshiOrder(CRYPTO, { limitPriceMicros: 500_000n, ...more });
  tell({ do: 'fault', on: 'POST /portfolio/events/orders', fault: { kind: 'partial', count: '5.00' } });
  await exchange.venue.placeOrder(order, () => true);
  expect(writes()[0]?.sent).toMatchObject({ exchange_index: 2, price: '0.5000', count: '20' });
  for (const resting of exchange.emulator.state.accounts.get('k')?.orders.values() ?? []) {
    resting.status = 'resting';
  }
  await exchange.venue.cancelOrder(order.ourId, order);
  expect(writes()[1]).toMatchObject({
    method: 'DELETE',
    query: { market_ticker: CRYPTO, exchange_index: '2' },
    status: 200,
  });
});

test('an order whose part cannot be read was certainly not sent', async () => {
  tell({ do: 'fault', on: `GET /markets/${CRYPTO}`, fault: { kind: 'status', status: 500 } });
  await expect(exchange.venue.placeOrder(kalshiOrder(CRYPTO), () => true)).rejects.toMatchObject({ notTaken: true });
  expect(writes()).toEqual([]);
});

test('writes are paid by their own part; one that names none is paid by all, as the official client can tell', async () => {
  tell({ do: 'tier', name: 'basic', readPerSecond: 200, writePerSecond: 1, writeBurst: 20, enforced: true });
  const send = (ticker: string, part: number) => exchange.venue.placeOrder(kalshiOrder(ticker, { part }), () => true);
  expect(await send(PLAIN, 0)).toMatchObject({ outcome: 'accepted' });
  expect(await send(PLAIN, 0)).toMatchObject({ outcome: 'accepted' });
  // a bare 429: not taken, and nothing says for how long
  await expect(send(PLAIN, 0)).rejects.toMatchObject({ status: 429, notTaken: true, retryAfterMs: null });
  expect(await send(CRYPTO, 2)).toMatchObject({ outcome: 'accepted' });
  const basePath = `${exchange.emulator.url}/trade-api/v2`;
  const privateKeyPem = readFileSync(exchange.privateKeyFile, 'utf8');
  // the client signs in axios itself: without an axios of its own, the key of another test would sign too
  // (it has the types of axios for CommonJS, which are others by name alone)
  const own = axios.create() as unknown as ConstructorParameters<typeof OrdersApi>[2];
  const client = new OrdersApi(new Configuration({ apiKey: 'k', privateKeyPem, basePath }), undefined, own);
  const unrouted = client.createOrderV2({
    ticker: CRYPTO,
    side: 'bid',
    count: '1.00',
    price: '0.4500',
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
  });
  await expect(unrouted).rejects.toMatchObject({ response: { status: 429 } });
  expect((await exchange.venue.readLimits?.())?.map(({ eachPart = false }) => eachPart)).toEqual([false, true]);
});
