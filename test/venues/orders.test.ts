/** Orders through the adapter: what is decided, what stays unknown, and what only a look-up tells. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaper } from '../../src/venues/paper/paper.ts';
import { type OrderToPlace, VenueUnknown } from '../../src/venues/port.ts';
import { askVenue, PAPER_TOKEN } from '../paper/support.ts';
import { until } from '../support/until.ts';
import { type Running, someListing, startVenue } from './support.ts';

let running: Running;
let listingId: string;
let count = 0;
const always = () => true;

beforeAll(async () => {
  running = await startVenue();
  listingId = someListing(running.venue);
  await running.control('book', { listingId, bids: [['0.55', '1000']], asks: [['0.6', '10'], ['0.65']] });
});
afterAll(() => running.close());

function order(rest: Partial<OrderToPlace> = {}): OrderToPlace {
  count += 1;
  return {
    ourId: `ours-${count}`,
    listingId,
    side: 'YES',
    action: 'BUY',
    quantityMicros: 20_000_000n,
    limitPriceMicros: 700_000n,
    expiresAt: new Date(Date.now() + 5_000),
    ...rest,
  };
}

const next = (script: string) => running.control('next', { listingId, script });

describe('an order through the adapter', () => {
  test('is accepted with a fill a level, and is found by our id', async () => {
    const placed = order();
    const answer = await running.adapter.placeOrder(placed, always);
    expect(answer).toMatchObject({
      outcome: 'accepted',
      order: {
        state: 'closed',
        fills: [
          { quantityMicros: 10_000_000n, priceMicros: 600_000n, feeMicros: 0n },
          { quantityMicros: 10_000_000n, priceMicros: 650_000n, feeMicros: 0n },
        ],
      },
    });
    expect(await running.adapter.findOrder(placed.ourId)).toEqual({
      outcome: 'found',
      order: answer.outcome === 'accepted' ? answer.order : null,
    });
    expect(await running.adapter.fills(placed.ourId)).toHaveLength(2);
  });

  test('keeps to the bound on cost', async () => {
    await running.control('fee', { listingId, bps: 100 });
    const answer = await running.adapter.placeOrder(order({ maxCostMicros: 6_060_000n }), always);
    expect(answer).toMatchObject({ order: { fills: [{ quantityMicros: 10_000_000n, feeMicros: 60_000n }] } });
    await running.control('fee', { listingId, bps: 0 });
  });

  test('is refused in the words of the venue', async () => {
    await next('reject:self_trade');
    expect(await running.adapter.placeOrder(order(), always)).toMatchObject({
      outcome: 'rejected',
      reason: 'self_trade',
    });
    const expired = order({ expiresAt: new Date(Date.now() - 1) });
    expect(await running.adapter.placeOrder(expired, always)).toMatchObject({ outcome: 'rejected', reason: 'expired' });
    const odd = order({ listingId: 'nowhere' });
    expect(await running.adapter.placeOrder(odd, always)).toMatchObject({
      outcome: 'rejected',
      reason: 'unknown_listing',
    });
  });

  test('reads a partial fill and an order left working', async () => {
    await next('partial:0.5');
    expect(await running.adapter.placeOrder(order(), always)).toMatchObject({
      order: { state: 'closed', fills: [{ quantityMicros: 10_000_000n }] },
    });
    await next('working:100');
    const working = order();
    expect(await running.adapter.placeOrder(working, always)).toMatchObject({ order: { state: 'working', fills: [] } });
    await until(async () => expect(await running.adapter.fills(working.ourId)).toHaveLength(2));
    await next('working:never');
    const resting = order();
    await running.adapter.placeOrder(resting, always);
    expect(await running.adapter.cancelOrder(resting.ourId)).toMatchObject({ order: { state: 'closed', fills: [] } });
  });

  test.each(['reset', 'error', 'garbage'])('is unknown after a %s, and a look-up knows', async (script) => {
    await next(script);
    const placed = order();
    await expect(running.adapter.placeOrder(placed, always)).rejects.toMatchObject({
      name: 'VenueUnknown',
      notTaken: false,
    });
    expect(await running.adapter.findOrder(placed.ourId)).toMatchObject({
      outcome: 'found',
      order: { state: 'closed' },
    });
  });

  // contract 33.2
  test('is unknown after a time-out; silence leaves the look-up unanswered, forgetting denies it', {
    timeout: 30_000,
    tags: 'proof',
  }, async () => {
    await next('timeout');
    await next('silence');
    await next('forget');
    const orders = [order(), order(), order()];
    const answers = await Promise.allSettled(orders.map((one) => running.adapter.placeOrder(one, always)));
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason instanceof VenueUnknown)).toEqual([
      true,
      true,
      true,
    ]);
    const [timeout, silence, forget] = orders.map((one) => one.ourId);
    expect(await running.adapter.findOrder(timeout ?? '')).toMatchObject({ order: { fills: [{}, {}] } });
    await expect(running.adapter.findOrder(silence ?? '')).rejects.toBeInstanceOf(VenueUnknown);
    expect(await running.adapter.findOrder(forget ?? '')).toEqual({ outcome: 'not_found' });
    await expect(running.adapter.fills(silence ?? '')).rejects.toBeInstanceOf(VenueUnknown);
    expect(await running.adapter.fills(forget ?? '')).toEqual([]);
    const record = await (await askVenue(running.venue.url, '/v1/orders')).json();
    expect(record.orders.map((one: { ourId: string }) => one.ourId)).toEqual(
      expect.arrayContaining([timeout, silence, forget]),
    );
    await running.control('speak', {});
    expect(await running.adapter.findOrder(silence ?? '')).toMatchObject({ order: { fills: [{}, {}] } });
  });

  test('says the same fills twice, under the same ids', async () => {
    await next('twice');
    const answer = await running.adapter.placeOrder(order(), always);
    const ids = answer.outcome === 'accepted' ? answer.order.fills.map((fill) => fill.fillId) : [];
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
  });

  // contract 33.3
  test('stays without a fee until the venue knows it', async () => {
    await running.control('fee', { listingId, bps: null });
    expect(await running.adapter.feeSchedule(listingId)).toEqual({ model: 'of_cost', bps: 1_000, known: false });
    const placed = order({ quantityMicros: 10_000_000n });
    expect(await running.adapter.placeOrder(placed, always)).toMatchObject({ order: { fills: [{ feeMicros: null }] } });
    await running.control('fee', { listingId, bps: 25 });
    expect(await running.adapter.fills(placed.ourId)).toMatchObject([{ feeMicros: 15_000n }]);
    await running.control('fee', { listingId, bps: 0 });
  });

  test('places two thousand, two hundred at a time (a few thousand a second on an idle machine)', {
    timeout: 120_000,
    tags: 'proof',
  }, async () => {
    // more at once would wait past the time that an order has for its answer, where others use the machine too
    for (let placed = 0; placed < 2_000; placed += 200) {
      const reports = await Promise.all(Array.from({ length: 200 }, () => running.adapter.placeOrder(order(), always)));
      expect(reports.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    }
  });
});

describe('a venue that says impossible things', () => {
  test('is never believed: what it said comes out as evidence, and the outcome is unknown', async () => {
    let answer: object = {};
    const liar = createServer((request, response) => {
      request.resume();
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    const adapter = openPaper(
      'paper',
      async () => `http://127.0.0.1:${(liar.address() as AddressInfo).port}`,
      PAPER_TOKEN,
    );
    const good = await (await askVenue(running.venue.url, '/v1/orders/ours-1')).json();
    const [fill] = good.fills;
    const told = order({ ourId: 'ours-1' });
    answer = good;
    expect(await adapter.placeOrder(told, always)).toMatchObject({ outcome: 'accepted' });
    for (const lie of [
      { fills: [{ ...fill, quantity: '-1' }] },
      { fills: [{ ...fill, quantity: 1 }] },
      { fills: [{ ...fill, price: '1.01' }] },
      { fills: [{ ...fill, price: '0.1234567' }] },
      { ourId: 'not-ours' },
      { state: 'sleeping' },
      { surprise: true },
    ]) {
      answer = { ...good, ...lie };
      await expect(adapter.placeOrder(told, always)).rejects.toMatchObject({
        name: 'VenueUnknown',
        evidence: { about: 'order', raw: answer },
      });
    }
    await adapter.close();
    liar.close();
  });

  test('that is not there has certainly not been sent anything', async () => {
    const nobody = openPaper('paper', async () => 'http://127.0.0.1:1', PAPER_TOKEN);
    await expect(nobody.placeOrder(order(), always)).rejects.toMatchObject({ notTaken: true });
    const unknown = openPaper('paper', async () => undefined, PAPER_TOKEN);
    await expect(unknown.placeOrder(order(), always)).rejects.toMatchObject({ notTaken: true });
    await nobody.close();
  });
});
