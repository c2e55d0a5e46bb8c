/** One contract at three emulated exchanges: each order goes to the one where it costs least, after the fee. */
import { afterAll, expect, test } from 'vitest';
import { startIngestion } from '../../src/jobs/ingest.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { until } from '../support/until.ts';
import { openWorld } from '../support/world.ts';
import type { ExchangeName } from './every-exchange.ts';
import { startThreeExchanges } from './three-exchanges.ts';

const SLOWEST_MS = 40_000;
const COUNT = 500_000_000n;

const exchanges = await startThreeExchanges(1);
const { kalshi, polymarket, gemini } = exchanges.emulators;
const service = await openWorld({ environment: exchanges.environment });
const worker = service.openWorker();
service.add(startIngestion(worker));
service.add(await startTransmission(worker));
afterAll(async () => {
  await service.close();
  await exchanges.close();
});
const match = await exchanges.match(service);
const tenant = await service.tenant();

/** What one contract costs at each of them, in micro-dollars. */
function ask(prices: Record<ExchangeName, bigint>): void {
  const level = (price: bigint) => ({ price, count: COUNT });
  // an ask of YES is a bid for NO there
  kalshi.control({ do: 'book', ticker: exchanges.listings.kalshi, yes: [], no: [level(1_000_000n - prices.kalshi)] });
  polymarket.control({ do: 'book', name: 'rain', bids: [], asks: [level(prices.polymarket)] });
  gemini.control({ do: 'book', symbol: exchanges.listings.gemini, bids: [], asks: [level(prices.gemini)] });
}

test.each([
  ['the cheapest price', { kalshi: 420_000n, polymarket: 420_000n, gemini: 400_000n }, 'gemini', 0.4],
  ['the cheapest price', { kalshi: 390_000n, polymarket: 420_000n, gemini: 410_000n }, 'kalshi', 0.39],
  // 0.07 p (1 - p) at two of them, 0.05 p (1 - p) at the third
  ['the lowest fee at one price', { kalshi: 450_000n, polymarket: 450_000n, gemini: 450_000n }, 'polymarket', 0.45],
] as const)('%s decides: %o goes to %s', { timeout: 120_000 }, async (_, prices, cheapest, price) => {
  const before = exchanges.arrived();
  ask(prices);
  const asked = { marketId: match.contracts[0], stake: 10 };
  await until(async () => {
    const { body, text } = await tenant.quote('ann', asked);
    expect(body, text).toMatchObject({
      executionPrice: price,
      routing: { consideredVenues: 3, routable: true },
    });
  }, SLOWEST_MS);
  const placed = await tenant.place('ann', { reserveReference: 'held' }, asked);
  expect(placed.body.orderId, placed.text).toBeDefined();
  await until(async () => expect((await tenant.read(placed.body.orderId)).status).toBe('filled'), SLOWEST_MS);
  const after = exchanges.arrived();
  for (const name of ['kalshi', 'polymarket', 'gemini'] as const) {
    expect(after[name].length - before[name].length, name).toBe(name === cheapest ? 1 : 0);
  }
  expect(await tenant.audit()).toEqual([]);
});
