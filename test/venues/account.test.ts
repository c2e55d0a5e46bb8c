/** The venue's own account of our fills, which its answers are held against. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openJournal } from '../../src/paper/journal.ts';
import { agreesWith, readCrossCheck } from '../../src/trading/execution/report.ts';
import type { OrderToPlace, VenueOrder } from '../../src/venues/port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type Running, someListing, startVenue } from './support.ts';

const folder = temporaryFolder('inlay-account');
let running: Running;
let listingId: string;
let count = 0;

beforeAll(async () => {
  running = await startVenue({ journal: () => openJournal(folder, 'paper') });
  listingId = someListing(running.venue);
  await running.control('book', { listingId, bids: [['0.55', '1000']], asks: [['0.6', '1000']] });
});
afterAll(async () => {
  await running.close();
  rmSync(folder, { recursive: true });
});

async function sell(): Promise<VenueOrder> {
  count += 1;
  const order: OrderToPlace = {
    ourId: `sold-${count}`,
    listingId,
    side: 'YES',
    action: 'SELL',
    quantityMicros: 20_000_000n,
    limitPriceMicros: 500_000n,
    expiresAt: new Date(Date.now() + 5_000),
  };
  const answer = await running.adapter.placeOrder(order, () => true);
  return answer.order as VenueOrder;
}

/** As the transmission weighs an exit: each fill that was told, against the account. */
async function agreement(told: VenueOrder) {
  const crossCheck = await readCrossCheck(running.adapter, told.ourId, { ...told, action: 'SELL' });
  return told.fills.map(({ fillId, ...fill }) => agreesWith(crossCheck, { ...fill, venueFillId: fillId }));
}

test('agrees with what was reported, also after a restart and a late fee', async () => {
  await running.control('fee', { listingId, bps: null });
  const told = await sell();
  expect(await agreement(told)).toEqual([true]);
  await running.control('fee', { listingId, bps: 100 });
  await running.restart();
  // the first question still goes to the old address, and no answer is no disagreement
  await until(async () => expect(await agreement(told)).toEqual([true]), 10_000);
  expect(await running.adapter.fills(told.ourId)).toMatchObject([{ feeMicros: 110_000n }]);
});

test('disagrees where the order tells another quantity or price than the account was booked', async () => {
  const { ourId } = await sell();
  const [fill] = running.venue.orderBook.orders.get(ourId)?.fills ?? [];
  if (fill === undefined) {
    throw new Error('nothing filled');
  }
  fill.quantity += 10_000;
  const found = await running.adapter.findOrder(ourId);
  if (found.outcome !== 'found') {
    throw new Error('not found');
  }
  expect(found.order.fills).toMatchObject([{ quantityMicros: 20_010_000n }]);
  expect(await agreement(found.order)).toEqual([false]);
});

test('says nothing of an order that it never received', async () => {
  expect(await running.adapter.fills('never-sent')).toEqual([]);
});
