/** What the emulated Kalshi changes under a live tenant: the tick during an order, an earlier close, a result that is disputed and amended. */
import { afterAll, expect, test } from 'vitest';
import { settlementsIn } from '../support/settlements.ts';
import { timePasses, until } from '../support/until.ts';
import { startLiveKalshi, TICKER } from './live-exchange.ts';

const SLOWEST_MS = 100_000;
const LONG = { timeout: 240_000 };

const exchange = await startLiveKalshi();
const { emulator, service, tenant, account } = exchange;
afterAll(() => exchange.close());

async function position(): Promise<{ status: string; quantityMicros: bigint } | undefined> {
  const [row] = await service.sql<{ status: string; quantityMicros: bigint }[]>`
    select status, quantity_micros from positions where operator_id = ${tenant.operator.operatorId}`;
  return row;
}

test(
  'a tick that changes between quote and order: the exchange refuses the price, and everything is released',
  LONG,
  async () => {
    await until(async () => expect((await tenant.quote('ann', { stake: 10 })).status).toBe(200), SLOWEST_MS);
    const quoted = await tenant.quote('ann', { stake: 10 });
    // the price of 0.42 is no multiple of it
    emulator.control({ do: 'terms', ticker: TICKER, tick: 50_000n });
    const order = { quoteId: quoted.body.quoteId, clientOrderId: 'tick', reserveReference: 'held' };
    const placed = await tenant.order('ann', order);
    await until(async () => expect((await tenant.read(placed.body.orderId)).status).toBe('rejected'), SLOWEST_MS);
    expect((await tenant.read(placed.body.orderId)).operatorMoney).toMatchObject({
      actualDebit: '0.00',
      releaseAmount: '10.00',
    });
    expect(account().positions.size).toBe(0);
    expect(await position()).toBeUndefined();
    emulator.control({ do: 'terms', ticker: TICKER, tick: 10_000n });
    const { body } = await exchange.place({ stake: 10 });
    await until(async () => expect((await tenant.read(body.orderId)).status).toBe('filled'), SLOWEST_MS);
    expect(await tenant.audit()).toEqual([]);
  },
);

test('a fee that doubles costs the house nothing: the order costs no more than what is available', LONG, async () => {
  const cash = () => account().cash.get(0) ?? 0n;
  const feeBps = async () => {
    const [row] = await service.sql<{ feeBps: number }[]>`select fee_bps from listings where listing_id = ${TICKER}`;
    return row?.feeBps;
  };
  emulator.control({ do: 'event', eventTicker: 'KXEXAMPLE', feeType: 'quadratic', feeMultiplier: 2 });
  await until(async () => expect(await feeBps()).toBe(1_400), SLOWEST_MS);
  const before = cash();
  const { body } = await exchange.place({ stake: 10 });
  await until(async () => expect((await tenant.read(body.orderId)).status).toBe('filled'), SLOWEST_MS);
  const spent = before - cash();
  expect(spent).toBeGreaterThan(9_600_000n);
  expect(spent).toBeLessThanOrEqual(9_800_000n);
  const { operatorMoney } = await tenant.read(body.orderId);
  expect(Math.round((Number(operatorMoney.tradeAmount) + Number(operatorMoney.venueFee)) * 100)).toBeLessThanOrEqual(
    980,
  );
  emulator.control({ do: 'event', eventTicker: 'KXEXAMPLE' });
  await until(async () => expect(await feeBps()).toBe(700), SLOWEST_MS);
  expect(await tenant.audit()).toEqual([]);
});

test(
  'a close that moves to now refuses quotes, and the order of a quote from before, and nothing is sent',
  LONG,
  async () => {
    await until(async () => expect((await tenant.quote('ann', { stake: 5 })).status).toBe(200), SLOWEST_MS);
    const quoted = await tenant.quote('ann', { stake: 5 });
    const sent = account().orders.size;
    emulator.control({ do: 'status', ticker: TICKER, status: 'active', closeTime: new Date(Date.now() - 1_000) });
    const refusal = async () => (await tenant.quote('ann', { stake: 5 })).body.error;
    await until(async () => expect(await refusal()).toBe('market_not_open'), SLOWEST_MS);
    const order = { quoteId: quoted.body.quoteId, clientOrderId: 'closed', reserveReference: 'held' };
    expect((await tenant.order('ann', order)).body.error).toMatch(/^(market_not_open|quote_expired)$/);
    expect(account().orders.size).toBe(sent);
    expect(await tenant.audit()).toEqual([]);
  },
);

test(
  'a result that is determined, disputed and amended pays nothing until it is final, and then the amended one',
  LONG,
  async () => {
    const bought = await position();
    expect(bought?.status).toBe('open');
    const { contractId } = exchange;
    const closed = async () => {
      const [row] = await service.sql<{ closed: boolean; resolution: string | null }[]>`
      select trading_closed or status <> 'open' as closed, resolution from contracts where contract_id = ${contractId}`;
      return row;
    };
    emulator.control({
      do: 'status',
      ticker: TICKER,
      status: 'determined',
      result: 'yes',
      settlementValue: 1_000_000n,
    });
    await until(async () => expect(await closed()).toMatchObject({ closed: true, resolution: null }), SLOWEST_MS);
    for (const [status, result] of [
      ['disputed', 'yes'],
      ['amended', 'no'],
    ] as const) {
      emulator.control({
        do: 'status',
        ticker: TICKER,
        status,
        result,
        settlementValue: result === 'yes' ? 1_000_000n : 0n,
      });
      await timePasses(3_000);
      expect(await closed()).toMatchObject({ resolution: null });
      expect(await position()).toEqual(bought);
    }
    emulator.control({ do: 'status', ticker: TICKER, status: 'finalized', result: 'no', settlementValue: 0n });
    await until(async () => expect((await position())?.status).toBe('settled'), SLOWEST_MS);
    const [settled] = await service.sql<{ credit: string; resolution: string }[]>`
    select settlement_credit_minor::text as credit, resolution from ${settlementsIn(service.sql)} where operator_id = ${tenant.operator.operatorId}`;
    expect(settled).toMatchObject({ credit: '0', resolution: 'NO' });
    expect(await tenant.audit()).toEqual([]);
  },
);
