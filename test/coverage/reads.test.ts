/** Filters, limits and refusals of the lists, positions over several buys, routing, health: what no other test shows (contract chapter 4). */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { documented } from '../support/documented.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let alpha: TestMarket;
let keys = 0;

beforeAll(async () => {
  service = await documented(await openWorld());
  alpha = await service.openMarket('alpha');
});
afterAll(() => service.close());

const get = (path: string, key = service.key) => service.request('GET', `/api/v1/${path}`, { key });
const quote = (user: string, body: object = {}, key = service.key) =>
  service.request('POST', '/api/v1/quotes', {
    user,
    key,
    body: { marketId: alpha.contractId, side: 'YES', action: 'buy', stake: 10, ...body },
  });
async function trade(user: string, body: object = {}, order: object = {}, key = service.key) {
  const quoted = await quote(user, body, key);
  expect(quoted.status, quoted.text).toBe(200);
  keys += 1;
  const placed = await service.request('POST', '/api/v1/orders', {
    user,
    key,
    body: { quoteId: quoted.body.quoteId, clientOrderId: `k${keys}`, ...order },
  });
  expect(placed.status, placed.text).toBe(201);
  return placed.body;
}
const idsOf = (orders: { orderId: string }[]) => orders.map(({ orderId }) => orderId);

describe('GET /orders', () => {
  // contract 11.13, contract 11.14
  test('filters by status, by time inclusively, and by executionRef; what it cannot read is ignored or empty', async () => {
    const first = await trade('olga', { stake: 2 });
    await timePasses(5);
    const second = await trade('olga', { stake: 2 }, { executionIntent: 'record_intent' });
    const list = async (query: string) => idsOf((await get(`orders?externalUserId=olga&${query}`)).body.orders);
    expect(await list('')).toEqual([second.orderId, first.orderId]);
    expect(await list('status=filled')).toEqual([first.orderId]);
    expect(await list('status=reserve_pending')).toEqual([second.orderId]);
    expect(await list('status=nonsense')).toEqual([]);
    expect(await list(`since=${second.createdAt}`)).toEqual([second.orderId]);
    expect(await list(`until=${first.createdAt}`)).toEqual([first.orderId]);
    expect(await list(`since=${first.createdAt}&until=${first.createdAt}`)).toEqual([first.orderId]);
    expect(await list('since=yesterday&until=soon')).toHaveLength(2);
    expect(await list(`executionRef=${first.executionRef}`)).toEqual([first.orderId]);
    expect((await get('orders?externalUserId=nobody')).body).toEqual({
      orders: [],
      count: 0,
      nextCursor: null,
      hasMore: false,
    });
    expect((await get('orders?externalUserId=olga&limit=0')).body.count).toBe(1);
    expect((await get('orders?externalUserId=olga&limit=9999')).body.count).toBe(2);
  });

  // contract 11.9
  test('carries settlementState and transmissionState on every order, and intent on none of a page', async () => {
    for (const order of (await get('orders')).body.orders) {
      expect(['settled', 'pending']).toContain(order.settlementState);
      expect(['not_transmitted', 'unknown', 'resolved']).toContain(order.transmissionState);
      expect(order).not.toHaveProperty('intent');
      expect(order).not.toHaveProperty('fills');
    }
  });

  // contract 11.14, contract 15.6
  test('pages hold at most 200', async () => {
    await service.sql`
      insert into orders select (jsonb_populate_record(null::order_row, to_jsonb(r) || jsonb_build_object('order_id', 'ord_copy' || n, 'client_order_id', 'copy' || n,
        'execution_ref', 'copy' || n, 'quote_id', 'copy' || n, 'external_user_id', 'copies'))).* from orders r, generate_series(1, 205) n
      where r.external_user_id = 'olga' and r.status = 'filled'`;
    expect((await get('orders?externalUserId=copies&limit=500')).body).toMatchObject({ count: 200, hasMore: true });
    expect((await get('orders?externalUserId=copies')).body.count).toBe(50);
    // only the owner may remove an order
    const owner = new pg.Client({ connectionString: service.database.ownerUrl });
    await owner.connect();
    await owner.query("delete from orders where external_user_id = 'copies'");
    await owner.end();
  });
});

describe('positions', () => {
  // contract 15.3, contract 15.4, contract 15.6
  test('weigh their prices, without fees; a buy after an exit opens another', async () => {
    const weighed = await service.openMarket('weighed', { bids: [['0.4', '10000']], asks: [['0.5', '10000']] });
    const marketId = weighed.contractId;
    await trade('pia', { marketId });
    await setBook(service.sql, weighed, { bids: [['0.5', '10000']], asks: [['0.7', '10000']] });
    await service.context.board.refresh();
    await trade('pia', { marketId });
    const [open] = (await get('positions?externalUserId=pia')).body.positions;
    // 19.6 at 0.5 and 14 at 0.7: 19.60 of trade over 33.6 contracts
    expect(open).toMatchObject({
      quantity: 33.6,
      averagePrice: 0.583333,
      status: 'open',
      operatorMoney: { costBasis: '20.00' },
    });
    await trade('pia', { marketId, action: 'sell', stake: undefined, contracts: 33.6 });
    await trade('pia', { marketId });
    const list = async (query: string) => (await get(`positions?externalUserId=pia&${query}`)).body.positions;
    expect((await list('')).map(({ status }: { status: string }) => status)).toEqual(['open', 'closed']);
    expect(await list('status=closed')).toMatchObject([{ positionId: open.positionId, quantity: 0 }]);
    expect(await list('status=nonsense')).toEqual([]);
    expect(await list('status=settled')).toEqual([]);
    await service.sql`select * from decide_market(${marketId}, 'resolve', 'YES', null)`;
    await settleMarket(service.sql, marketId);
    expect(await list('status=settled')).toMatchObject([{ quantity: 0, operatorMoney: { costBasis: '0.00' } }]);
  });

  // contract 15.6, contract 15.7, contract 28.2
  test('unknown ids: an empty page, and 404 for one that is missing or foreign', async () => {
    expect((await get('positions?externalUserId=nobody')).body).toEqual({
      positions: [],
      count: 0,
      nextCursor: null,
      hasMore: false,
    });
    const [mine] = (await get('positions?externalUserId=pia')).body.positions;
    for (const answer of [
      await get('positions/pos_none'),
      await get(`positions/${mine.positionId}`, service.liveKey),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([404, 'position_not_found']);
    }
    expect((await get('positions?cursor=x')).body.error).toBe('invalid_cursor');
    const { nextCursor } = (await get('orders?limit=1')).body;
    expect((await get(`positions?cursor=${nextCursor}`)).body.error).toBe('invalid_cursor');
  });
});

// contract 9.3, contract 28.1, contract 28.2
test('a quote creates its customer, a read never does', async () => {
  const known = async (user: string) =>
    (await service.sql`select 1 from customers where external_user_id = ${user}`).length;
  await get('orders?externalUserId=rosa');
  await get('positions?externalUserId=rosa');
  await get('users/rosa/balance');
  await get('settlements?externalUserId=rosa');
  await get('reconciliation/feed?externalUserId=rosa');
  expect(await known('rosa')).toBe(0);
  await quote('rosa');
  expect(await known('rosa')).toBe(1);
  expect((await get('settlements?externalUserId=rosa')).body).toMatchObject({ settlements: [], hasMore: false });
});

// contract 1.11, contract 10.7
test('the mode is the tenant’s: nothing in a request makes a live tenant simulate or a sandbox live', async () => {
  const headers = { 'x-mode': 'live', 'x-service-mode': 'live' };
  const sandbox = await service.request('POST', '/api/v1/quotes?mode=live', {
    user: 'ana',
    headers,
    body: { marketId: alpha.contractId, side: 'YES', action: 'buy', stake: 10, mode: 'live' },
  });
  expect(sandbox.body.simulated).toBe(true);
  expect((await quote('ana', {}, service.liveKey)).body.simulated).toBe(false);
  expect([service.key.slice(0, 8), service.liveKey.slice(0, 8)]).toEqual(['pk_test_', 'sk_live_']);
});

// contract 9.11, contract 11.8
test('routing tells the truth: one venue, an unverified group, and the best price of a verified one', async () => {
  const grouped = await service.openMarket('grouped', { bids: [['0.40', '10000']], asks: [['0.50', '10000']] });
  await service.sql`
    insert into listings (venue, listing_id, contract_id, rank, feed, book_updated_at, book_confirmed_at, fee_model, fee_bps, fee_known,
      minimum_minor, minimum_quantity_micros, quantity_step_micros, revision)
    select 'paper-2', 'grouped-2', contract_id, 1, 'websocket', now(), now(), 'of_cost', 0, true, 100, 0, 10000, revision
    from contracts where contract_id = ${grouped.contractId}`;
  await service.sql`insert into routing_groups (group_key) values ('g')`;
  await service.sql`update contracts set group_key = 'g' where contract_id = ${grouped.contractId}`;
  await setBook(service.sql, grouped, { bids: [['0.39', '10000']], asks: [['0.45', '10000']] }, 'paper-2');
  await service.context.board.refresh();
  const marketId = grouped.contractId;
  const unverified = await trade('sam', { marketId });
  expect([unverified.averagePrice, unverified.routing]).toEqual([
    0.5,
    { reason: 'unverified_group', consideredVenues: 1 },
  ]);
  await service.sql`update routing_groups set verified_by = 'a person', verified_at = now() where group_key = 'g'`;
  await setBook(service.sql, grouped, { bids: [['0.39', '10000']], asks: [['0.45', '10000']] }, 'paper-2');
  await service.context.board.refresh();
  const quoted = await quote('sam', { marketId });
  expect(quoted.body).toMatchObject({ executionPrice: 0.45, routing: { consideredVenues: 2, routable: true } });
  const routed = await trade('sam', { marketId });
  expect([routed.averagePrice, routed.routing]).toEqual([0.45, { reason: 'best_price', consideredVenues: 2 }]);
  expect(JSON.stringify([quoted.body, routed])).not.toContain('paper');
  expect((await trade('sam')).routing).toEqual({ reason: 'single_venue', consideredVenues: 1 });
});

// contract 37.2
test('a feed that stopped confirming its books is degraded, and still 200', async () => {
  const status = async () => {
    const { status: code, body } = await service.request('GET', '/api/health', { key: null });
    return [code, body.status, body.stream.running];
  };
  const feed = async (confirmed: string, synced: string) => {
    await service.sql`
      with r as (update board_revision set revision = revision + 1 returning revision)
      insert into venue_feeds (venue, connected, session, confirmed_at, last_sync_at, revision)
      select 'paper', true, 1, now() - ${confirmed}::interval, now() - ${synced}::interval, revision from r
      on conflict (venue) do update set confirmed_at = excluded.confirmed_at, last_sync_at = excluded.last_sync_at, revision = excluded.revision`;
    await service.context.board.refresh();
  };
  expect(await status()).toEqual([200, 'starting', false]);
  await feed('0 s', '0 s');
  expect(await status()).toEqual([200, 'ok', true]);
  await feed('61 s', '0 s');
  expect(await status()).toEqual([200, 'degraded', false]);
  await feed('0 s', '301 s');
  expect(await status()).toEqual([200, 'degraded', false]);
});
