/** Live orders at each emulated exchange, all the way: catalogue, quote, order, fill, sale, a lost answer, result and payment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { LIVE } from './live-exchange.ts';

const SLOWEST_MS = 100_000;
const EACH = { timeout: 150_000 };

describe.each(LIVE)('live orders at %s', (_, start) => {
  let exchange: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    exchange = await start();
  });
  afterAll(() => exchange?.close());

  const clean = async () => expect(await exchange.tenant.audit()).toEqual([]);

  // contract 18.8
  test(
    'a buy and a sale are filled, with the fees of the exchange, and the books agree with the account',
    EACH,
    async () => {
      const { service, held, fees, quantity, placed } = exchange;
      const orderId = await placed({ stake: 10 });
      const bought = held();
      expect(bought).toBeGreaterThan(0n);
      expect(await quantity()).toBe(bought);
      const [row] = await service.sql<{ price: bigint; fees: bigint }[]>`
      select min(price_micros)::bigint as price, sum(fee_micros)::bigint as fees from order_fills where order_id = ${orderId}`;
      expect(row).toEqual({ price: 420_000n, fees: fees() });
      await placed({ action: 'sell', stake: undefined, contracts: 5 });
      expect(held()).toBe(bought - 5_000_000n);
      expect(await quantity()).toBe(held());
      await clean();
    },
  );

  // contract 18.4
  test('an answer that is lost is looked up, and the order is there once', EACH, async () => {
    const before = exchange.taken();
    exchange.emulator.faults.arm({ kind: 'timeout_after_apply' }, exchange.send);
    await exchange.placed({ stake: 5 });
    expect(exchange.taken()).toBe(before + 1);
    expect(await exchange.quantity()).toBe(exchange.held());
    await clean();
  });

  test('a result pays the position, and nothing is held any more', EACH, async () => {
    const { service, tenant } = exchange;
    exchange.resolve();
    await until(
      () => service.sql<{ status: string }[]>`
        select status from positions where operator_id = ${tenant.operator.operatorId}`,
      ([position]) => position?.status === 'settled',
      SLOWEST_MS,
    );
    expect(exchange.held()).toBe(0n);
    // between the exchange's payment and ours the account holds less than the books: the next comparison clears it
    const findings = async () => [
      ...(await service.sql`select kind, subject from venue_findings where cleared_at is null`),
    ];
    await until(async () => expect(await findings()).toEqual([]), SLOWEST_MS);
    await clean();
  });
});
