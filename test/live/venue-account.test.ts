/** Our account at a venue is compared with the books: what may be booked is booked, and everything else is critical. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runReport } from '../../src/reconciliation/report.ts';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { copyDatabase, type TestDatabase } from '../support/database.ts';
import { lookUp, sendOrder } from '../support/live-paper.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { type Live, openLive, openWorld } from '../support/world.ts';
import { type Running, someListing, startVenue } from '../venues/support.ts';

let live: Live;
let paper: Running;
let tenant: Tenant;
let marketId: string;
let listingId: string;
let user = 0;

beforeAll(async () => {
  live = await openLive({ job: false });
  paper = await startVenue();
  listingId = someListing(paper.venue);
  await paper.control('book', { listingId, bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  marketId = (await live.openMarket('paper', undefined, { listingId })).contractId;
  tenant = await live.tenant();
  // before the first comparison nothing there is ours
  await compare();
});
afterAll(async () => {
  await paper.close();
  await live.close();
});

const compare = (service = live) =>
  compareAccount({ ...createRecordPorts(service.sql), log: service.context.log }, paper.adapter, 0, 0);

async function waiting(): Promise<string> {
  user += 1;
  const { orderId } = (await tenant.place(`player-${user}`, {}, { marketId })).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

const criticalOf = async (database: TestDatabase, operatorId = tenant.operator.operatorId) =>
  (await runReport(database.sql, operatorId)).findings.filter(({ severity }) => severity === 'critical');

test('a fill of an order that was given up is found, and the report is no longer ok', async () => {
  const orderId = await waiting();
  await paper.control('next', { listingId, script: 'working:never' });
  await sendOrder(live, paper.adapter, orderId);
  // given up by a mistake that nothing in the books shows
  await live.sql`update transmissions set not_sent = 'a wrong proof', next_lookup_at = now() where order_id = ${orderId}`;
  await lookUp(live, paper.adapter, orderId);
  expect((await tenant.read(orderId)).status).toBe('rejected');
  expect(await criticalOf(live.database)).toEqual([]);
  const [order] = [...paper.venue.orderBook.orders.values()].filter(({ state }) => state === 'working');
  expect(await compare()).toMatchObject([{ kind: 'still_working', orderId }]);
  await fillAtVenue(order?.ourId ?? '');
  // what came of it is not in the books either
  expect(await compare()).toMatchObject([
    { kind: 'late_fill', orderId },
    { kind: 'position', subject: listingId, raw: { ours: 0n } },
    { kind: 'cash' },
  ]);
  expect(await criticalOf(live.database)).toMatchObject([
    {
      check: 'venue_agreement',
      severity: 'critical',
      detail: expect.stringContaining('late fill'),
      subjectId: orderId,
    },
  ]);
  tenant = await live.tenant();
});

/** The order fills at the venue, whatever anybody thinks. */
async function fillAtVenue(ourId: string): Promise<void> {
  const order = paper.venue.orderBook.orders.get(ourId);
  if (order === undefined) {
    throw new Error('no such order');
  }
  order.fills.push({ fillId: `${ourId}-late`, quantity: order.quantity, price: 560_000, fee: 0, at: Date.now() });
  order.state = 'closed';
  paper.venue.orderBook.record(order);
}

test('a late fill of an attempt that is still open is booked by the look-up that it causes', async () => {
  const orderId = await waiting();
  await paper.control('next', { listingId, script: 'working:never' });
  await sendOrder(live, paper.adapter, orderId);
  const job = await live.startJob(paper.adapter);
  try {
    await live.sql`update transmissions set next_lookup_at = now() + interval '1 hour' where order_id = ${orderId}`;
    const [, body] = orderId.split('_');
    await fillAtVenue(`att_${body}`);
    await until(
      () => tenant.read(orderId),
      (order) => order.status === 'filled',
      30_000,
    );
  } finally {
    await job.close();
  }
}, 60_000);

test('an order that is filled whole is no finding while the venue still calls it working', async () => {
  const orderId = await waiting();
  await sendOrder(live, paper.adapter, orderId);
  await until(
    () => tenant.read(orderId),
    (order) => order.status === 'filled',
  );
  const order = paper.venue.orderBook.orders.get(`att_${orderId.split('_')[1]}`);
  if (order === undefined) {
    throw new Error('no such order');
  }
  order.state = 'working';
  paper.venue.orderBook.record(order);
  expect((await compare()).filter((difference) => difference.orderId === orderId)).toEqual([]);
});

test('an order that is not ours is a finding that doctor reports', async () => {
  const foreign: OrderToPlace = {
    ourId: 'somebody-else',
    listingId,
    side: 'YES',
    action: 'BUY',
    quantityMicros: 10_000_000n,
    limitPriceMicros: 600_000n,
    expiresAt: new Date(Date.now() + 5_000),
  };
  await paper.adapter.placeOrder(foreign, () => true);
  const differences = (await compare()).filter(({ kind }) => kind.startsWith('foreign_'));
  expect(differences.map(({ kind, operatorId }) => [kind, operatorId])).toEqual([
    ['foreign_order', null],
    ['foreign_fill', null],
  ]);
  const rows = await live.sql`select kind from venue_findings 
    where cleared_at is null and operator_id is null and kind like 'foreign%'`;
  expect(rows).toHaveLength(2);
  expect(await criticalOf(live.database)).toEqual([]);
});

test('a worker that starts on a restored database takes over what the venue has, before it sends anything', async () => {
  const orderId = await waiting();
  const earlier = await copyDatabase(live.database);
  const restored = await openWorld({ database: earlier });
  try {
    await sendOrder(live, paper.adapter, orderId);
    const first = await tenant.read(orderId);
    expect(first.status).toBe('filled');
    const job = await restored.startJob(paper.adapter);
    const read = async () =>
      (
        await earlier.sql`select status, filled_quantity_micros, debit_minor from orders where order_id = ${orderId}`
      )[0];
    const again = await until(read, (order) => order?.['status'] === 'filled', 30_000);
    await job.close();
    const [truth] = await live.sql`
      select status, filled_quantity_micros, debit_minor from orders where order_id = ${orderId}`;
    expect(again).toEqual(truth);
    const [, body] = orderId.split('_');
    expect(paper.venue.orderBook.orders.get(`att_${body}`)).toMatchObject({ arrivals: 1 });
    expect(await criticalOf(earlier)).toEqual([]);
  } finally {
    await restored.close();
    await earlier.close();
  }
}, 60_000);
