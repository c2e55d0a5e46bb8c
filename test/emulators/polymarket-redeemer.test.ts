/** The exchange's redeemer pays won positions by itself, and neither the books nor the comparison need a person for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { type LiveExchange, startLiveExchange } from './live-exchange.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, SIGNER } from './polymarket-venue.ts';

const SLOWEST_MS = 100_000;

let exchange: PolymarketExchange;
let live: LiveExchange;
beforeAll(async () => {
  exchange = await openPolymarketExchange();
  exchange.tell({ do: 'wallet', signer: SIGNER, cash: '1000', redeemer: true });
  const { emulator, market, keyFile } = exchange;
  live = await startLiveExchange('polymarket', market.tokens[0], {
    INLAY_POLYMARKET_URL: emulator.url,
    INLAY_POLYMARKET_CATALOGUE_URL: emulator.url,
    INLAY_POLYMARKET_DATA_URL: emulator.url,
    INLAY_POLYMARKET_PRIVATE_KEY_FILE: keyFile,
  });
});
afterAll(async () => {
  await live?.close();
  await exchange?.close();
});

test('a wallet that does not allow the redeemer waits for a person', async () => {
  const own = await openPolymarketExchange();
  const listingId = own.market.tokens[0];
  const one = await prepare(own.venue, orderOf(own));
  await own.venue.placeOrder(one, () => true);
  expect(await own.venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'closed' } });
  expect(await own.venue.account?.settledSince?.(new Date(0), [listingId])).toEqual([]);
  own.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['1', '0'] });
  expect(await own.venue.account?.redeemable?.()).toMatchObject([{ listingId, paysMicros: 20_217_391n }]);
  expect(await own.venue.account?.settledSince?.(new Date(Date.now() - 60_000), [listingId])).toContain(listingId);
  expect(await own.venue.account?.settledSince?.(new Date(Date.now() + 60_000), [listingId])).toEqual([]);
  Object.assign(own.account, { redeemer: true });
  expect(await own.venue.account?.redeemable?.()).toEqual([]);
  await own.close();
});

test('a market that paid without a word of its oracle is resolved, because the order book names the same winner', async () => {
  const own = await openPolymarketExchange();
  const [listingId] = own.market.tokens;
  own.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0', '1'], silent: true });
  own.tell({ do: 'fault', on: 'GET /markets/0x', fault: { kind: 'status', status: 500 } });
  const result = async () => (await own.venue.catalogue([listingId])).events[0]?.markets[0];
  // without the second witness nothing is paid
  expect(await result()).toMatchObject({ status: 'closed', resolution: null });
  expect(await result()).toMatchObject({ status: 'resolved', resolution: { outcome: 'NO' } });
  expect(await own.venue.account?.settledSince?.(new Date(Date.now() - 60_000), [listingId])).toContain(listingId);
  await own.close();
});

test('won money is paid before our books know the result, which is no difference, and nobody is asked', {
  timeout: 240_000,
}, async () => {
  const { service, tenant } = live;
  const placed = await live.place({ stake: 9 });
  await until(async () => expect((await tenant.read(placed.body.orderId)).status).toBe('filled'), SLOWEST_MS);
  const wallet = exchange.emulator.state.accounts.get(SIGNER.toLowerCase());
  const before = wallet?.cash ?? 0n;
  // the stream does not tell the result: it comes with the next catalogue
  exchange.tell({ do: 'stream', fault: 'silence' });
  exchange.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['1', '0'] });
  await until(() => expect(wallet?.cash).toBeGreaterThan(before), SLOWEST_MS);
  const settled = async () => {
    const [row] = await service.sql<{ status: string }[]>`
      select status from positions where operator_id = ${tenant.operator.operatorId}`;
    return row?.status;
  };
  await until(async () => expect(await settled()).toBe('settled'), SLOWEST_MS);
  const compared = async () =>
    (await service.sql`select from venue_accounts where compared_at > now() - interval '2 seconds'`).length;
  await until(async () => expect(await compared()).toBe(1), SLOWEST_MS);
  expect([...(await service.sql`select kind, subject, raw from venue_findings`)]).toEqual([]);
  expect([...(await service.sql`select because from venue_stops`)]).toEqual([]);
  expect(await tenant.audit()).toEqual([]);
});
