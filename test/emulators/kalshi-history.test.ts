/** The historical lists of Kalshi: what moved there is found, wherever the cut-off of each list is. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newDigits } from '../../src/core/ids.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import { type KalshiExchange, kalshiOrder, openKalshiExchange, tellKalshi } from './kalshi-venue.ts';

const TICKER = 'KXOLD-1';
const DAY_MS = 86_400_000;
let exchange: KalshiExchange;

const tell = (request: object) => tellKalshi(exchange.emulator, request);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const archive = (days: number, ...lists: string[]) =>
  tell({ do: 'archive', before: daysAgo(days).toISOString(), ...(lists.length > 0 && { lists }) });
const account = () =>
  exchange.emulator.state.accounts.get('k/7') as NonNullable<ReturnType<typeof exchange.emulator.state.accounts.get>>;
const asked = (path: string) => exchange.proxy.recorded.filter((one) => one.path === path).map(({ query }) => query);

beforeEach(async () => {
  exchange = await openKalshiExchange({ subaccount: 7 });
  tell({ do: 'subaccount', keyId: 'k', number: 7, cash: '1000' });
  tell({ do: 'market', ticker: TICKER, eventTicker: 'KXOLD', title: 'T', closeTime: '2099-01-01T00:00:00Z' });
  tell({ do: 'book', ticker: TICKER, yes: [['0.4000', '5000']], no: [['0.5500', '5000']] });
});
afterEach(() => exchange.close());

/** As if it had been sent and filled that long ago. */
async function placedDaysAgo(days: number): Promise<OrderToPlace> {
  const made = daysAgo(days).getTime().toString(16).padStart(12, '0');
  const order = kalshiOrder(TICKER, { ourId: `att_${made}${newDigits().slice(12)}` });
  expect(await exchange.venue.placeOrder(order, () => true)).toMatchObject({ outcome: 'accepted' });
  const then = new Date(daysAgo(days).getTime() + 1_000);
  for (const one of account().orders.values()) {
    Object.assign(one, one.clientOrderId === order.ourId && { createdAt: then, updatedAt: then });
  }
  for (const fill of account().fills.slice(-1)) {
    Object.assign(fill, { at: then });
  }
  return order;
}

test.each([
  ['orders alone', 9, ['orders']],
  ['orders and fills', 9, ['orders', 'trades']],
  ['orders by the cut-off that moves by itself', 15, []],
  ['everything after three months', 120, []],
])('%s in the history: an order is found with its fills', async (_, days, lists) => {
  const order = await placedDaysAgo(days);
  // another order of ours is read in the live list, which alone would prove that this one is not there
  await exchange.venue.placeOrder(kalshiOrder(TICKER), () => true);
  if (lists.length > 0) {
    archive(days - 1, ...lists);
  }
  const found = await exchange.venue.findOrder(order.ourId, order);
  expect(found).toMatchObject({ outcome: 'found', order: { ourId: order.ourId, state: 'closed', fills: [{}] } });
  const since = String(Math.floor(Number.parseInt(order.ourId.slice(4, 16), 16) / 1_000) - 120);
  expect(asked('/historical/orders')).toEqual([{ limit: '1000', subaccount: '7', min_ts: since, ticker: TICKER }]);
  const filledBefore = lists.includes('trades') || days > 90;
  expect(asked('/historical/fills')).toEqual(
    filledBefore ? [{ limit: '1000', subaccount: '7', min_ts: since, ticker: TICKER }] : [],
  );
});

test('a comparison reads what moved to the history since', async () => {
  const order = await placedDaysAgo(9);
  archive(1);
  expect(await exchange.venue.account?.ordersSince(daysAgo(10))).toMatchObject([{ ourId: order.ourId, fills: [{}] }]);
  expect(await exchange.venue.account?.fillsSince(daysAgo(10))).toMatchObject([{ ourId: order.ourId }]);
});

test('a market that was paid is named, whether its position is in the settlements or in the history', async () => {
  await exchange.venue.placeOrder(kalshiOrder(TICKER), () => true);
  tell({ do: 'status', ticker: TICKER, status: 'finalized', result: 'yes', settlementValue: '1.0000' });
  const paid = () => exchange.venue.account?.settledSince?.(daysAgo(1), []);
  expect(await paid()).toEqual([TICKER]);
  expect(asked('/historical/positions')).toEqual([]);
  archive(-1, 'markets');
  expect(await paid()).toEqual([TICKER]);
  archive(-1, 'positions');
  expect(await paid()).toEqual([TICKER]);
  expect(asked('/historical/positions').at(-1)).toEqual({ limit: '1000', subaccount: '7' });
  expect(await exchange.venue.account?.settledSince?.(new Date(Date.now() + 60_000), [])).toEqual([]);
});

test('an exchange that names no cut-offs leaves an order unknown', async () => {
  const order = kalshiOrder(TICKER);
  tell({ do: 'fault', on: 'GET /historical/cutoff', fault: { kind: 'status', status: 404, body: { code: 'x' } } });
  await expect(exchange.venue.findOrder(order.ourId, order)).rejects.toMatchObject({
    name: 'VenueUnknown',
    notTaken: false,
  });
});
