/** A whole service at a Kalshi with several parts: quotes and orders are limited by the part of their market, not by the account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { checkVenueParts } from '../../src/operations/checks.ts';
import type { RunCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { type LiveExchange, startLiveExchange } from './live-exchange.ts';

const TICKER = 'KXBTC-1';
const SLOWEST_MS = 60_000;

let emulator: KalshiEmulator;
let exchange: LiveExchange;
let inlay: RunCommand;

const tell = (request: object) => emulator.control(controlRequest.parse(request));
const setCash = (exchangeIndex: number, cash: string) => tell({ do: 'part_balance', keyId: 'k', exchangeIndex, cash });
const quote = () => exchange.tenant.quote('ann', { stake: 10 });
const sent = () => emulator.state.accounts.get('k')?.orders.size;

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  const keyFile = newKalshiKey(emulator, 'k');
  tell({
    ...{ do: 'market', ticker: TICKER, eventTicker: 'KXBTC', title: 'T', closeTime: '2099-01-01T00:00:00Z' },
    exchangeIndex: 2,
  });
  tell({ do: 'book', ticker: TICKER, yes: [['0.4000', '5000']], no: [['0.5500', '5000']] });
  exchange = await startLiveExchange('kalshi', TICKER, {
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: 'k',
    INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
  });
  inlay = await exchange.service.commands();
});
afterAll(async () => {
  await exchange?.close();
  await emulator?.close();
});

test('while the part of a market has nothing it is not quoted, and account, compare and doctor say so', {
  timeout: 180_000,
}, async () => {
  const { sql } = exchange.service;
  const read = async () => (await sql`select part from venue_parts where venue = 'kalshi'`).length;
  await until(async () => expect(await read()).toBe(4), SLOWEST_MS);
  await until(async () => expect((await quote()).body.error).toBe('line_not_available'), SLOWEST_MS);
  expect(await checkVenueParts(sql)).toMatchObject({
    ok: false,
    warning: true,
    detail: 'kalshi: nothing on part 2, where 1 market trades',
  });
  const account = await inlay('venues', 'account', 'kalshi', '--json');
  expect(account.json.parts).toEqual([
    { part: 0, balance: 1000, paused: false, openMarkets: 0 },
    { part: 1, balance: 0, paused: false, openMarkets: 0 },
    { part: 2, balance: 0, paused: false, openMarkets: 1 },
    { part: 3, balance: 0, paused: false, openMarkets: 0 },
  ]);
  const compared = await inlay('venues', 'compare', 'kalshi', '--json');
  expect([compared.exitCode, compared.json.emptyParts]).toEqual([0, [{ part: 2, openMarkets: 1 }]]);
});

test('an order waits while its part is paused, and is withdrawn unsent once the part cannot pay it', {
  timeout: 240_000,
}, async () => {
  // money was moved from one part to another, so the account has as much as before
  setCash(0, '900');
  setCash(2, '100');
  await until(async () => expect((await quote()).status).toBe(200), SLOWEST_MS);
  expect(await checkVenueParts(exchange.service.sql)).toMatchObject({ ok: true });
  const filled = await exchange.place({ stake: 10 });
  await until(async () => expect((await exchange.tenant.read(filled.body.orderId)).status).toBe('filled'), SLOWEST_MS);

  const before = sent();
  const quoted = await quote();
  tell({ do: 'trading', active: false, exchangeIndex: 2 });
  await until(async () => expect((await quote()).body.error).toBe('line_not_available'), SLOWEST_MS);
  const placed = await exchange.tenant.order('ann', {
    quoteId: quoted.body.quoteId,
    clientOrderId: 'paused',
    reserveReference: 'held',
  });
  expect(placed.body).toMatchObject({ status: 'pending_venue_execution' });
  setCash(0, '995');
  setCash(2, '4');
  tell({ do: 'trading', active: true, exchangeIndex: 2 });
  await until(
    async () =>
      expect(await exchange.tenant.read(placed.body.orderId)).toMatchObject({
        status: 'cancelled',
        intent: { reason: 'line_not_available' },
      }),
    SLOWEST_MS,
  );
  expect(sent()).toBe(before);
  expect(await exchange.tenant.audit()).toEqual([]);
});
