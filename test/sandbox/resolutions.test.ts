/** Sandbox resolutions through HTTP: one position, once, the market left alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleWaiting } from '../../src/sandbox/resolve-position.ts';
import { resolution } from '../../src/wire/sandbox.ts';
import type { TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let market: TestMarket;
beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('resolutions');
});
afterAll(() => world.close());

const resolve = (positionId: unknown, word: unknown) =>
  world.request('POST', '/api/v1/sandbox/resolutions', { body: { positionId, resolution: word } });

async function settlementsOf(user: string) {
  return (await world.request('GET', `/api/v1/settlements?externalUserId=${user}`)).body.settlements;
}

// contract 32.13, contract 32.14
test('WIN, LOSS and VOID are relative to the side, in any case, and pay as a resolution would', async () => {
  for (const [user, side, word, money] of [
    ['won', 'NO', 'win', { outcome: 'won', resolution: 'NO', credit: '21.77', refund: '0.00' }],
    ['lost', 'NO', 'LoSs', { outcome: 'lost', resolution: 'YES', credit: '0.00', refund: '0.00' }],
    ['void', 'YES', 'VOID', { outcome: 'void', resolution: 'VOID', credit: '0.00', refund: '10.00' }],
  ] as const) {
    await world.place(user, { clientOrderId: 'r-1' }, { side });
    const { positionId } = await world.positionOf(user, market);
    const answer = await resolve(positionId, word);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
    expect(resolution.parse(answer.body)).toEqual({
      positionId,
      resolution: word.toUpperCase(),
      alreadyRequested: false,
      settled: true,
      reason: null,
    });
    expect(await settlementsOf(user)).toMatchObject([
      {
        positionId,
        outcome: money.outcome,
        resolution: money.resolution,
        operatorMoney: { settlementCredit: money.credit, voidCredit: money.refund },
      },
    ]);
    expect((await world.balance(user)).body.total).toBe(
      (9990 + Number(money.credit) + Number(money.refund)).toFixed(2),
    );
  }
  const event = await world.request('GET', `/api/v1/events/${market.eventId}`);
  expect(event.body.data.status).toBe('open');
  expect((await world.place('won', { clientOrderId: 'r-2' }, { side: 'NO' })).body.status).toBe('filled');
});

// contract 32.15
test('the same twice, and ten at once, are one settlement; another is a conflict', async () => {
  await world.place('once', { clientOrderId: 'o-1' });
  const { positionId } = await world.positionOf('once', market);
  const answers = await Promise.all(Array.from({ length: 10 }, () => resolve(positionId, 'WIN')));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(answers.filter(({ body }) => body.alreadyRequested === false)).toHaveLength(1);
  expect(answers.every(({ body }) => body.settled === true)).toBe(true);
  expect((await resolve(positionId, 'win')).body).toMatchObject({ alreadyRequested: true, settled: true });
  const other = await resolve(positionId, 'LOSS');
  expect([other.status, other.body.error]).toEqual([409, 'resolution_conflict']);
  expect(await settlementsOf('once')).toHaveLength(1);
});

// contract 32.13
test('refusals', async () => {
  expect((await resolve('pos_none', 'WIN')).body.error).toBe('position_not_found');
  expect((await resolve('pos_none', 'MAYBE')).body.error).toBe('invalid_body');
  expect((await resolve(7, 'WIN')).body.error).toBe('invalid_body');
  const broken = await world.request('POST', '/api/v1/sandbox/resolutions', { body: '{' });
  expect([broken.status, broken.body.error]).toEqual([400, 'invalid_json']);
  await world.place('gone', { clientOrderId: 'g-1' });
  const { positionId, quantity } = await world.positionOf('gone', market);
  const other = await world.createOperator({ slug: 'foreign' });
  const { apiKey } = await world.issueKey(other);
  const foreign = await world.request('POST', '/api/v1/sandbox/resolutions', {
    key: apiKey,
    body: { positionId, resolution: 'WIN' },
  });
  expect([foreign.status, foreign.body.error]).toEqual([404, 'position_not_found']);
  await world.place('gone', { clientOrderId: 'g-2' }, { action: 'sell', stake: undefined, contracts: quantity });
  const closed = await resolve(positionId, 'WIN');
  expect([closed.status, closed.body.error]).toEqual([400, 'position_not_open']);
});

// contract 16.7
test('a position that is just being sold waits for the sell, and settles when that ends', async () => {
  await world.place('busy', { clientOrderId: 'b-1' });
  const { positionId } = await world.positionOf('busy', market);
  const quoted = await world.request('POST', '/api/v1/quotes', {
    user: 'busy',
    body: { marketId: market.contractId, side: 'YES', action: 'sell', contracts: 5 },
  });
  const sell = await world.request('POST', '/api/v1/orders', {
    user: 'busy',
    body: { quoteId: quoted.body.quoteId, clientOrderId: 'b-2', executionIntent: 'record_intent' },
  });
  expect(sell.body.status).toBe('reserve_pending');
  const waiting = await resolve(positionId, 'WIN');
  expect(waiting.body).toMatchObject({ alreadyRequested: false, settled: false, reason: expect.any(String) });
  expect(await settleWaiting(world.sql)).toBe(0);
  const cancelled = await world.request('POST', `/api/v1/orders/${sell.body.orderId}/cancel`);
  expect(cancelled.status).toBe(200);
  expect(await settleWaiting(world.sql)).toBe(1);
  expect(await settleWaiting(world.sql)).toBe(0);
  expect((await resolve(positionId, 'WIN')).body).toMatchObject({
    alreadyRequested: true,
    settled: true,
    reason: null,
  });
  expect(await settlementsOf('busy')).toHaveLength(1);
}, 15_000);

// contract 32.16
test('a position whose result is asked for, and waits for a sell, takes no further buys', async () => {
  await world.place('waits', { clientOrderId: 'w-1' });
  const { positionId } = await world.positionOf('waits', market);
  await world.sql`update positions set held_quantity_micros = 1000000 where position_id = ${positionId}`;
  expect((await resolve(positionId, 'WIN')).body).toMatchObject({ settled: false });
  const refused = await world.place('waits', { clientOrderId: 'w-2' });
  expect([refused.status, refused.body.error]).toEqual([422, 'market_not_open']);
  expect((await world.place('waits', { clientOrderId: 'w-3' }, { side: 'NO' })).status, 'the other side').toBe(201);
  await world.sql`update positions set held_quantity_micros = 0 where position_id = ${positionId}`;
  expect(await settleWaiting(world.sql)).toBe(1);
  expect((await world.place('waits', { clientOrderId: 'w-4' })).status, 'settled').toBe(201);
});
