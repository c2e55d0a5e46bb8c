/** Scenarios meet orders of the two-step flow as they meet any other accepted order (contract 32.17). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

const STEP = { executionIntent: 'record_intent' };
const arm = (tenant: Tenant, body: object) =>
  live.request('POST', '/api/v1/sandbox/scenarios', {
    key: tenant.key,
    body: { kind: 'partial_fill', ...body },
  });
const armed = async (tenant: Tenant) =>
  (await live.request('GET', '/api/v1/sandbox/scenarios', { key: tenant.key })).body.scenarios.length;

// contract 32.9, contract 32.17
test('an armed fraction is taken by an intent that comes with its reserve', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  await arm(tenant, { fillFraction: 0.4 });
  const placed = await tenant.place('ana', { ...STEP, reserveReference: 'r-1' });
  expect([placed.status, placed.body.status, placed.body.transmissionState], placed.text).toEqual([
    201,
    'partially_filled',
    'resolved',
  ]);
  expect(placed.body).toMatchObject({
    filledQuantity: 6.877192,
    operatorMoney: { actualDebit: '4.00', tradeAmount: '3.92', platformFee: '0.08', releaseAmount: '6.00' },
  });
  expect(await tenant.events(placed.body.orderId)).toEqual([
    'order.intent_recorded',
    'order.filled',
    'order.completed',
  ]);
  expect(await armed(tenant)).toBe(0);
  const next = await tenant.place('ana', { ...STEP, reserveReference: 'r-2' });
  expect(next.body).toMatchObject({ status: 'filled', filledQuantity: 17.192982 });
  expect(await tenant.audit()).toEqual([]);
});

test('a targeted one waits for its key, and an intent without a reserve leaves it armed', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  await arm(tenant, { fillAmountMinor: 500, clientOrderId: 'mine' });
  const other = await tenant.place('ben', { ...STEP, reserveReference: 'r-1' });
  expect(other.body.status).toBe('filled');
  const waiting = await tenant.place('ben', STEP);
  expect(waiting.body.status).toBe('reserve_pending');
  expect(await armed(tenant)).toBe(1);
  const mine = await tenant.place('ben', { ...STEP, clientOrderId: 'mine', reserveReference: 'r-2' });
  expect(mine.body, mine.text).toMatchObject({ status: 'partially_filled', filledQuantity: 8.596491 });
  expect(await armed(tenant)).toBe(0);
  expect(await tenant.audit()).toEqual([]);
});

test('a fraction that fills nothing ends the intent cancelled, with everything released', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  await arm(tenant, { fillFraction: 0.00000001 });
  const placed = await tenant.place('cat', { ...STEP, reserveReference: 'r-1' });
  expect(placed.body, placed.text).toMatchObject({
    status: 'cancelled',
    transmissionState: 'resolved',
    operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' },
  });
  expect((await tenant.cancel(placed.body.orderId)).body.error).toBe('order_not_cancellable');
  expect(await tenant.audit()).toEqual([]);
});

test('a sell of the two-step flow takes one too', async () => {
  const tenant = await live.tenant({ mode: 'sandbox' });
  await tenant.place('dan', { ...STEP, reserveReference: 'r-1' });
  await arm(tenant, { fillFraction: 0.5 });
  const sold = await tenant.place(
    'dan',
    { ...STEP, reserveReference: 'r-2' },
    { action: 'sell', stake: undefined, contracts: 10 },
  );
  expect(sold.body, sold.text).toMatchObject({ status: 'partially_filled', filledQuantity: 5 });
  const positions = await live.sql<{ quantityMicros: bigint; held: bigint }[]>`
    select quantity_micros, held_quantity_micros as held from positions where operator_id = ${tenant.operator.operatorId}`;
  expect(positions).toEqual([{ quantityMicros: 12_192_982n, held: 0n }]);
  expect(await tenant.audit()).toEqual([]);
});
