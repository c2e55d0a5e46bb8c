/**
 * Polymarket with a builder code: every order names it, its share of the dollars is charged beside the exchange's fee, and both are in
 * what a buy may cost. The service shows what was earned.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SentOrder } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { startLiveExchange } from './live-exchange.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, SIGNER } from './polymarket-venue.ts';

const CODE = `0x${'0'.repeat(63)}7`;
const NOBODY = `0x${'0'.repeat(63)}8`;
const SLOWEST_MS = 40_000;

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
  exchange.tell({ do: 'builder', code: CODE, takerBps: 50 });
});
afterEach(() => exchange.close());

const open = (code = CODE) => exchange.open({ builderCode: code as `0x${string}` });

// contract 19.11, contract 41.14
test('an order names the code, and its fee has the share of the dollars that the code earns', async () => {
  const venue = open();
  const one = await prepare(venue, orderOf(exchange));
  expect(one.prepared?.payload).toMatchObject({ order: { builder: CODE } });
  await venue.placeOrder(one, () => true);
  // 10 at 0.45 and 10.217391 at 0.46: 4.50 and 4.69999986 dollars, of which half a percent each
  expect(await venue.fills(one.ourId, one)).toMatchObject([
    { feeMicros: 123_750n + 22_500n, earnedMicros: 22_500n },
    { feeMicros: 126_890n + 23_490n, earnedMicros: 23_490n },
  ]);
  // 9.20 dollars less what stays of the last cent, the fee and the share: as the exchange took it
  expect(exchange.account.trades).toMatchObject([
    { fee: 123_750n + 22_500n + 126_890n + 23_490n, builderFee: 45_990n },
  ]);
  await venue.close();
});

test('a fill pays the fee and the share that held when its order was sent', async () => {
  const venue = open();
  const one = await prepare(venue, orderOf(exchange));
  await venue.placeOrder(one, () => true);
  exchange.tell({ do: 'terms', name: 't', feeRate: '0.07' });
  exchange.tell({ do: 'builder', code: CODE, takerBps: 90 });
  // another worker, which has read no terms before
  const later = open();
  const [trade] = exchange.account.trades;
  const feesOf = async (sent: SentOrder) =>
    (await later.fills(one.ourId, sent)).reduce((sum, { feeMicros }) => sum + (feeMicros ?? 0n), 0n);
  expect(await feesOf(one)).toBe(trade?.fee);
  const { terms: _, ...unknown } = one;
  expect(await feesOf(unknown)).toBeGreaterThan(trade?.fee ?? 0n);
  await Promise.all([venue.close(), later.close()]);
});

test('without a code an order names none, and nothing is charged beside the fee', async () => {
  const one = await prepare(exchange.venue, orderOf(exchange));
  expect(one.prepared?.payload).toMatchObject({ order: { builder: `0x${'0'.repeat(64)}` } });
  await exchange.venue.placeOrder(one, () => true);
  const fills = await exchange.venue.fills(one.ourId, one);
  expect(fills.map(({ earnedMicros }) => earnedMicros)).toEqual([0n, 0n]);
});

test('a buy needs the share too', async () => {
  const venue = open();
  // 9.20 dollars, 0.248400 of fee, and 0.045999 of share at the limit
  exchange.tell({ do: 'wallet', signer: SIGNER, cash: '9.4943' });
  expect(await venue.prepareOrder?.(orderOf(exchange))).toEqual({ unfit: 'unpaid' });
  exchange.tell({ do: 'wallet', signer: SIGNER, cash: '9.4944' });
  expect(await venue.prepareOrder?.(orderOf(exchange))).toHaveProperty('venueRef');
  await venue.close();
});

test('the share is in the fee of every listing, and as high as it may be while the exchange does not say', async () => {
  const feeAt = async (code: string) => {
    const venue = open(code);
    const { events } = await venue.catalogue();
    const fee = events[0]?.markets[0]?.fee;
    await venue.close();
    return fee;
  };
  expect(await feeAt(CODE)).toEqual({ model: 'of_variance', bps: 500, brokerBps: 50, known: true });
  expect(await feeAt(NOBODY)).toEqual({ model: 'of_variance', bps: 500, brokerBps: 100, known: false });
});

test('no order is sent while its share is not known', async () => {
  const venue = open(NOBODY);
  await expect(venue.prepareOrder?.(orderOf(exchange))).rejects.toMatchObject({ name: 'VenueUnknown' });
  expect(exchange.account.orders.size).toBe(0);
  await venue.close();
});

test('doctor says what the code earns, and how the exchange counts it', async () => {
  const venue = open();
  const one = await prepare(venue, orderOf(exchange));
  await venue.placeOrder(one, () => true);
  expect(await venue.account?.inspect?.()).toContainEqual({
    name: 'builder',
    ok: true,
    detail: `orders name ${CODE}, which earns 50 basis points of what is traded`,
  });
  expect(await venue.account?.verify?.()).toContainEqual({
    name: 'builder fee',
    ok: true,
    detail:
      'of the newest trade, 9.2 dollars, the exchange reports 0.04599 dollars; at 50 basis points the service calculates 0.046',
  });
  await venue.close();
});

// contract 19.11, contract 39.24
test('the share is in the venue fee of an order, the account agrees, and the service shows it by operator and month', {
  timeout: 180_000,
}, async () => {
  const { emulator, market, keyFile } = exchange;
  const environment = {
    INLAY_VENUES: 'polymarket',
    INLAY_POLYMARKET_URL: emulator.url,
    INLAY_POLYMARKET_CATALOGUE_URL: emulator.url,
    INLAY_POLYMARKET_DATA_URL: emulator.url,
    INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFile,
    INLAY_POLYMARKET_BUILDER_CODE: CODE,
  };
  const live = await startLiveExchange('polymarket', market.tokens[0], environment);
  try {
    const placed = await live.place({ stake: 9 });
    await until(async () => expect((await live.tenant.read(placed.body.orderId)).status).toBe('filled'), SLOWEST_MS);
    const [trade] = exchange.account.trades;
    const { operatorMoney } = await live.tenant.read(placed.body.orderId);
    const cents = Math.ceil(Number(trade?.fee) / 10_000);
    expect(operatorMoney.venueFee).toBe((cents / 100).toFixed(2));
    const compared = async () =>
      (await live.service.sql`select from venue_accounts where compared_at > now() - interval '2 seconds'`).length;
    await until(async () => expect(await compared()).toBe(1), SLOWEST_MS);
    expect([...(await live.service.sql`select kind, raw from venue_findings`)]).toEqual([]);
    expect(await live.tenant.audit()).toEqual([]);
    const inlay = await live.service.commands(environment);
    const earned = Number(trade?.builderFee) / 1e6;
    expect((await inlay('venues', 'revenue', '--json')).json.revenue).toEqual([
      {
        venue: 'polymarket',
        operator: live.tenant.operator.slug,
        month: new Date().toISOString().slice(0, 7),
        fills: trade?.parts.length,
        traded: expect.closeTo(earned * 200, 2),
        venueFees: Number(trade?.fee) / 1e6,
        earned,
      },
    ]);
    expect((await inlay('venues', 'revenue', '--to', '2026-01-01', '--json')).json.revenue).toEqual([]);
  } finally {
    await live.close();
  }
});
