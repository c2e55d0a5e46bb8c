/** The use case that committed a webhook event wakes the relay; one that committed none does not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOURNAL_CHANNEL } from '../../src/ledger/journal.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
let woken = 0;

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('woken');
  const { listener } = service.database;
  const wake = () => {
    woken += 1;
  };
  listener.listen(JOURNAL_CHANNEL, { onNotification: wake, onConnected: () => {} });
  await until(() => listener.connected, Boolean);
});
afterAll(() => service.close());

const post = (path: string, body?: object) => service.request('POST', `/api/v1${path}`, { user: 'ana', body });

async function quote(wish: object = { action: 'buy', stake: 10 }): Promise<string> {
  const quoted = await post('/quotes', { marketId: market.contractId, side: 'YES', ...wish });
  expect(quoted.status, quoted.text).toBe(200);
  return quoted.body.quoteId;
}

/** Calls once and waits for the notification. */
async function wakes(call: () => ReturnType<typeof post>) {
  const before = woken;
  const answer = await call();
  await until(
    async () => woken,
    (now) => now > before,
  );
  return answer;
}

/** Longer than the waker spaces its notifications. */
const QUIET_MS = 200;

/** @param call can be repeated: a notification of what was done before it may be late */
async function stays(call: () => ReturnType<typeof post>) {
  for (let tries = 1; ; tries += 1) {
    await timePasses(QUIET_MS);
    const before = woken;
    const answer = await call();
    await timePasses(QUIET_MS);
    if (woken === before) {
      return answer;
    }
    expect(tries, 'woken each time').toBeLessThan(3);
  }
}

test('an order wakes the relay; a quote, a replay and a refusal that writes nothing do not', async () => {
  const quoteId = (
    await stays(async () => post('/quotes', { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 }))
  ).body.quoteId;
  const order = { quoteId, clientOrderId: 'first' };
  expect((await wakes(() => post('/orders', order))).body.status).toBe('filled');
  expect((await stays(() => post('/orders', order))).body.idempotentReplay).toBe(true);
  expect((await stays(() => post('/orders', { quoteId, clientOrderId: 'second' }))).body.error).toBe(
    'quote_already_used',
  );
});

test('an order that is rejected because the price moved wakes it too', async () => {
  const quoteId = await quote();
  await setBook(service.sql, market, { bids: [['0.80', '1000']], asks: [['0.82', '1000']] });
  await service.context.board.refresh();
  const rejected = await wakes(() => post('/orders', { quoteId, clientOrderId: 'moved' }));
  expect(rejected.body.error).toBe('price_moved');
});

test('a recorded intent and its cancel wake it; the confirmation of its reserve, which raises no event, does not', async () => {
  const intent = async (clientOrderId: string) => {
    const body = { quoteId: await quote(), clientOrderId, executionIntent: 'record_intent' };
    return (await wakes(() => post('/orders', body))).body.orderId as string;
  };
  const orderId = await intent('cancelled');
  expect((await wakes(() => post(`/orders/${orderId}/cancel`, {}))).status).toBe(200);
  expect((await stays(() => post(`/orders/${orderId}/cancel`, {}))).body.idempotentReplay).toBe(true);
  const confirmed = await intent('confirmed');
  expect((await stays(() => post(`/orders/${confirmed}/confirm-reserve`, { reserveReference: 'r' }))).status).toBe(200);
});

test('a sandbox resolution wakes it', async () => {
  const [position] = await service.sql<{ positionId: string }[]>`
    select position_id from positions where status = 'open' limit 1`;
  const resolved = await wakes(() =>
    post('/sandbox/resolutions', { positionId: position?.positionId, resolution: 'WIN' }),
  );
  expect(resolved.body.settled).toBe(true);
});
