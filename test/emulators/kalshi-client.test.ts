/** The exchange's own npm client trades at the emulated exchange: it signs, sends and reads as the exchange wants it. */
import { readFileSync } from 'node:fs';
import {
  ApiKeysApi,
  Configuration,
  EventsApi,
  ExchangeApi,
  MarketApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { newKalshiKey } from './kalshi-venue.ts';

const TICKER = 'KXTEST-26-T1';
let emulator: KalshiEmulator;
let configuration: Configuration;

const tell = (request: object) => emulator.control(controlRequest.parse(request));

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  // this release of the client knows no other kind of key
  const keyFile = newKalshiKey(emulator, 'k', 1_000_000_000n, 'rsa');
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXTEST-26', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({ do: 'book', ticker: TICKER, yes: [['0.4000', '50.00']], no: [['0.5500', '10.00']] });
  configuration = new Configuration({
    apiKey: 'k',
    privateKeyPem: readFileSync(keyFile, 'utf8'),
    basePath: `${emulator.url}/trade-api/v2`,
  });
});
afterAll(() => emulator.close());

test('it reads the catalogue, the book and the state of the exchange', async () => {
  const events = await new EventsApi(configuration).getEvents(200, undefined, true);
  expect(events.data.events).toMatchObject([
    { event_ticker: 'KXTEST-26', markets: [{ ticker: TICKER, status: 'active' }] },
  ]);
  const book = await new MarketApi(configuration).getMarketOrderbook(TICKER);
  expect(book.data.orderbook_fp).toEqual({ yes_dollars: [['0.4000', '50.00']], no_dollars: [['0.5500', '10.00']] });
  expect((await new ExchangeApi(configuration).getExchangeStatus()).data).toMatchObject({ trading_active: true });
  expect((await new ExchangeApi(configuration).getExchangeSchedule()).data.schedule).toMatchObject({
    standard_hours: [{ thursday: [{ open_time: '00:00' }] }],
    maintenance_windows: [],
  });
  expect((await new ApiKeysApi(configuration).getApiKeys()).data.api_keys).toMatchObject([{ api_key_id: 'k' }]);
});

test('it sends an order that is filled, and finds it with its fills, fee, position, balance and settlement', async () => {
  const [orders, portfolio] = [new OrdersApi(configuration), new PortfolioApi(configuration)];
  const sent = await orders.createOrderV2({
    ticker: TICKER,
    side: 'bid',
    count: '4.00',
    price: '0.4500',
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
    client_order_id: 'one',
  });
  expect([sent.status, sent.data]).toMatchObject([
    201,
    { client_order_id: 'one', fill_count: '4.00', remaining_count: '0.00' },
  ]);
  const found = await orders.getOrder(sent.data.order_id);
  expect(found.data.order).toMatchObject({ client_order_id: 'one', status: 'executed', fill_count_fp: '4.00' });
  const fills = await portfolio.getFills(TICKER, sent.data.order_id);
  expect(fills.data.fills).toMatchObject([{ count_fp: '4.00', yes_price_dollars: '0.4500', fee_cost: '0.069300' }]);
  const positions = await portfolio.getPositions(undefined, undefined, 'position');
  expect(positions.data.market_positions).toMatchObject([{ ticker: TICKER, position_fp: '4.00' }]);
  expect((await portfolio.getBalance()).data.balance).toBe(99_813);
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'yes', settlementValue: '1.0000' });
  expect((await portfolio.getSettlements()).data.settlements).toMatchObject([{ ticker: TICKER, revenue: 400 }]);
});

test('a duplicate is refused as the client expects', async () => {
  const again = new OrdersApi(configuration).createOrderV2({
    ticker: TICKER,
    side: 'bid',
    count: '1.00',
    price: '0.4500',
    time_in_force: 'immediate_or_cancel',
    self_trade_prevention_type: 'taker_at_cross',
    client_order_id: 'one',
  });
  await expect(again).rejects.toMatchObject({ response: { status: 409, data: { code: 'order_already_exists' } } });
});
