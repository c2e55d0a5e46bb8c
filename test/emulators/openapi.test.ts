/**
 * The emulated exchanges answer as the exchanges' own OpenAPI documents say: every answer that our adapters meet on their way
 * through catalogue, orders and account, refusals included, is held against the schema of its route and status.
 */
import { describe, expect, test } from 'vitest';
import { startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import { openPolymarket } from '../../src/venues/polymarket/polymarket.ts';
import type { Venue } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { readExchangeDocument } from './exchange-document.ts';
import { kalshiOrder, newKalshiKey } from './kalshi-venue.ts';
import { openPolymarketExchange, orderOf, prepare } from './polymarket-venue.ts';
import { openRecordingProxy, type Recorded } from './recording-proxy.ts';

const POLYMARKET = ['polymarket-clob', 'polymarket-data', 'polymarket-data-v2', 'polymarket-gamma'];
/** Since when our orders are listed. */
const EARLIER = new Date(Date.now() - 3_600_000);

/** Each route that was met, with what did not fit in any of its answers. */
function heldAgainst(documents: readonly string[], recorded: readonly Recorded[]): Map<string, string[]> {
  const read = documents.map(readExchangeDocument);
  const routes = new Map<string, string[]>();
  for (const one of recorded) {
    const document = read.find((each) => each.routeOf(one) !== undefined);
    const route = document?.routeOf(one) ?? `${one.method} ${one.path} is in no document`;
    const misfits = document?.misfitsOf(one) ?? [];
    routes.set(route, [...(routes.get(route) ?? []), ...misfits.map((misfit) => `${one.status} ${misfit}`)]);
  }
  return routes;
}

/** The exchange's recorded payloads say "MATCHED" and "CONFIRMED" where its document has a prefix before them. */
function withPrefixes(recorded: Recorded): Recorded {
  const prefix = recorded.path.startsWith('/data/order') ? 'ORDER_STATUS_' : 'TRADE_STATUS_';
  if (!recorded.path.startsWith('/data/')) {
    return recorded;
  }
  const text = JSON.stringify(recorded.body).replace(/"status":"([A-Z_]+)"/g, `"status":"${prefix}$1"`);
  return { ...recorded, body: JSON.parse(text) };
}

async function askAll(venue: Venue): Promise<void> {
  const { account } = venue;
  await account?.serverTime();
  await account?.tradingPaused?.();
  await account?.ordersSince(EARLIER);
  await account?.fillsSince(EARLIER);
  await account?.positions();
  await account?.balanceMicros();
  await account?.transfersSince?.(EARLIER);
  await account?.listsAsOf?.();
  await account?.parts?.();
  await account?.settledSince?.(EARLIER, []);
  await account?.redeemableMicros?.();
  await account?.inspect?.();
}

describe('Kalshi', () => {
  test('every answer fits its OpenAPI document', async () => {
    const emulator = await startKalshiEmulator();
    const tell = (request: object) => emulator.control(controlRequest.parse(request));
    const privateKeyFile = newKalshiKey(emulator, 'k');
    const team = 'e0729403-9c95-4ee2-b5d4-f704d8322570';
    tell({ do: 'target', id: team, name: 'T', type: 'football_team', imageUrl: 'https://pictures.example.com/t.png' });
    for (const ticker of ['KXDOC-1', 'KXDOC-2']) {
      const exchangeIndex = ticker === 'KXDOC-2' ? 2 : 0;
      tell({
        do: 'market',
        ticker,
        eventTicker: 'KXDOC',
        title: 'T',
        closeTime: '2099-01-01T00:00:00Z',
        exchangeIndex,
        customStrike: { football_team: team },
      });
    }
    tell({ do: 'book', ticker: 'KXDOC-1', yes: [['0.4000', '50']], no: [['0.5500', '5000']] });
    tell({ do: 'order_group', keyId: 'k', id: 'g1', contracts: '1000.00' });
    tell({ do: 'fee_change', ticker: 'KXDOC', feeType: 'quadratic', feeMultiplier: 2, at: '2098-01-01T00:00:00Z' });
    const proxy = await openRecordingProxy(emulator.url, '/trade-api/v2');
    const settings = { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile, orderGroups: new Map([[0, 'g1']]) };
    const venue = openKalshi('kalshi', async () => proxy.url, settings);
    try {
      await venue.catalogue();
      await venue.book('KXDOC-1');
      const order = kalshiOrder('KXDOC-1');
      expect(await venue.prepareOrder?.(order)).toBeNull();
      expect(await venue.placeOrder(kalshiOrder('KXDOC-2'), () => true)).toMatchObject({
        reason: 'insufficient_balance',
      });
      expect(await venue.placeOrder(order, () => true)).toMatchObject({ outcome: 'accepted' });
      expect(await venue.findOrder(order.ourId, order)).toMatchObject({ outcome: 'found' });
      await venue.fills(order.ourId, order);
      await venue.cancelOrder(order.ourId, order);
      expect(await venue.placeOrder(kalshiOrder('KXDOC-9'), () => true)).toMatchObject({ outcome: 'rejected' });
      tell({ do: 'status', ticker: 'KXDOC-1', status: 'finalized', result: 'yes' });
      await venue.catalogue(['KXDOC-1']);
      tell({ do: 'deposit', keyId: 'k', id: 'd-1', amount: '5.00' });
      tell({ do: 'withdrawal', keyId: 'k', id: 'w-1', amount: '1.00' });
      await askAll(venue);
      tell({ do: 'archive', before: '2098-01-01T00:00:00Z' });
      await askAll(venue);
      await venue.account?.halt?.();
      await venue.account?.release?.();
    } finally {
      await venue.close();
      await proxy.close();
      await emulator.close();
    }
    const routes = heldAgainst(['kalshi'], proxy.recorded);
    expect(routes.size).toBeGreaterThan(10);
    expect([...routes].filter(([, misfits]) => misfits.length > 0)).toEqual([]);
    expect([...routes.keys()].filter((route) => route.endsWith('in no document'))).toEqual([]);
  });
});

describe('Polymarket', () => {
  test('every answer fits its OpenAPI documents', async () => {
    const exchange = await openPolymarketExchange();
    const proxy = await openRecordingProxy(exchange.emulator.url);
    const venue = openPolymarket('polymarket', async () => proxy.url, {
      ...VENUE_SETTINGS.polymarket,
      privateKeyFile: exchange.keyFile,
      streamUrl: exchange.emulator.url.replace('http', 'ws'),
    });
    try {
      await venue.catalogue();
      await venue.book(exchange.market.tokens[0]);
      const order = await prepare(venue, orderOf(exchange));
      expect(await venue.placeOrder(order, () => true)).toMatchObject({ outcome: 'accepted' });
      expect(await venue.findOrder(order.ourId, order)).toMatchObject({ outcome: 'found' });
      await venue.fills(order.ourId, order);
      await venue.cancelOrder(order.ourId, order);
      exchange.tell({ do: 'book', name: 't', bids: [], asks: [] });
      const unfilled = await prepare(venue, orderOf(exchange));
      expect(await venue.placeOrder(unfilled, () => true)).toMatchObject({ outcome: 'rejected' });
      exchange.tell({ do: 'oracle', name: 't', status: 'resolved', payout: ['0.5', '0.5'] });
      await venue.catalogue([exchange.market.tokens[0]]);
      await askAll(venue);
    } finally {
      await venue.close();
      await proxy.close();
      await exchange.close();
    }
    const routes = heldAgainst(POLYMARKET, proxy.recorded.map(withPrefixes));
    expect(routes.size).toBeGreaterThan(8);
    expect([...routes].filter(([, misfits]) => misfits.length > 0)).toEqual([]);
    // known from the exchange's own clients, and the first from its page "Geographic restrictions"
    expect([...routes.keys()].filter((route) => route.endsWith('in no document')).sort()).toEqual([
      'GET /api/geoblock is in no document',
      'GET /auth/ban-status/closed-only is in no document',
      'GET /auth/derive-api-key is in no document',
      'GET /balance-allowance is in no document',
      'GET /v2/activity is in no document',
      'POST /auth/api-key is in no document',
    ]);
  });
});
