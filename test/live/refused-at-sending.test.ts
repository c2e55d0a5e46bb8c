/**
 * What changed after an order was found to be due is asked once more by the statement that begins its sending, under the
 * locks: a pause, a suspension, a cap or a shut gate that comes in between sends nothing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemTicks } from '../../src/core/time.ts';
import { listWaiting, type WaitingOrder } from '../../src/trading/execution/attempts.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { transmitOrder } from '../../src/trading/execution/transmit-order.ts';
import { OPEN_GATE, onlyVenues } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let markets = 0;
beforeAll(async () => {
  live = await openLive({ job: false });
});
afterAll(() => live.close());

interface Due {
  readonly tenant: Tenant;
  readonly contractId: string;
  readonly order: WaitingOrder;
}

/** A confirmed buy for 10.00 on a market of its own, as the job has just listed it. */
async function due(): Promise<Due> {
  const { sql } = live;
  const tenant = await live.tenant();
  markets += 1;
  const { contractId } = await live.openMarket(`sending-${markets}`);
  const { orderId } = (await tenant.place('ana', {}, { marketId: contractId })).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  const order = (await listWaiting(sql, 1_000)).find((one) => one.orderId === orderId) as WaitingOrder;
  expect(order).toMatchObject({ withdraw: null });
  return { tenant, contractId, order };
}

async function transmit(order: WaitingOrder) {
  const { sql, board, clock, log } = live.context;
  await transmitOrder(
    {
      ...createRecordPorts(sql),
      board,
      clock,
      gate: OPEN_GATE,
      ticks: systemTicks,
      log,
      venues: onlyVenues(live.venue),
    },
    order,
  );
  const [row] = await sql`select status, cancel_reason from orders where order_id = ${order.orderId}`;
  return { row, sent: await live.sentOf(order.orderId) };
}

type Breach = readonly [reason: string, what: string, breach: (due: Due) => Promise<unknown>];
const contract = (change: Record<string, unknown>) => (one: Due) =>
  live.sql`update contracts set ${live.sql(change as never)} where contract_id = ${one.contractId}`;
const operator = (column: string, value: unknown) => (one: Due) => one.tenant.set(column, value);

const WITHDRAWN: readonly Breach[] = [
  ['operator_suspended', 'the operator was suspended', operator('status', 'suspended')],
  [
    'user_suspended',
    'the customer was suspended',
    ({ tenant }) =>
      live.sql`update customers set status = 'suspended' where operator_id = ${tenant.operator.operatorId}`,
  ],
  ['market_not_open', 'the market was to close', contract({ closes_at: new Date(0) })],
  ['market_not_open', 'the market stopped trading', contract({ trading_closed: true })],
  [
    'market_not_open',
    'the market was resolved',
    ({ contractId }) => live.sql`select * from decide_market(${contractId}, 'resolve', 'YES', null)`,
  ],
  ['trading_paused', 'the operator paused trading', operator('trading_paused', true)],
  ['market_unavailable', 'the service operator paused the market', contract({ operator_paused: true })],
  ['over_order_limit', 'the cap of one order was lowered', operator('max_order_minor', 999)],
  ['over_tenant_exposure', "the cap on a customer's exposure was lowered", operator('player_exposure_minor', 999)],
  ['over_tenant_exposure', 'the cap on all exposure was lowered', operator('total_exposure_minor', 999)],
];

test.each(WITHDRAWN)('withdrawn unsent with %s: %s after it was listed', async (reason, _, breach) => {
  const one = await due();
  await breach(one);
  const { row, sent } = await transmit(one.order);
  expect(row).toEqual({ status: 'cancelled', cancelReason: reason });
  expect(sent).toEqual([]);
  expect(await one.tenant.audit()).toEqual([]);
});

const LEFT: readonly Breach[] = [
  ['waits', 'the venue halted the market', contract({ status: 'paused' })],
  ['waits', 'the account gate was shut', operator('execution_confirmed', false)],
  [
    'waits',
    'the order was disarmed',
    ({ order }) => live.sql`update orders set armed = false where order_id = ${order.orderId}`,
  ],
];

test.each(LEFT)('%s unsent: %s after it was listed', async (_, __, breach) => {
  const one = await due();
  await breach(one);
  const { row, sent } = await transmit(one.order);
  expect(row).toEqual({ status: 'pending_venue_execution', cancelReason: null });
  expect(sent).toEqual([]);
  expect(await one.tenant.audit()).toEqual([]);
});

test('sent where nothing changed, and at the caps exactly', async () => {
  const { tenant, order } = await due();
  await tenant.set('max_order_minor', 1_000);
  await tenant.set('player_exposure_minor', 1_000);
  await tenant.set('total_exposure_minor', 1_000);
  const { row, sent } = await transmit(order);
  expect(row).toEqual({ status: 'filled', cancelReason: null });
  expect(sent).toHaveLength(1);
  expect(await tenant.audit()).toEqual([]);
});
