/** The control routes of the emulated exchanges: faults that a seed repeats, a market that vanishes, and a fee that changes. */
import { afterEach, describe, expect, test } from 'vitest';
import { startGeminiEmulator } from '../../src/emulators/gemini/emulator.ts';
import { startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { startPolymarketEmulator } from '../../src/emulators/polymarket/emulator.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';
import { kalshiOrder, newKalshiKey } from './kalshi-venue.ts';
import { openPolymarketExchange, orderOf, prepare } from './polymarket-venue.ts';

const SOON_MS = 1_000;
const ASKED = 30;
const PATHS = {
  kalshi: '/trade-api/v2/exchange/status',
  polymarket: '/time',
  gemini: '/v1/prediction-markets/events',
} as const;
const START = {
  kalshi: startKalshiEmulator,
  polymarket: startPolymarketEmulator,
  gemini: startGeminiEmulator,
} as const;

const opened: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

const tell = (url: string, request: object) =>
  fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(request) }).then(({ status }) => status);

/** What became of the same requests: a status, no JSON, or no answer within a second. */
async function outcomes(exchange: keyof typeof START, seed: number): Promise<string[]> {
  const { url } = keep(await START[exchange](0, seed));
  expect(await tell(url, { do: 'random_faults', share: 0.5, on: 'GET ' })).toBe(200);
  const found: string[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) {
    const signal = AbortSignal.timeout(SOON_MS);
    const one = await fetch(url + PATHS[exchange], { signal }).then(
      async (answer) => `${answer.status} ${(await answer.text()).startsWith('<')}`,
      () => 'no answer in time',
    );
    found.push(one);
  }
  return found;
}

describe.each(['kalshi', 'polymarket', 'gemini'] as const)('random faults of %s', (exchange) => {
  test('follow from the seed', { timeout: 120_000 }, async () => {
    const [once, again, other] = await Promise.all([
      outcomes(exchange, 7),
      outcomes(exchange, 7),
      outcomes(exchange, 8),
    ]);
    expect(new Set(once).size).toBeGreaterThan(2);
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });
});

const listings = async (venue: Venue) =>
  (await venue.catalogue()).events.flatMap(({ markets }) => markets.map(({ listingId }) => listingId));

test('a market vanishes from Kalshi and comes back, and its fee changes', async () => {
  const emulator = keep(await startKalshiEmulator(0, 1));
  const privateKeyFile = newKalshiKey(emulator, 'k');
  const venue = keep(
    openKalshi('kalshi', async () => emulator.url, { ...VENUE_SETTINGS.kalshi, keyId: 'k', privateKeyFile }),
  );
  const ticker = 'KXGONE-1';
  await tell(emulator.url, {
    ...{ do: 'market', ticker, eventTicker: 'KXGONE', title: 'T', closeTime: '2099-01-01T00:00:00Z' },
  });
  await tell(emulator.url, { do: 'book', ticker, yes: [], no: [['0.5500', '500']] });
  const feeOfOne = async () => {
    const answer = await venue.placeOrder(kalshiOrder(ticker), () => true);
    return answer.outcome === 'accepted' ? answer.order.fills[0]?.feeMicros : undefined;
  };
  const fee = (await feeOfOne()) ?? 0n;
  expect(await tell(emulator.url, { do: 'series', ticker: 'KXGONE', feeMultiplier: 0 })).toBe(200);
  expect(fee).toBeGreaterThan(0n);
  expect(await feeOfOne()).toBe(0n);

  expect(await tell(emulator.url, { do: 'vanish', ticker })).toBe(200);
  expect(await venue.book(ticker)).toBeNull();
  expect(await listings(venue)).not.toContain(ticker);
  expect(await venue.placeOrder(kalshiOrder(ticker), () => true)).toMatchObject({ reason: 'market_not_found' });
  await tell(emulator.url, { do: 'vanish', ticker, vanished: false });
  expect(await listings(venue)).toContain(ticker);
});

test('a market vanishes from Polymarket with its position, and its fee changes', async () => {
  const exchange = keep(await openPolymarketExchange());
  const { venue, market, emulator } = exchange;
  const [token] = market.tokens;
  const feeOfOne = async (at: Venue) => {
    const order = await prepare(at, orderOf(exchange, { quantityMicros: 5_000_000n, spendMicros: 2_300_000n }));
    const answer = await at.placeOrder(order, () => true);
    expect(answer).toMatchObject({ outcome: 'accepted' });
    const [fill] = await at.fills(order.ourId, order);
    return fill?.feeMicros;
  };
  expect(await feeOfOne(venue)).toBeGreaterThan(0n);
  expect(await tell(emulator.url, { do: 'vanish', name: 't' })).toBe(200);
  expect(await listings(venue)).not.toContain(token);
  expect(await venue.book(token)).toBeNull();
  expect(await venue.account?.positions()).toMatchObject([{ listingId: token }]);
  await tell(emulator.url, { do: 'vanish', name: 't', vanished: false });
  expect(await listings(venue)).toContain(token);
  expect(await tell(emulator.url, { do: 'terms', name: 't', feeRate: '0' })).toBe(200);
  expect(await feeOfOne(keep(exchange.open()))).toBe(0n);
});
