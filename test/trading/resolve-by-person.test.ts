/** `orders resolve`: what a person learned is recorded whatever was sent, and what cannot be so is refused and recorded nowhere. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import type { RunCommand } from '../support/run-command.ts';
import { askedByAnother } from '../support/second-person.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
let inlay: RunCommand;
beforeAll(async () => {
  live = await openLive();
  inlay = await live.commands();
});
afterAll(() => live.close());
beforeEach(async () => {
  tenant = await live.tenant();
});

const LIVE = { intent: 'record_intent', reserveReference: 'r' };

/** An order that was sent and never answered; the venue's look-up is not complete, so it stays unknown. */
async function unknownOrder(user = 'ana', quote: object = {}): Promise<string> {
  live.venue.lookupIsComplete = false;
  live.venue.script = () => live.venue.silence();
  const placed = await tenant.place(user, LIVE, quote);
  expect([placed.status, placed.body.error], placed.text).toEqual([409, 'reconciliation_required']);
  return placed.body.orderId;
}

const resolve = (orderId: string, ...flags: string[]) =>
  inlay('orders', 'resolve', orderId, ...flags, '--yes', '--json');
const said = (orderId: string, filled: string, price: string, fee = '0') =>
  resolve(orderId, '--filled', filled, '--price', price, '--fee', fee, '--evidence', 'ticket 4711');
const evidence = async (orderId: string) => {
  const rows = await live.sql<{ kind: string }[]>`select kind from venue_evidence where order_id = ${orderId}`;
  return rows.map((row) => row.kind).toSorted();
};
const overrun = async () => {
  const [row] = await live.sql<{ balance: bigint }[]>`
    select balance from account_balances where operator_id = ${tenant.operator.operatorId} and account_id = 'overrun'`;
  return row?.balance ?? 0n;
};

// contract 18.9
test('a price above the limit that was sent is recorded, and what passes the amount goes to overrun', async () => {
  const orderId = await unknownOrder();
  // 9.80 were sent, for at most 0.57 a contract
  const done = await said(orderId, '17', '0.61', '5');
  expect(done.exitCode, done.stderr + done.stdout).toBe(0);
  const order = await tenant.read(orderId);
  expect(order).toMatchObject({
    transmissionState: 'resolved',
    filledQuantity: 17,
    operatorMoney: { tradeAmount: '9.80', venueFee: '0.00', platformFee: '0.20', actualDebit: '10.00' },
  });
  // 10.37 and a fee of 0.05 against 9.80
  expect(await overrun()).toBe(62n);
  expect(await evidence(orderId)).toEqual(['beyond_limit', 'overrun', 'person']);
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.9
test('a quantity above the one that was sent is recorded, and what it cost beyond goes to overrun', async () => {
  const orderId = await unknownOrder();
  const done = await said(orderId, '30', '0.57');
  expect(done.exitCode, done.stderr + done.stdout).toBe(0);
  expect(await tenant.read(orderId)).toMatchObject({
    status: 'filled',
    filledQuantity: 30,
    operatorMoney: { tradeAmount: '9.80', actualDebit: '10.00' },
  });
  expect(await overrun()).toBe(1710n - 980n);
  expect(await evidence(orderId)).toEqual(['beyond_quantity', 'overrun', 'person']);
});

// contract 18.9
test('a silent order of which less was filled keeps that much, and the rest is released', async () => {
  const orderId = await unknownOrder();
  const done = await said(orderId, '5', '0.57');
  expect(done.exitCode, done.stderr + done.stdout).toBe(0);
  expect(await tenant.read(orderId)).toMatchObject({
    status: 'partially_filled',
    transmissionState: 'resolved',
    filledQuantity: 5,
    operatorMoney: { tradeAmount: '2.85', platformFee: '0.06', actualDebit: '2.91', releaseAmount: '7.09' },
  });
  expect(await overrun()).toBe(0n);
  expect(await evidence(orderId)).toEqual(['person']);
  expect(await tenant.audit()).toEqual([]);
});

// contract 18.10
test('a sell below its limit, and of more than it had, delivers what was held and no more', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order);
  const bought = await tenant.place('ben', LIVE, { stake: 100 });
  expect(bought.body.status, bought.text).toBe('filled');
  const orderId = await unknownOrder('ben', { action: 'sell', stake: undefined, contracts: 20 });
  const done = await said(orderId, '25', '0.40', '3');
  expect(done.exitCode, done.stderr + done.stdout).toBe(0);
  expect(await tenant.read(orderId)).toMatchObject({
    status: 'filled',
    filledQuantity: 20,
    operatorExitMoney: { sellProceeds: '7.81', venueFee: '0.03', platformFee: '0.16' },
  });
  // five contracts at 0.40 that no position delivered
  expect(await overrun()).toBe(-200n);
  expect(await evidence(orderId)).toEqual(['beyond_limit', 'overrun', 'person']);
  const [held] = await live.sql<{ held: bigint }[]>`
    select held_quantity_micros as held from positions where operator_id = ${tenant.operator.operatorId} and status = 'open'`;
  expect(held?.held).toBe(0n);
});

// contract 18.10
test('a sell that a person resolves beyond its quantity leaves the report ok, with one warning', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order);
  const bought = await tenant.place('eve', LIVE, { stake: 100 });
  expect(bought.body.status, bought.text).toBe('filled');
  const orderId = await unknownOrder('eve', { action: 'sell', stake: undefined, contracts: 40 });
  const done = await said(orderId, '60', '0.90');
  expect(done.exitCode, done.stderr + done.stdout).toBe(0);
  expect(await overrun()).toBe(-1800n);
  const report = await runReport(live.sql, tenant.operator.operatorId);
  expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([
    expect.objectContaining({ check: 'venue_evidence', severity: 'warning', subjectId: orderId }),
  ]);
  expect(report.ok).toBe(true);
});

test('input that cannot be is refused, and nothing is recorded', async () => {
  const orderId = await unknownOrder();
  const before = await tenant.read(orderId);
  for (const [filled, price, fee] of [
    ['-1', '0.5', '0'],
    ['1', '1.45', '0'],
    ['1', '0', '0'],
    ['1', '1', '0'],
    ['1', '-0.5', '0'],
    ['1', 'much', '0'],
    ['some', '0.5', '0'],
    ['1', '0.5', '-1'],
    ['1.0000001', '0.5', '0'],
    ['100000000000', '0.5', '0'],
  ] as const) {
    const refused = await said(orderId, filled, price, fee);
    expect([filled, price, fee, refused.exitCode]).toEqual([filled, price, fee, 2]);
  }
  for (const blank of ['', '   ']) {
    expect((await resolve(orderId, '--rejected', '--evidence', blank)).exitCode).toBe(2);
  }
  const lonelyFee = await said(orderId, '0', '0.5', '7');
  expect([lonelyFee.exitCode, lonelyFee.json.error]).toEqual([1, 'contradicts_fills']);
  expect(await tenant.read(orderId)).toEqual(before);
  expect(await evidence(orderId)).toEqual([]);
  expect((await resolve(orderId, '--rejected', '--evidence', 'never received')).exitCode).toBe(0);
  expect((await tenant.read(orderId)).status).toBe('rejected');
});

test('less than is recorded is refused, and so is a rejection of what was filled', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order, null);
  const placed = await tenant.place('cat', LIVE);
  const { orderId } = placed.body;
  const before = await until(
    () => tenant.read(orderId),
    (order) => order.filledQuantity > 1,
  );
  for (const refused of [
    await said(orderId, '1', '0.5'),
    await resolve(orderId, '--rejected', '--evidence', 'ticket 1'),
  ]) {
    expect([refused.exitCode, refused.json.error]).toEqual([1, 'contradicts_fills']);
  }
  expect(await tenant.read(orderId)).toEqual(before);
  expect(await evidence(orderId)).toEqual([]);
  const done = await said(orderId, String(before.filledQuantity), '0.57', '4');
  expect(done.exitCode, done.stdout).toBe(0);
  expect((await tenant.read(orderId)).operatorMoney).toMatchObject({ venueFee: '0.04', venueFeeKnown: true });
});

test('an order of which nothing is unknown is a refusal', async () => {
  live.venue.script = (order, venue) => venue.fillWhole(order);
  const placed = await tenant.place('dan', LIVE);
  expect(placed.body.status).toBe('filled');
  const refused = await said(placed.body.orderId, '1', '0.5');
  expect([refused.exitCode, refused.json.error]).toEqual([1, 'order_not_unknown']);
  expect(await evidence(placed.body.orderId)).toEqual([]);
});

test('with approval, what was learned is recorded by a second person, unless it was answered meanwhile', async () => {
  const approval = async (orderId: string): Promise<string> => {
    const { approvalId } = (await said(orderId, '17', '0.57')).json;
    await askedByAnother(live.database.ownerUrl, approvalId);
    return approvalId;
  };
  await inlay('approvals', 'required', '--set', 'order_resolution', '--json');
  try {
    const orderId = await unknownOrder();
    const approvalId = await approval(orderId);
    expect(await tenant.read(orderId)).toMatchObject({ transmissionState: 'unknown' });
    const done = await inlay('approvals', 'approve', approvalId, '--yes', '--json');
    expect(done.exitCode, done.stderr + done.stdout).toBe(0);
    expect(await tenant.read(orderId)).toMatchObject({ transmissionState: 'resolved', filledQuantity: 17 });
    const [row] = await live.sql<{ raw: unknown }[]>`
      select raw from venue_evidence where order_id = ${orderId} and kind = 'person'`;
    expect(JSON.stringify(row?.raw)).toContain(`ticket 4711 (approved by ${SERVICE_ROLE}, ${approvalId})`);

    // answered while the request waited: it is no longer unknown
    const other = await unknownOrder('ben');
    const late = await approval(other);
    await live.sql`delete from approval_kinds`;
    expect((await resolve(other, '--rejected', '--evidence', 'ticket 4712')).exitCode).toBe(0);
    const refused = await inlay('approvals', 'approve', late, '--yes', '--json');
    expect([refused.exitCode, refused.json.error]).toEqual([1, 'order_not_unknown']);
    expect(await tenant.audit()).toEqual([]);
  } finally {
    await live.sql`delete from approval_kinds`;
  }
});
