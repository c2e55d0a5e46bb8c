/** A simulated order whose worker died between its sending and its local fill, and what comes meanwhile. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveMarket } from '../../src/markets/decisions.ts';
import { listWaiting } from '../../src/trading/execution/attempts.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { beginning } from '../../src/trading/execution/transmit-order.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

const STEP = { executionIntent: 'record_intent' };
const STAKE = { stake: 10 };

let live: Live;
beforeAll(async () => {
  live = await openLive({ job: false });
});
afterAll(() => live.close());

/** Confirmed and begun, with nobody there to fill it. */
async function begun(tenant: Tenant, marketId: string, quote: object = STAKE): Promise<string> {
  const { orderId } = (await tenant.place('ana', STEP, { marketId, ...quote })).body;
  expect((await tenant.confirm(orderId)).body.status).toBe('pending_venue_execution');
  const order = (await listWaiting(live.sql, 1_000)).find((one) => one.orderId === orderId);
  expect(order?.withdraw).toBeNull();
  const { sql } = live.openWorker();
  const { code } = await createRecordPorts(sql).transition(beginning(order as NonNullable<typeof order>, null));
  expect(code).toBeNull();
  return orderId;
}

async function endOf(tenant: Tenant, orderId: string) {
  const job = await live.startJob();
  try {
    return await until(
      () => tenant.read(orderId),
      (order) => order.status !== 'submitted',
      10_000,
    );
  } finally {
    await job.close();
  }
}

async function market(name: string): Promise<string> {
  const { contractId } = await live.openMarket(name);
  return contractId;
}

test('a begun simulated buy whose market resolved meanwhile ends refused, and its hold is released', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  const marketId = await market('begun-buy');
  const orderId = await begun(tenant, marketId);
  await resolveMarket(live.sql, marketId, { resolution: 'YES', splitYesMicros: null });
  const ended = await endOf(tenant, orderId);
  expect(ended).toMatchObject({
    status: 'rejected',
    transmissionState: 'resolved',
    settlementState: 'settled',
    filledQuantity: 0,
    operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' },
  });
  expect(ended.rejectReason).toMatch(/^market_not_open \(/);
  expect(await tenant.events(orderId)).toEqual(['order.intent_recorded', 'order.rejected']);
  expect(await tenant.audit()).toEqual([]);
});

test('a begun simulated sell of a suspended customer ends refused, and its contracts are free again', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  const marketId = await market('begun-sell');
  const bought = await tenant.place('ana', { executionIntent: 'simulate' }, { marketId, ...STAKE });
  const contracts = bought.body.filledQuantity as number;
  const orderId = await begun(tenant, marketId, { action: 'sell', stake: undefined, contracts });
  const { sql } = live;
  await sql`update customers set status = 'suspended' where operator_id = ${tenant.operator.operatorId}`;
  expect(await endOf(tenant, orderId)).toMatchObject({ status: 'rejected', transmissionState: 'resolved' });
  const [position] = await sql<{ held: bigint; quantityMicros: bigint }[]>`
    select held_quantity_micros as held, quantity_micros from positions where operator_id = ${tenant.operator.operatorId}`;
  expect(position).toEqual({ held: 0n, quantityMicros: BigInt(Math.round(contracts * 1e6)) });
  expect(await tenant.audit()).toEqual([]);
});

test('a begun simulated order of an open market is filled by whichever worker comes next', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  const orderId = await begun(tenant, await market('begun-open'));
  expect(await endOf(tenant, orderId)).toMatchObject({ status: 'filled', transmissionState: 'resolved' });
  expect(await tenant.audit()).toEqual([]);
});
