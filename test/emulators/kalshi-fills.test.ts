/** Fills of an order at Kalshi: from its private stream where that says exactly what the response counts, and from the list otherwise. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PlaceAnswer } from '../../src/venues/port.ts';
import { until } from '../support/until.ts';
import { type KalshiExchange, kalshiOrder, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';

const TICKER = 'KXRAIN-1';
let exchange: KalshiExchange;
let following: { close(): void } | undefined;

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const lists = () => exchange.proxy.recorded.filter(({ path }) => path === '/portfolio/fills').length;
const place = (changes = {}) => exchange.venue.placeOrder(kalshiOrder(TICKER, changes), () => true);
const fillsOf = (answer: PlaceAnswer) =>
  answer.order?.fills.map(({ quantityMicros, priceMicros, feeMicros }) => ({ quantityMicros, priceMicros, feeMicros }));

/** What both ways must say of 20 contracts at 0.45 and 0.46. */
const FILLS = [
  { quantityMicros: 10_000_000n, priceMicros: 450_000n, feeMicros: 173_300n },
  { quantityMicros: 10_000_000n, priceMicros: 460_000n, feeMicros: 173_900n },
];

beforeEach(async () => {
  exchange = await openKalshiExchange();
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXRAIN', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({
    do: 'book',
    ticker: TICKER,
    yes: [['0.4000', '5000']],
    no: [
      ['0.5500', '10'],
      ['0.5400', '10000'],
    ],
  });
});
afterEach(async () => {
  following?.close();
  await exchange.close();
});

/** Until the stream reports: an order of one contract is then recorded without the list. */
async function follow(): Promise<void> {
  following = exchange.venue.account?.follow?.(() => {});
  await until(async () => {
    const before = lists();
    await place({ quantityMicros: 1_000_000n, limitPriceMicros: 470_000n, side: 'NO', action: 'SELL' });
    expect(lists()).toBe(before);
  });
  tell({
    do: 'book',
    ticker: TICKER,
    yes: [['0.4000', '5000']],
    no: [
      ['0.5500', '10'],
      ['0.5400', '10000'],
    ],
  });
}

test('without a stream the list is read', async () => {
  const answer = await place();
  expect(fillsOf(answer)).toEqual(FILLS);
  expect(lists()).toBe(1);
  expect(answer).not.toHaveProperty('confirmed');
});

test('a stream that reports what the response counts replaces the list, in the same words', async () => {
  await follow();
  tell({ do: 'pace', on: 'POST /portfolio/events/orders', answerMs: 1, streamMs: 20 });
  const before = lists();
  const order = kalshiOrder(TICKER);
  const answer = await exchange.venue.placeOrder(order, () => true);
  expect(fillsOf(answer)).toEqual(FILLS);
  expect(lists()).toBe(before);
  expect(answer).toMatchObject({ order: { state: 'closed' }, confirmed: answer.order?.fills });
  // a later look-up shows the same fills under the same ids, so that none of them is booked again
  const listed = await exchange.venue.fills(order.ourId, order);
  expect(listed.map(({ fillId }) => fillId)).toEqual(answer.order?.fills.map(({ fillId }) => fillId));
});

test('a response that filled nothing needs neither', async () => {
  await follow();
  const before = lists();
  expect(await place({ limitPriceMicros: 300_000n })).toMatchObject({ order: { state: 'closed', fills: [] } });
  expect(lists()).toBe(before);
});

test.each([
  ['lie', 1],
  ['drop', 1],
  ['double', 0],
  ['reorder', 0],
])('a stream with the fault %s leads to the same fills, with %i list read', async (fault, read) => {
  await follow();
  tell({ do: 'fill_reports', fault, share: 1 });
  const before = lists();
  const fills = fillsOf(await place());
  expect(fills).toHaveLength(2);
  expect(fills).toEqual(expect.arrayContaining(FILLS));
  expect(lists()).toBe(before + read);
});

test('after the connection has ended, the list is read at once', async () => {
  await follow();
  following?.close();
  const begun = performance.now();
  expect(fillsOf(await place())).toEqual(FILLS);
  expect(performance.now() - begun, 'no wait for the stream').toBeLessThan(250);
});
