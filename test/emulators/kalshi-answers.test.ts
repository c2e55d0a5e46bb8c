/**
 * What only answers of Kalshi do that do not fit: of other orders and senders, of markets and books, 404 for a list; and its unknown
 * words, of which each is noted once and loses nothing. The rest: `bad-answers.test.ts`.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderToPlace, Venue, VenueUnknown } from '../../src/venues/port.ts';
import { failure as failed } from './exchange.ts';
import { type KalshiMarket, kalshiFill, kalshiOrder, openKalshiMarket, TICKER } from './kalshi-venue.ts';

const LOOK_UP = 'GET /portfolio/orders';
const FILLS = 'GET /portfolio/fills';
const SEND = 'POST /portfolio/events/orders';
let exchange: KalshiMarket;
let venue: Venue;

beforeEach(async () => {
  exchange = await openKalshiMarket();
  ({ venue } = exchange);
});
afterEach(() => exchange.close());

const tell = (request: object) => exchange.tell(request);
const order = (changes: Partial<OrderToPlace> = {}) => kalshiOrder(TICKER, { quantityMicros: 2_000_000n, ...changes });

async function failure(answer: Promise<unknown> | undefined): Promise<VenueUnknown> {
  const error = await failed(answer);
  expect(error).toMatchObject({ name: 'VenueUnknown' });
  return error as VenueUnknown;
}

const orderBody = (ourId: string, changes: object) => ({
  order_id: 'o-1',
  client_order_id: ourId,
  ticker: TICKER,
  book_side: 'bid',
  status: 'executed',
  initial_count_fp: '2.00',
  fill_count_fp: '2.00',
  remaining_count_fp: '0.00',
  ...changes,
});
test('a fill of another order is ignored, and the order stays open until its own is listed', async () => {
  const sent = order();
  const placed = await venue.placeOrder(sent, () => true);
  expect(placed).toMatchObject({ outcome: 'accepted', order: { state: 'closed' } });
  const body = { fills: [kalshiFill({ order_id: 'of-somebody-else' })], cursor: '' };
  tell({ do: 'fault', on: FILLS, fault: { kind: 'status', status: 200, body } });
  expect(await venue.findOrder(sent.ourId, sent)).toMatchObject({
    outcome: 'found',
    order: { state: 'working', fills: [] },
  });
  expect(await venue.findOrder(sent.ourId, sent)).toMatchObject({ order: { state: 'closed', fills: [{}] } });
});

test('an answer about another order than the one sent leaves it unknown', async () => {
  const body = { order_id: 'o-2', client_order_id: 'another', fill_count: '2.00', remaining_count: '0.00' };
  tell({ do: 'fault', on: SEND, fault: { kind: 'status', status: 201, body } });
  expect(await failure(venue.placeOrder(order(), () => true))).toMatchObject({ notTaken: false });
});

test('a price off the grid is refused by the exchange, and nothing is there', async () => {
  const sent = order({ limitPriceMicros: 455_500n });
  expect(await venue.placeOrder(sent, () => true)).toMatchObject({ outcome: 'rejected', reason: 'invalid_price' });
  expect(await venue.findOrder(sent.ourId, sent)).toMatchObject({ outcome: 'not_found' });
});

test('a market that cannot be read is evidence, and the others of its event are listed', async () => {
  tell({ do: 'market', ticker: 'KXODD-T2', eventTicker: 'KXTEST-26', title: 'U', closeTime: '2099-01-01T00:00:00Z' });
  const odd = exchange.emulator.state.markets.get('KXODD-T2');
  Object.assign(odd ?? {}, { volume: -1_000_000n });
  const { events, invalid } = await venue.catalogue();
  expect(events.flatMap(({ markets }) => markets.map(({ listingId }) => listingId))).toEqual([TICKER]);
  expect(invalid).toEqual([expect.objectContaining({ about: 'market' })]);
});

test('a book with a negative size is no book', async () => {
  const body = { orderbook_fp: { yes_dollars: [['0.4000', '-5.00']], no_dollars: [] } };
  tell({ do: 'fault', on: `GET /markets/${TICKER}/orderbook`, fault: { kind: 'status', status: 200, body } });
  expect((await failure(venue.book(TICKER))).evidence).not.toBeNull();
});

test.each([
  ['401 with a nested code', 401, { error: { code: 'authentication_error', details: 'NOT_FOUND' } }],
  ['401 for a clock', 401, { error: { code: 'header_timestamp_expired', message: 'header timestamp expired' } }],
  ['401 with a flat code', 401, { code: 'unauthorized', message: 'invalid signature' }],
  ['429 as it is documented', 429, { error: 'too many requests' }],
])('%s proves that nothing was taken', async (_, status, body) => {
  tell({ do: 'fault', on: SEND, fault: { kind: 'status', status, body } });
  expect(await failure(venue.placeOrder(order(), () => true))).toMatchObject({ notTaken: true });
});

test.each([LOOK_UP, FILLS])('404 for the list %s is no empty list', async (on) => {
  const sent = order();
  await venue.placeOrder(sent, () => true);
  const body = { code: 'not_found', message: 'not found' };
  tell({ do: 'fault', on, fault: { kind: 'status', status: 404, body } });
  expect((await failure(venue.findOrder(sent.ourId, sent))).evidence).not.toBeNull();
});

test('an order that is not found says whether another one of ours was read in the list', async () => {
  await venue.placeOrder(order(), () => true);
  const lost = order();
  expect(await venue.findOrder(lost.ourId, lost)).toEqual({ outcome: 'not_found', readOthers: true });
  const theirs = { orders: [orderBody('of-somebody-else', {})], cursor: '' };
  tell({ do: 'fault', on: LOOK_UP, fault: { kind: 'status', status: 200, body: theirs } });
  expect(await venue.findOrder(lost.ourId, lost)).toEqual({ outcome: 'not_found', readOthers: false });
});

test('an order of somebody else that does not fit hides none of ours', async () => {
  const sent = order();
  const placed = await venue.placeOrder(sent, () => true);
  const orderId = placed.order?.venueOrderId ?? '';
  const orders = [
    orderBody('of-somebody-else', { order_id: 'o-2', book_side: 'middle' }),
    orderBody(sent.ourId, { order_id: orderId }),
  ];
  const answer = { kind: 'status', status: 200, body: { orders, cursor: '' } };
  tell({ do: 'fault', on: LOOK_UP, times: 2, fault: answer });
  expect(await venue.findOrder(sent.ourId, sent)).toMatchObject({ outcome: 'found', order: { state: 'closed' } });
  const since = new Date(Date.now() - 60_000);
  expect(await venue.account?.ordersSince(since)).toMatchObject([{ ourId: sent.ourId }]);
  const ours = { orders: [orderBody(sent.ourId, { order_id: orderId, book_side: 'middle' })], cursor: '' };
  tell({ do: 'fault', on: LOOK_UP, fault: { kind: 'status', status: 200, body: ours } });
  expect((await failure(venue.account?.ordersSince(since))).evidence).not.toBeNull();
});

test('a fill of somebody else that does not fit hides none of ours', async () => {
  const sent = order();
  const placed = await venue.placeOrder(sent, () => true);
  const orderId = placed.order?.venueOrderId ?? '';
  const own = kalshiFill({ fill_id: 'f-own', order_id: orderId });
  const strange = kalshiFill({ fill_id: 'f-2', order_id: 'of-somebody-else', count_fp: '-2.00', created_time: 'noon' });
  const tellFills = (fills: readonly object[], times = 1) =>
    tell({ do: 'fault', on: FILLS, times, fault: { kind: 'status', status: 200, body: { fills, cursor: '' } } });
  const since = new Date(Date.now() - 60_000);
  tellFills([strange, own], 2);
  expect(await venue.account?.fillsSince(since)).toMatchObject([{ fillId: 'f-own', ourId: sent.ourId }]);
  const orders = (await venue.account?.ordersSince(since)) ?? [];
  expect(orders.find(({ ourId }) => ourId === sent.ourId)?.fills).toMatchObject([{ fillId: 'f-own' }]);
  tellFills([strange, { ...own, count_fp: '-2.00' }]);
  expect((await failure(venue.account?.fillsSince(since))).evidence).not.toBeNull();
});

/** The next answer of a path, as the exchange may give it one day. */
async function changeAnswer(path: string, change: (body: string) => string): Promise<void> {
  const answer = await fetch(`${exchange.emulator.url}/trade-api/v2${path}`);
  const body = JSON.parse(change(await answer.text()));
  tell({ do: 'fault', on: `GET ${path.split('?')[0]}`, fault: { kind: 'answer', status: 200, body } });
}
const words = () => venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`);

test('new fields and statuses of markets lose no market', async () => {
  await changeAnswer('/events/fee_changes', (body) => body);
  await changeAnswer('/events?status=open&with_nested_markets=true', (body) =>
    body.replace('"status":"active"', '"status":"frozen","moonshine":1').replace('"title"', '"weather":"dry","title"'),
  );
  const { events, invalid } = await venue.catalogue();
  expect([events.length, invalid, events[0]?.markets[0]?.status]).toEqual([1, [], 'paused']);
  expect(words()).toEqual(['field of EventData: weather', 'field of Market: moonshine', 'market status: frozen']);
});

test('an order with a new status is working in the list of orders, too', async () => {
  await venue.placeOrder(kalshiOrder(TICKER), () => true);
  exchange.oddStatus();
  const since = new Date(Date.now() - 60_000);
  expect(await venue.account?.ordersSince(since)).toMatchObject([{ state: 'working', fills: [{}, {}] }]);
  expect(words()).toEqual(['order status: hibernating']);
});

test('an answer to an order with a new code decides nothing', async () => {
  const body = { code: 'moon_in_the_way', message: '' };
  tell({ do: 'fault', on: SEND, fault: { kind: 'answer', status: 400, body } });
  await expect(venue.placeOrder(kalshiOrder(TICKER), () => true)).rejects.toMatchObject({ notTaken: false });
  expect(words()).toEqual(['answer to an order: 400 moon_in_the_way']);
});
