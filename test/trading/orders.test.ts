/** Quotes and sandbox orders through real HTTP: money to the cent, replay, refusals, and the books that stand behind them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documented } from '../support/documented.ts';
import { readItems } from '../support/items.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;

beforeAll(async () => {
  service = await documented(await openWorld());
  market = await service.openMarket('alpha');
});
afterAll(() => service.close());

const quote = (user: string, body: object = {}) =>
  service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10, ...body },
  });
const order = (user: string, body: object) => service.request('POST', '/api/v1/orders', { user, body });

async function ledgerIsSquare(): Promise<void> {
  const [sums] = await service.sql`select coalesce(sum(amount), 0)::text as total from ledger_lines`;
  expect(sums).toEqual({ total: '0' });
  const wrong = await service.sql`
    select b.account_id from account_balances b
    where b.balance <> (select coalesce(sum(l.amount), 0) from ledger_lines l where l.operator_id = b.operator_id and l.account_id = b.account_id)`;
  expect(wrong).toHaveLength(0);
}

describe('a buy', () => {
  // contract 1.1, contract 1.4, contract 2.6, contract 4.6, contract 4.8, contract 9.5, contract 11.4, contract 11.7, contract 12.4, contract 13.3
  test('quotes, fills, and opens a position with every cent posted', async () => {
    const quoted = await quote('ana');
    expect(quoted.status).toBe(200);
    expect(quoted.body).toMatchObject({
      executionPrice: 0.57,
      stake: 10,
      platformFee: 0.2,
      tradeAmount: 9.8,
      contracts: 17.192982,
      potentialPayout: 17.19,
      simulated: true,
      operatorMoney: {
        authorizationAmount: '10.00',
        actualDebit: '10.00',
        releaseAmount: '0.00',
        venueFeeKnown: false,
      },
      operatorExitMoney: null,
    });
    const placed = await order('ana', { quoteId: quoted.body.quoteId, clientOrderId: 'a-1' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({
      status: 'filled',
      filledQuantity: 17.192982,
      averagePrice: 0.57,
      settlementState: 'settled',
      transmissionState: 'resolved',
      idempotentReplay: false,
      operatorMoney: {
        authorizationAmount: '10.00',
        actualDebit: '10.00',
        tradeAmount: '9.80',
        platformFee: '0.20',
        venueFeeKnown: true,
      },
    });
    expect(placed.body.executionRef).toMatch(/^inl_Best_[0-9A-HJKMNP-TV-Z]{14}$/);
    const positions = await service.request('GET', '/api/v1/positions?externalUserId=ana');
    expect(positions.body.positions).toMatchObject([
      {
        status: 'open',
        side: 'YES',
        quantity: 17.192982,
        averagePrice: 0.57,
        operatorMoney: { costBasis: '10.00', realisedPnl: '0.00' },
      },
    ]);
    const feed = (await readItems(service.sql)).filter(({ externalUserId }) => externalUserId === 'ana');
    expect(feed.map(({ type }) => type)).toEqual([
      'ledger.posted',
      'order.state_changed',
      'order.filled',
      'ledger.posted',
      'fee.assessed',
      'webhook.emitted',
    ]);
    await ledgerIsSquare();
  });

  // contract 1.12, contract 10.2, contract 10.3, contract 10.5
  test('replays verbatim, and refuses the key for another quote', async () => {
    const first = await quote('bea');
    const placed = await order('bea', { quoteId: first.body.quoteId, clientOrderId: 'b-1' });
    const again = await order('bea', { quoteId: first.body.quoteId, clientOrderId: 'b-1' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...placed.body, idempotentReplay: true });
    const second = await quote('bea');
    expect((await order('bea', { quoteId: second.body.quoteId, clientOrderId: 'b-1' })).body.error).toBe(
      'idempotency_conflict',
    );
    const spent = await order('bea', { quoteId: first.body.quoteId, clientOrderId: 'b-2' });
    expect(spent.status).toBe(409);
    expect(spent.body).toMatchObject({ error: 'quote_already_used', orderId: placed.body.orderId });
  });

  // contract 9.13
  test('a quote of another customer, and no quote, are not found', async () => {
    const quoted = await quote('cem');
    expect((await order('dan', { quoteId: quoted.body.quoteId, clientOrderId: 'd-1' })).body.error).toBe(
      'quote_not_found',
    );
    expect((await order('cem', { quoteId: 'qt_none', clientOrderId: 'c-1' })).status).toBe(404);
  });

  // contract 10.6, contract 12.4, contract 13.2
  test('a book that moved is refused, the order rejected, and its key consumed', async () => {
    const moving = await service.openMarket('moving');
    const quoted = await quote('eva', { marketId: moving.contractId });
    await setBook(service.sql, moving, { bids: [['0.60', '1000']], asks: [['0.62', '1000']] });
    const refused = await order('eva', { quoteId: quoted.body.quoteId, clientOrderId: 'e-1' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('price_moved');
    const replay = await order('eva', { quoteId: quoted.body.quoteId, clientOrderId: 'e-1' });
    expect(replay.status).toBe(200);
    expect(replay.body).toMatchObject({
      status: 'rejected',
      idempotentReplay: true,
      operatorMoney: { actualDebit: '0.00', releaseAmount: '10.00' },
    });
    expect(replay.body.rejectReason).toContain(replay.body.executionRef);
    await ledgerIsSquare();
  });

  // contract 13.2
  test('within the slippage it fills at the new price with contracts recomputed', async () => {
    const moving = await service.openMarket('slipping');
    const quoted = await quote('fay', { marketId: moving.contractId });
    await setBook(service.sql, moving, { bids: [['0.57', '1000']], asks: [['0.60', '1000']] });
    const placed = await order('fay', { quoteId: quoted.body.quoteId, clientOrderId: 'f-1', maxSlippage: 0.03 });
    expect(placed.body).toMatchObject({
      status: 'filled',
      averagePrice: 0.6,
      filledQuantity: 16.333333,
      operatorMoney: { actualDebit: '10.00' },
    });
  });

  // contract 1.12, contract 9.12
  test('an expired quote is refused and writes nothing', async () => {
    const quoted = await quote('gil');
    await service.damage(
      `update quotes set expires_at = now() - interval '1 second' where quote_id = '${quoted.body.quoteId}'`,
    );
    expect((await order('gil', { quoteId: quoted.body.quoteId, clientOrderId: 'g-1' })).body.error).toBe(
      'quote_expired',
    );
    expect(await service.sql`select 1 from orders where external_user_id = 'gil'`).toHaveLength(0);
  });

  // contract 32.2
  test('the wallet holds 10,000.00 and no more', async () => {
    for (const [index, expected] of [201, 201, 422].entries()) {
      const quoted = await quote('hal', { stake: 4000 });
      expect((await order('hal', { quoteId: quoted.body.quoteId, clientOrderId: `h-${index}` })).status).toBe(expected);
    }
    await ledgerIsSquare();
  });

  // contract 9.12
  test('one quote is spent once under any concurrency', async () => {
    const quoted = await quote('ida');
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        order('ida', { quoteId: quoted.body.quoteId, clientOrderId: `i-${index}` }),
      ),
    );
    expect(tries.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(tries.filter((answer) => answer.body.error === 'quote_already_used')).toHaveLength(19);
  });

  // contract 10.2
  test('one key is one order under any concurrency', async () => {
    const quoted = await quote('joy');
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => order('joy', { quoteId: quoted.body.quoteId, clientOrderId: 'j-1' })),
    );
    expect(tries.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(tries.filter((answer) => answer.status === 200)).toHaveLength(19);
    expect(new Set(tries.map((answer) => answer.body.orderId)).size).toBe(1);
  });
});

describe('an exit', () => {
  // contract 1.4, contract 14.1, contract 14.2, contract 15.4, contract 15.5
  test('half, then the rest: the cost basis is taken whole and the position closes', async () => {
    const bought = await quote('kim');
    await order('kim', { quoteId: bought.body.quoteId, clientOrderId: 'k-1' });
    const half = await quote('kim', { action: 'sell', stake: undefined, contracts: 8.596491 });
    expect(half.status).toBe(200);
    expect(half.body).toMatchObject({
      stake: null,
      operatorMoney: null,
      executionPrice: 0.55,
      operatorExitMoney: { sellProceeds: '4.62' },
    });
    const sold = await order('kim', { quoteId: half.body.quoteId, clientOrderId: 'k-2' });
    expect(sold.body).toMatchObject({
      status: 'filled',
      action: 'sell',
      operatorMoney: null,
      operatorExitMoney: { sellProceeds: '4.62' },
    });
    const open = await service.request('GET', '/api/v1/positions?externalUserId=kim');
    expect(open.body.positions[0]).toMatchObject({
      status: 'open',
      quantity: 8.596491,
      operatorMoney: { costBasis: '5.00', realisedPnl: '-0.38' },
    });
    const rest = await quote('kim', { action: 'sell', stake: undefined, contracts: 8.596491 });
    await order('kim', { quoteId: rest.body.quoteId, clientOrderId: 'k-3' });
    const closed = await service.request('GET', '/api/v1/positions?externalUserId=kim');
    expect(closed.body.positions[0]).toMatchObject({
      status: 'closed',
      quantity: 0,
      operatorMoney: { costBasis: '0.00' },
    });
    await ledgerIsSquare();
  });

  // contract 14.4
  test('more than is held is refused at quote, and nothing is sold twice', async () => {
    const bought = await quote('lea');
    await order('lea', { quoteId: bought.body.quoteId, clientOrderId: 'l-1' });
    expect((await quote('lea', { action: 'sell', stake: undefined, contracts: 18 })).body.error).toBe(
      'insufficient_position',
    );
    const quotes = await Promise.all(
      [1, 2, 3].map(() => quote('lea', { action: 'sell', stake: undefined, contracts: 10 })),
    );
    const sold = await Promise.all(
      quotes.map((one, index) => order('lea', { quoteId: one.body.quoteId, clientOrderId: `l-s${index}` })),
    );
    expect(sold.map((answer) => answer.status).sort()).toEqual([201, 422, 422]);
    await ledgerIsSquare();
  });
});

describe('lists', () => {
  // contract 4.12, contract 4.13, contract 11.9, contract 11.15
  test('orders page by keyset, newest first, and a key finds its order with intent', async () => {
    for (let index = 0; index < 3; index += 1) {
      const quoted = await quote('moe', { stake: 2 });
      await order('moe', { quoteId: quoted.body.quoteId, clientOrderId: `m-${index}` });
    }
    const first = await service.request('GET', '/api/v1/orders?externalUserId=moe&limit=2');
    expect(first.body.orders.map((one: { clientOrderId: string }) => one.clientOrderId)).toEqual(['m-2', 'm-1']);
    expect(first.body).toMatchObject({ count: 2, hasMore: true });
    const second = await service.request(
      'GET',
      `/api/v1/orders?externalUserId=moe&limit=2&cursor=${first.body.nextCursor}`,
    );
    expect(second.body).toMatchObject({ count: 1, hasMore: false, nextCursor: null });
    const found = await service.request('GET', '/api/v1/orders?externalUserId=moe&clientOrderId=m-1');
    expect(found.body.orders[0].intent).toMatchObject({ reserveConfirmedAt: null, cancellationId: null });
    expect((await service.request('GET', '/api/v1/orders?clientOrderId=m-1')).body.error).toBe('invalid_request');
    expect((await service.request('GET', '/api/v1/orders?cursor=x')).body.error).toBe('invalid_cursor');
    const read = await service.request('GET', `/api/v1/orders/${found.body.orders[0].orderId}?fills=true`);
    expect(read.body.fills).toHaveLength(1);
    expect(
      (await service.request('GET', `/api/v1/orders/${found.body.orders[0].orderId}`, { key: service.liveKey })).body
        .error,
    ).toBe('unknown_order');
  });
});
