/** Words of Polymarket that are not known, of events, orders, trades and refusals: each is noted once, and nothing is lost. The rest: `orders.test.ts`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderTrade } from '../../src/emulators/polymarket/render.ts';
import { openPolymarketExchange, orderOf, type PolymarketExchange, prepare, send } from './polymarket-venue.ts';

let exchange: PolymarketExchange;
beforeEach(async () => {
  exchange = await openPolymarketExchange();
});
afterEach(() => exchange.close());

const words = () => exchange.venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`);
const since = () => new Date(Date.now() - 60_000);

/** The next answer of the first page of events, as the exchange may give it one day. */
async function changeEvents(change: (event: object) => object): Promise<void> {
  const answer = await fetch(`${exchange.emulator.url}/events/keyset?limit=100&closed=false`);
  const { events } = (await answer.json()) as { events: object[] };
  const body = { events: events.map(change) };
  exchange.tell({ do: 'fault', on: 'GET /events/keyset', fault: { kind: 'answer', status: 200, body } });
}

test.each([
  ['tags that are new', { tags: [{ slug: 'gardening' }] }, { category: 'world' }, ['category: gardening']],
  ['no tags', { tags: null }, { category: 'world' }, ['category: no tag']],
  ['a new field', { weather: 'dry' }, {}, ['field of Event: weather']],
  ['a picture without an address', { image: '' }, { imageUrl: null }, []],
])('an event with %s is not lost', async (_, change, listed, told) => {
  await changeEvents((event) => ({ ...event, ...change }));
  const { events, invalid } = await exchange.venue.catalogue();
  expect([events.length, invalid]).toEqual([1, []]);
  expect(events[0]).toMatchObject(listed);
  expect(words()).toEqual(told);
});

test('an order with a new status is not lost, and hides none of its page: it may still fill', async () => {
  const { venue, account } = exchange;
  const one = await prepare(venue, orderOf(exchange));
  await venue.placeOrder(one, () => true);
  Object.assign([...account.orders.values()][0] ?? {}, { status: 'HIBERNATING' });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ outcome: 'found', order: { state: 'working' } });
  expect(words()).toEqual(['order status: HIBERNATING']);
  const [known] = account.orders.values();
  const body = { data: [{ ...open(known?.hash ?? ''), status: 'ORDER_STATUS_HIBERNATING' }], next_cursor: 'LTE=' };
  exchange.tell({ do: 'fault', on: 'GET /data/orders', fault: { kind: 'answer', status: 200, body } });
  expect(await venue.account?.ordersSince(since())).toMatchObject([{ state: 'working' }]);
  expect(words()).toEqual(['order status: HIBERNATING']);
});

/** As the list of open orders has it. */
function open(id: string): object {
  const { market } = exchange;
  return { id, asset_id: market.tokens[0], side: 'BUY', original_size: '20', size_matched: '0', status: 'LIVE' };
}

test('of a trade in which we have a new role nothing is booked, and its order stays open', async () => {
  const { venue } = exchange;
  const one = await prepare(venue, orderOf(exchange));
  await venue.placeOrder(one, () => true);
  const listed = await venue.findOrder(one.ourId, one);
  expect(listed).toMatchObject({ order: { state: 'closed', fills: [{}, {}] } });
  const { account } = exchange;
  const data = account.trades.map((trade) => ({ ...renderTrade(trade, account), trader_side: 'BYSTANDER' }));
  exchange.tell({
    do: 'fault',
    on: 'GET /data/trades',
    fault: { kind: 'answer', status: 200, body: { data, next_cursor: 'LTE=' } },
  });
  expect(await venue.findOrder(one.ourId, one)).toMatchObject({ order: { state: 'working', fills: [] } });
  expect(words()).toEqual(['role in a trade: BYSTANDER']);
});

// contract 18.7
test('a refusal with a new text ends the order, and the text is told without its numbers; by another status it decides nothing', async () => {
  const { venue, tell } = exchange;
  const body = { error: 'order 0x12ab is invalid. Moon 0.45 in the way' };
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'status', status: 400, body } });
  expect(await send(venue, orderOf(exchange))).toEqual({ outcome: 'rejected', reason: 'refused', order: null });
  expect(words()).toEqual(['answer to an order: 400 order # is invalid. Moon # in the way']);
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'answer', status: 404, body } });
  await expect(send(venue, orderOf(exchange))).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(words()).toEqual(['answer to an order: 404']);
  const known = { error: 'could not run the execution' };
  tell({ do: 'fault', on: 'POST /order', fault: { kind: 'answer', status: 400, body: known } });
  await expect(send(venue, orderOf(exchange))).rejects.toMatchObject({ name: 'VenueUnknown', notTaken: false });
  expect(words()).toEqual([]);
});
