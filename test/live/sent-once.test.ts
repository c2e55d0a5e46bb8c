/** What is sent to a venue is sent once, and what certainly never arrived there is released at once. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaper } from '../../src/venues/paper/paper.ts';
import { PAPER_TOKEN } from '../paper/support.ts';
import { copyDatabase } from '../support/database.ts';
import { sendOrder } from '../support/live-paper.ts';
import { OPEN_GATE } from '../support/scripted-venue.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive, openWorld } from '../support/world.ts';
import { type Running, someListing, startVenue } from '../venues/support.ts';

let live: Live;
let paper: Running;
let tenant: Tenant;
let marketId: string;
let user = 0;

beforeAll(async () => {
  live = await openLive({ job: false });
  paper = await startVenue();
  const listingId = someListing(paper.venue);
  await paper.control('book', { listingId, bids: [['0.55', '100000']], asks: [['0.57', '100000']] });
  marketId = (await live.openMarket('paper', undefined, { listingId })).contractId;
  tenant = await live.tenant();
});
afterAll(async () => {
  await paper.close();
  await live.close();
});

/** An order with its reserve confirmed, that only has to be sent. */
async function waiting(): Promise<string> {
  user += 1;
  const { orderId } = (await tenant.place(`player-${user}`, {}, { marketId })).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  return orderId;
}

async function attemptOf(orderId: string) {
  const [row] = await live.sql<{ state: string; notSent: string | null }[]>`
    select state, not_sent from transmissions where order_id = ${orderId}`;
  return row;
}

// contract 18.4, contract 18.5
test('a database that lost the sending of an order sends it again as the same order, and it is bought once', async () => {
  const orderId = await waiting();
  const earlier = await copyDatabase(live.database);
  const restored = await openWorld({ database: earlier });
  try {
    await sendOrder(live, paper.adapter, orderId);
    expect(await tenant.read(orderId)).toMatchObject({ status: 'filled', rejectReason: null });
    await sendOrder(restored, paper.adapter, orderId);
    const [again] =
      await earlier.sql`select status, filled_quantity_micros, debit_minor from orders where order_id = ${orderId}`;
    const [first] = await live.sql`
      select status, filled_quantity_micros, debit_minor from orders where order_id = ${orderId}`;
    expect(again).toEqual(first);
    const [, body] = orderId.split('_');
    const there = [...paper.venue.orderBook.orders.values()].filter(({ ourId }) => ourId.includes(body ?? 'none'));
    expect(there).toMatchObject([{ arrivals: 2, fills: [{}] }]);
    expect(paper.venue.orderBook.orders.size).toBe(1);
  } finally {
    await restored.close();
    await earlier.close();
  }
});

test('an order whose sending the books lost is not released because it was not sent again', async () => {
  const orderId = await waiting();
  const earlier = await copyDatabase(live.database);
  const restored = await openWorld({ database: earlier });
  try {
    await sendOrder(live, paper.adapter, orderId);
    expect(await tenant.read(orderId)).toMatchObject({ status: 'filled' });
    let calls = 0;
    const heldUp = () => (calls++ === 0 ? 0 : 60_000);
    const gate = { ...OPEN_GATE, booksAreCompared: async () => false };
    await sendOrder(restored, paper.adapter, orderId, heldUp, gate);
    const [again] = await earlier.sql`
      select o.status, t.state, t.not_sent from orders o join transmissions t using (operator_id, order_id)
      where order_id = ${orderId}`;
    expect(again).toEqual({ status: 'submitted', state: 'unknown', notSent: null });
  } finally {
    await restored.close();
    await earlier.close();
  }
});

/** A venue that answers every order alike; the answers are HTTP and nothing else of it is there. */
async function answering(
  status: number,
  body = '{"error":"no"}',
): Promise<{ server: Server; url: string; orders: () => number }> {
  let orders = 0;
  const server = createServer((request, response) => {
    request.resume();
    orders += request.method === 'POST' ? 1 : 0;
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, orders: () => orders };
}

const RELEASED = {
  status: 'rejected',
  rejectReason: 'venue_unavailable',
  transmissionState: 'resolved',
  operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' },
};

// contract 18.6
test.each([401, 403, 425, 429])(
  'an order that the venue refused to look at (%i) is released at once',
  async (status) => {
    const { server, url, orders } = await answering(status);
    const venue = openPaper('paper', async () => url, PAPER_TOKEN);
    const orderId = await waiting();
    await sendOrder(live, venue, orderId);
    expect(orders()).toBe(1);
    expect(await tenant.read(orderId)).toMatchObject(RELEASED);
    expect(await attemptOf(orderId)).toEqual({ state: 'done', notSent: `POST: status ${status}` });
    expect(await tenant.audit()).toEqual([]);
    await venue.close();
    server.close();
  },
);

// contract 18.6, contract 18.7
test.each([401, 403, 404, 425, 429])(
  'a page with status %i in front of the venue proves nothing, and the order stays held',
  async (status) => {
    const { server, url } = await answering(status, '<html><body>Blocked.</body></html>');
    const venue = openPaper('paper', async () => url, PAPER_TOKEN);
    const orderId = await waiting();
    await sendOrder(live, venue, orderId);
    expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
    expect(await attemptOf(orderId)).toEqual({ state: 'unknown', notSent: null });
    expect(await tenant.audit()).toEqual([]);
    await venue.close();
    server.close();
  },
);

// contract 18.6
test('an order whose connection never came about is released at once', async () => {
  const { server, url } = await answering(200);
  await new Promise((resolve) => server.close(resolve));
  const venue = openPaper('paper', async () => url, PAPER_TOKEN);
  const orderId = await waiting();
  await sendOrder(live, venue, orderId);
  expect(await tenant.read(orderId)).toMatchObject(RELEASED);
  expect((await attemptOf(orderId))?.notSent).toContain('ECONNREFUSED');
  expect(await tenant.audit()).toEqual([]);
  await venue.close();
});

// contract 18.6
test('a connection that broke after the order was written is unknown, and stays held', async () => {
  const server = createServer((request) => request.on('data', () => request.socket.resetAndDestroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const venue = openPaper(
    'paper',
    async () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PAPER_TOKEN,
  );
  const orderId = await waiting();
  await sendOrder(live, venue, orderId);
  expect(await tenant.read(orderId)).toMatchObject({ status: 'submitted', transmissionState: 'unknown' });
  expect(await attemptOf(orderId)).toEqual({ state: 'unknown', notSent: null });
  await venue.close();
  server.close();
});

test('a sender that was held up between its record and the wire sends nothing', async () => {
  const before = paper.venue.orderBook.orders.size;
  const orderId = await waiting();
  let calls = 0;
  // held up for a minute right after the attempt was planned
  await sendOrder(live, paper.adapter, orderId, () => (calls++ === 0 ? 0 : 60_000));
  expect(paper.venue.orderBook.orders.size).toBe(before);
  expect(await tenant.read(orderId)).toMatchObject(RELEASED);
  expect(await attemptOf(orderId)).toEqual({ state: 'done', notSent: 'POST: too late to be sent' });
  expect(await tenant.audit()).toEqual([]);
});
