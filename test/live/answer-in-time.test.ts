/**
 * Who sent an order records the answer by what it knows, without a read. Whatever came in between is seen by the statement, which
 * asks for a new decision: another report of the same order, or books that lost the sending.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemTicks } from '../../src/core/time.ts';
import type { Sql } from '../../src/db/client.ts';
import { listWaiting, type WaitingOrder } from '../../src/trading/execution/attempts.ts';
import {
  begunContext,
  createRecordPorts,
  type RecordPorts,
  recordExecution,
} from '../../src/trading/execution/record-execution.ts';
import { transmitOrder } from '../../src/trading/execution/transmit-order.ts';
import type { VenueOrder } from '../../src/venues/port.ts';
import { OPEN_GATE, onlyVenues } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
let sql: Sql;
let reads = 0;

beforeAll(async () => {
  live = await openLive({ job: false });
  sql = live.sql;
});
beforeEach(async () => {
  tenant = await live.tenant();
  live.venue.script = (order) => live.venue.fillWhole(order);
  reads = 0;
});
afterAll(() => live.close());

/** A confirmed buy that only has to be sent. */
async function waiting(): Promise<WaitingOrder> {
  const { orderId } = (await tenant.place('ana')).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return (await listWaiting(sql, 1_000)).find((one) => one.orderId === orderId) as WaitingOrder;
}

function counting(): RecordPorts {
  const ports = createRecordPorts(sql);
  return {
    ...ports,
    readExecutionContext: (key) => {
      reads += 1;
      return ports.readExecutionContext(key);
    },
  };
}

async function transmit(order: WaitingOrder): Promise<void> {
  const { board, clock, log } = live.context;
  const venues = onlyVenues(live.venue);
  await transmitOrder({ ...counting(), board, clock, gate: OPEN_GATE, ticks: systemTicks, log, venues }, order);
}

test('an answer in time is recorded without a read', async () => {
  const order = await waiting();
  await transmit(order);
  expect(reads).toBe(0);
  expect(await tenant.read(order.orderId)).toMatchObject({ status: 'filled', transmissionState: 'resolved' });
  expect(await tenant.audit()).toEqual([]);
});

test('an answer after another report is held against what that one recorded: each fill is booked once', async () => {
  const order = await waiting();
  live.venue.script = async (sent) => {
    live.venue.accept(sent, [1_000_000n], 'working');
    const early = { from: 'venue', order: live.venue.orders.get(sent.ourId) as VenueOrder } as const;
    await recordExecution(createRecordPorts(sql), order.operatorId, order.orderId, 'live', early);
    expect((await tenant.read(order.orderId)).filledQuantity).toBe(1);
    return live.venue.accept(sent, [1_000_000n, 2_000_000n], 'closed');
  };
  await transmit(order);
  expect(reads).toBe(1);
  expect(await tenant.read(order.orderId)).toMatchObject({ status: 'partially_filled', filledQuantity: 3 });
  expect((await tenant.events(order.orderId)).filter((type) => type === 'order.filled')).toHaveLength(2);
  expect(await tenant.audit()).toEqual([]);
});

test('an answer that contradicts the order is evidence and leaves it open, without a read as well', async () => {
  const order = await waiting();
  live.venue.script = (sent) => live.venue.accept(sent, [sent.quantityMicros + 10_000n], 'closed');
  await transmit(order);
  expect(reads).toBe(0);
  expect(await tenant.read(order.orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  const kinds = await sql`select kind from venue_evidence where order_id = ${order.orderId}`;
  expect(kinds).toEqual([{ kind: 'impossible_quantity' }]);
});

/** What a process knows of an order whose attempt the books have lost since, at the version that they have reached again. */
async function answerTo(order: WaitingOrder, fills: readonly bigint[]) {
  const listingId = 'some-listing';
  const side = order.side;
  const sent = { ourId: `att_${order.orderId}`, listingId, side, action: 'BUY', quantityMicros: 5_000_000n } as const;
  const attempt = { ...sent, limitPriceMicros: 990_000n, spendMicros: null };
  const toPlace = { ...sent, limitPriceMicros: 990_000n, expiresAt: new Date() };
  live.venue.accept(toPlace, fills, 'closed');
  const report = { from: 'venue', order: live.venue.orders.get(sent.ourId) as VenueOrder } as const;
  const { operatorId, orderId } = order;
  return recordExecution(counting(), operatorId, orderId, 'live', report, begunContext(order, attempt));
}

test('an answer to an attempt that the books lost changes nothing of an order that was withdrawn since', async () => {
  const order = await waiting();
  expect((await tenant.cancel(order.orderId)).status).toBe(200);
  const before = await tenant.read(order.orderId);
  const [{ version } = { version: 0n }] = await sql<{ version: bigint }[]>`
    select version from orders where order_id = ${order.orderId}`;
  expect(version).toBe(order.version + 1n);
  expect(await answerTo(order, [1_000_000n])).toBeNull();
  expect(reads).toBe(1);
  expect(await tenant.read(order.orderId)).toEqual(before);
  expect(await tenant.audit()).toEqual([]);
});

test('nor of an order that still waits to be sent: such an answer does not end it', async () => {
  const order = await waiting();
  await sql`update orders set version = version + 1 where order_id = ${order.orderId}`;
  expect(await answerTo(order, [])).toBeNull();
  expect(await tenant.read(order.orderId)).toMatchObject({ status: 'pending_venue_execution' });
});
