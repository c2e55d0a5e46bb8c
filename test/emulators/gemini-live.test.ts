/** What a live world meets only at Gemini: fees that are rounded up, and trades that are listed late. The rest: `live.test.ts`. */
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { startLiveGemini } from './live-exchange.ts';

const SLOWEST_MS = 40_000;

const exchange = await startLiveGemini();
const { emulator, account, tenant } = exchange;
afterAll(() => exchange.close());

/** How much later than its order a trade is listed. */
const listLate = (tradesLateMs: number) => emulator.control({ do: 'lists', tradesLateMs });

test('a buy takes no more than its stake at the exchange, whose fee is rounded up', { timeout: 120_000 }, async () => {
  const before = account.cash;
  // of the stake 2.94 are traded; 6.72 contracts would cost 2.8224 and a fee of 0.114589, which is 0.12 there
  await exchange.placed({ stake: 3 });
  expect(before - account.cash).toBe((6_710_000n * 420_000n) / 1_000_000n + 120_000n);
  // 0.07 p (1 - p), rounded up to a cent for the order
  expect(account.trades.map(({ fee }) => fee)).toEqual([120_000n]);
});

test('an order is filled only once its trades are listed, so that its fee is known', { timeout: 120_000 }, async () => {
  const before = account.orders.size;
  listLate(6_000);
  const { orderId } = (await exchange.place({ stake: 5 })).body;
  await until(() => expect(account.orders.size).toBe(before + 1), SLOWEST_MS);
  expect((await tenant.read(orderId)).status).not.toBe('filled');
  await until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);
  listLate(0);
  expect(account.orders.size).toBe(before + 1);
  expect(await tenant.audit()).toEqual([]);
});
