/** Live orders at the emulated Gemini, all the way: catalogue, quote, order, fill, sale, a lost answer, late trades, result and payment. */
import { afterAll, expect, test } from 'vitest';
import { listExamples, startGeminiEmulator } from '../../src/emulators/gemini/emulator.ts';
import { controlRequest } from '../../src/emulators/gemini/requests.ts';
import type { Account } from '../../src/emulators/gemini/state.ts';
import { until } from '../support/until.ts';
import { KEY_ID, newGeminiKey } from './gemini-venue.ts';
import { startLiveExchange } from './live-exchange.ts';

const SLOWEST_MS = 40_000;
const RAIN = 'GEMI-EXAMPLE-RAIN';
const SEND = 'POST /v1/prediction-markets/order';

const emulator = await startGeminiEmulator();
listExamples(emulator);
const exchange = await startLiveExchange('gemini', RAIN, {
  INLAY_GEMINI_URL: emulator.url,
  INLAY_GEMINI_KEY_ID: KEY_ID,
  INLAY_GEMINI_SECRET_FILE: newGeminiKey(emulator),
});
const { service, tenant } = exchange;
afterAll(async () => {
  await exchange.close();
  await emulator.close();
});

const account = () => emulator.state.accounts.get(KEY_ID) as Account;
const tell = (request: object) => emulator.control(controlRequest.parse(request));

async function place(quote: object, order?: object): Promise<{ orderId: string }> {
  const placed = await exchange.place(quote, order);
  expect(placed.body.orderId, placed.text).toBeDefined();
  return placed.body;
}
const filled = (orderId: string) =>
  until(async () => expect((await tenant.read(orderId)).status).toBe('filled'), SLOWEST_MS);

// contract 18.8
test('a buy and a sale are filled at the exchange, with its fees, and the books agree with the account', {
  timeout: 120_000,
}, async () => {
  const { orderId } = await place({ stake: 10 });
  await filled(orderId);
  const [trade] = account().trades;
  expect(trade).toMatchObject({ symbol: RAIN, side: 'buy', price: 420_000n });
  const held = account().positions.get(RAIN) ?? 0n;
  const [position] = await service.sql<{ quantity: bigint }[]>`
    select quantity from positions where operator_id = ${tenant.operator.operatorId}`;
  expect(position?.quantity).toBe(held);
  const [fee] = await service.sql<{ feeMicros: bigint }[]>`
    select fee_micros from order_fills where order_id = ${orderId}`;
  // 0.07 p (1 - p), rounded up to a cent for the order
  expect(fee?.feeMicros).toBe(trade?.fee);
  expect((trade?.fee ?? 1n) % 10_000n).toBe(0n);
  const sold = await place({ action: 'sell', stake: undefined, contracts: 5 });
  await filled(sold.orderId);
  expect(account().positions.get(RAIN)).toBe(held - 5_000_000n);
  expect(await tenant.audit()).toEqual([]);
});

test('a buy takes no more than its stake at the exchange, whose fee is rounded up', { timeout: 120_000 }, async () => {
  const before = account().cash;
  // of the stake 2.94 are traded; 6.72 contracts would cost 2.8224 and a fee of 0.114589, which is 0.12 there
  await filled((await place({ stake: 3 })).orderId);
  expect(before - account().cash).toBe((6_710_000n * 420_000n) / 1_000_000n + 120_000n);
});

// contract 18.4
test('an answer that is lost is looked up, and the order is there once', { timeout: 120_000 }, async () => {
  const before = account().orders.size;
  emulator.faults.arm({ kind: 'timeout_after_apply' }, SEND);
  const { orderId } = await place({ stake: 5 });
  await filled(orderId);
  expect(account().orders.size).toBe(before + 1);
  expect(await tenant.audit()).toEqual([]);
});

test('an order is filled only once its trades are listed, so that its fee is known', { timeout: 120_000 }, async () => {
  const before = account().orders.size;
  tell({ do: 'lists', tradesLateMs: 6_000 });
  const { orderId } = await place({ stake: 5 });
  await until(() => expect(account().orders.size).toBe(before + 1), SLOWEST_MS);
  expect((await tenant.read(orderId)).status).not.toBe('filled');
  await filled(orderId);
  tell({ do: 'lists', tradesLateMs: 0 });
  expect(account().orders.size).toBe(before + 1);
  expect(await tenant.audit()).toEqual([]);
});

test('a result pays the position, and nothing is held any more', { timeout: 150_000 }, async () => {
  tell({ do: 'status', symbol: RAIN, status: 'settled', winner: 'yes' });
  await until(
    () => service.sql<{ status: string }[]>`
      select status from positions where operator_id = ${tenant.operator.operatorId}`,
    ([position]) => position?.status === 'settled',
    100_000,
  );
  expect(account().positions.get(RAIN) ?? 0n).toBe(0n);
  // between the exchange's payment and ours the account holds less than the books: the next comparison clears it
  const findings = async () => [
    ...(await service.sql`select kind, subject from venue_findings where cleared_at is null`),
  ];
  await until(async () => expect(await findings()).toEqual([]), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});
