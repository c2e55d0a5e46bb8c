/** The exchange's own npm client trades at the emulated exchange: it signs, sends and reads as the exchange wants it. */
import { readFileSync } from 'node:fs';
import {
  ApiKeysApi,
  Configuration,
  EventsApi,
  ExchangeApi,
  MarketApi,
  OrderGroupsApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { newKalshiKey } from './kalshi-venue.ts';

const TICKER = 'KXTEST-26-T1';
let emulator: KalshiEmulator;
let configuration: Configuration;
let keyFile: string;

const tell = (request: object) => emulator.control(controlRequest.parse(request));

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  // this release of the client knows no other kind of key
  keyFile = newKalshiKey(emulator, 'k', 1_000_000_000n, 'rsa');
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

test('a duplicate is refused nested as it was recorded, or flat as the client describes it', async () => {
  const again = () =>
    new OrdersApi(configuration).createOrderV2({
      ticker: TICKER,
      side: 'bid',
      count: '1.00',
      price: '0.4500',
      time_in_force: 'immediate_or_cancel',
      self_trade_prevention_type: 'taker_at_cross',
      client_order_id: 'one',
    });
  const refusal = { code: 'order_already_exists', message: 'order with this client_order_id already exists' };
  await expect(again()).rejects.toMatchObject({ response: { status: 409, data: { error: refusal } } });
  tell({ do: 'refusals', form: 'flat' });
  await expect(again()).rejects.toMatchObject({ response: { status: 409, data: refusal } });
  tell({ do: 'refusals', form: 'nested' });
});

test.each(['0.6', '0.60000', '1'])('the emulated exchange refuses the price %s', async (price) => {
  const order = { ticker: TICKER, side: 'bid', count: '1.00', price, time_in_force: 'immediate_or_cancel' } as const;
  const sent = new OrdersApi(configuration).createOrderV2({ ...order, self_trade_prevention_type: 'taker_at_cross' });
  await expect(sent).rejects.toMatchObject({ response: { status: 400, data: { error: { code: 'invalid_order' } } } });
});

test('the official client makes, limits and turns a group on one part', async () => {
  const groups = new OrderGroupsApi(configuration);
  const { data: made } = await groups.createOrderGroup({ contracts_limit: 5, exchange_index: 2 });
  expect(made).toMatchObject({ subaccount: 0, exchange_index: 2 });
  const id = made.order_group_id;
  expect((await groups.getOrderGroups()).data.order_groups).toMatchObject([{ id, contracts_limit_fp: '5.00' }]);
  await groups.updateOrderGroupLimit(id, { contracts_limit_fp: '6.50' }, undefined, 2);
  await groups.triggerOrderGroup(id, undefined, 2);
  expect(emulator.state.accounts.get('k')?.groups.get(id)).toMatchObject({ limit: 6_500_000n, triggered: true });
  // the client of 3.30 cannot name the part, and without one part 0 is asked
  await expect(groups.getOrderGroup(id)).rejects.toMatchObject({ response: { status: 404 } });
  const { data: plain } = await groups.createOrderGroup({ contracts_limit_fp: '7.00' });
  await groups.updateOrderGroupLimit(plain.order_group_id, { contracts_limit: 9 });
  expect((await groups.getOrderGroup(plain.order_group_id)).data).toMatchObject({ contracts_limit_fp: '9.00' });
  await groups.deleteOrderGroup(plain.order_group_id);
  await expect(groups.getOrderGroup(plain.order_group_id)).rejects.toMatchObject({ response: { status: 404 } });
});

test('the exchange divides the cash as the client tells it, and our line of doctor says how', async () => {
  const portfolio = new PortfolioApi(configuration);
  const settings = { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile: keyFile };
  const venue = openKalshi('kalshi', async () => emulator.url, settings);
  const line = async () => (await venue.account?.inspect?.())?.find(({ name }) => name === 'allocation')?.detail;
  expect(await line()).toBe('none: the exchange moves no money between its parts');
  tell({ do: 'part_balance', keyId: 'k', exchangeIndex: 0, cash: '2000' });
  const allocations = [
    { exchange_index: 0, percent: 75 },
    { exchange_index: 2, percent: 25 },
  ];
  await portfolio.setTargetBalanceAllocation({ allocations });
  expect(await line()).toBe('75 % on part 0, 25 % on part 2');
  const parts = await venue.account?.parts?.();
  expect(parts?.map(({ balanceMicros }) => balanceMicros)).toEqual([1_500_000_000n, 0n, 500_000_000n, 0n]);
  const wrong = portfolio.setTargetBalanceAllocation({ allocations: [{ exchange_index: 0, percent: 75 }] });
  await expect(wrong).rejects.toMatchObject({ response: { status: 400 } });
  await venue.close();
});
