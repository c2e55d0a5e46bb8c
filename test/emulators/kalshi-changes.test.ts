/** What the emulated Kalshi changes under a live tenant: the tick during an order, an earlier close, a result that is disputed and amended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { listExamples } from '../../src/emulators/kalshi/example-markets.ts';
import type { Tenant } from '../support/live.ts';
import type { TestService } from '../support/service.ts';
import { newKalshiKey } from './kalshi-venue.ts';
import { type LiveExchange, startLiveExchange } from './live-exchange.ts';

const TICKER = 'KXEXAMPLE-RAIN';
const KEY_ID = 'key-1';
const SLOWEST = { timeout: 100_000, interval: 250 };
const LONG = { timeout: 240_000 };

let emulator: KalshiEmulator;
let exchange: LiveExchange;
let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  emulator = await startKalshiEmulator();
  listExamples(emulator);
  exchange = await startLiveExchange('kalshi', TICKER, {
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: KEY_ID,
    INLAY_KALSHI_PRIVATE_KEY_FILE: newKalshiKey(emulator, KEY_ID),
  });
  ({ service, tenant } = exchange);
});
afterAll(async () => {
  await exchange?.close();
  await emulator?.close();
});

const account = () =>
  emulator.state.accounts.get(KEY_ID) as NonNullable<ReturnType<typeof emulator.state.accounts.get>>;

async function position(): Promise<{ status: string; quantity: bigint } | undefined> {
  const [row] = await service.sql<{ status: string; quantity: bigint }[]>`
    select status, quantity from positions where operator_id = ${tenant.operator.operatorId}`;
  return row;
}

test(
  'a tick that changes between quote and order: the exchange refuses the price, and everything is released',
  LONG,
  async () => {
    await expect.poll(async () => (await tenant.quote('ann', { stake: 10 })).status, SLOWEST).toBe(200);
    const quoted = await tenant.quote('ann', { stake: 10 });
    // the price of 0.42 is no multiple of it
    emulator.control({ do: 'terms', ticker: TICKER, tick: 50_000n });
    const order = { quoteId: quoted.body.quoteId, clientOrderId: 'tick', reserveReference: 'held' };
    const placed = await tenant.order('ann', order);
    await expect.poll(async () => (await tenant.read(placed.body.orderId)).status, SLOWEST).toBe('rejected');
    expect((await tenant.read(placed.body.orderId)).operatorMoney).toMatchObject({
      actualDebit: '0.00',
      releaseAmount: '10.00',
    });
    expect(account().positions.size).toBe(0);
    expect(await position()).toBeUndefined();
    emulator.control({ do: 'terms', ticker: TICKER, tick: 10_000n });
    const { body } = await exchange.place({ stake: 10 });
    await expect.poll(async () => (await tenant.read(body.orderId)).status, SLOWEST).toBe('filled');
    expect(await tenant.audit()).toEqual([]);
  },
);

test(
  'a close that moves to now refuses quotes, and the order of a quote from before, and nothing is sent',
  LONG,
  async () => {
    await expect.poll(async () => (await tenant.quote('ann', { stake: 5 })).status, SLOWEST).toBe(200);
    const quoted = await tenant.quote('ann', { stake: 5 });
    const sent = account().orders.size;
    emulator.control({ do: 'status', ticker: TICKER, status: 'active', closeTime: new Date(Date.now() - 1_000) });
    const refusal = async () => (await tenant.quote('ann', { stake: 5 })).body.error;
    await expect.poll(refusal, SLOWEST).toBe('market_not_open');
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
    await expect.poll(closed, SLOWEST).toMatchObject({ closed: true, resolution: null });
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
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(await closed()).toMatchObject({ resolution: null });
      expect(await position()).toEqual(bought);
    }
    emulator.control({ do: 'status', ticker: TICKER, status: 'finalized', result: 'no', settlementValue: 0n });
    await expect.poll(async () => (await position())?.status, SLOWEST).toBe('settled');
    const [settled] = await service.sql<{ credit: string; resolution: string }[]>`
    select settlement_credit_minor::text as credit, resolution from settlements where operator_id = ${tenant.operator.operatorId}`;
    expect(settled).toMatchObject({ credit: '0', resolution: 'NO' });
    expect(await tenant.audit()).toEqual([]);
  },
);
