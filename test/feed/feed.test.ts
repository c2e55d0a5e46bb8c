/** The feed through HTTP: dense, in one order, safe under a transaction held open, every refusal, any depth. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeCursor } from '../../src/core/cursor.ts';
import { feedPage } from '../../src/wire/feed.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('feed');
  await world.buy(market, 'ana "quoted" \\');
  await world.buy(market, 'ben', 'NO');
  await world.sell(market, 'ana "quoted" \\', 8);
  await world.resolve(market, 'YES');
});
afterAll(() => world.close());

const read = (query = '', key?: string) =>
  world.request('GET', `/api/v1/reconciliation/feed?${query}`, key === undefined ? {} : { key });

interface Item {
  id: string;
  type: string;
  sequence: number;
  cursor: string;
}

async function readAll(query = '', from = ''): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = from;
  for (;;) {
    const { body } = await read(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...body.items);
    if (body.nextCursor === cursor && body.hasMore) {
      throw new Error('no progress');
    }
    cursor = body.nextCursor;
    if (!body.hasMore) {
      return items;
    }
  }
}

// contract 21.1, contract 21.6
test('pages of any size give the same items, dense from 1, as the schema describes them', async () => {
  const whole = await readAll('limit=500');
  expect(whole.map((item) => item.sequence)).toEqual(whole.map((_, index) => index + 1));
  expect(new Set(whole.map((item) => item.type))).toEqual(
    new Set([
      'order.state_changed',
      'order.filled',
      'fee.assessed',
      'ledger.posted',
      'position.exited',
      'position.settled',
      'webhook.emitted',
    ]),
  );
  expect(new Set(whole.map((item) => item.id)).size).toBe(whole.length);
  feedPage.parse((await read('limit=500')).body);
  expect(await readAll('limit=3')).toEqual(whole);
  expect(await readAll('limit=500')).toEqual(whole);
  const middle = whole[4];
  expect(await readAll('limit=2', middle?.cursor)).toEqual(whole.slice(5));
});

// contract 21.3
test('types and customers filter; a cursor is bound to neither', async () => {
  const whole = await readAll('limit=500');
  const fills = await readAll('type=order.filled&type=position.settled&limit=1');
  expect(fills).toEqual(whole.filter((item) => ['order.filled', 'position.settled'].includes(item.type)));
  const user = encodeURIComponent('ana "quoted" \\');
  const ana = await readAll(`externalUserId=${user}&limit=2`);
  expect(ana.length).toBeGreaterThan(5);
  expect(await readAll(`externalUserId=${user}&type=position.exited`)).toHaveLength(1);
  expect((await readAll('limit=500', ana[0]?.cursor))[0]?.sequence).toBe((ana[0]?.sequence ?? 0) + 1);
});

test('a page that ends with the last item says that nothing follows, and one that ends before it that something does', async () => {
  const whole = await readAll('limit=500');
  for (const filter of ['', '&externalUserId=ben', '&type=order.filled']) {
    const { length } = filter === '' ? whole : await readAll(`limit=500${filter}`);
    expect(length).toBeGreaterThan(1);
    const exact = await read(`limit=${length}${filter}`);
    expect(exact.body).toMatchObject({ hasMore: false });
    expect(exact.body.items).toHaveLength(length);
    const shorter = await read(`limit=${length - 1}${filter}`);
    expect(shorter.body).toMatchObject({ hasMore: true });
    expect(shorter.body.items).toHaveLength(length - 1);
  }
});

test('a reader goes on behind a row of the journal that is gone', async () => {
  const damaged = await world.tenant({ mode: 'sandbox' });
  const market = await world.openMarket('feed-gap');
  for (const user of ['ana', 'ben', 'cleo']) {
    await damaged.buy(market, user);
  }
  const before = await read('limit=500', damaged.key);
  await world.damage(
    `delete from journal where operator_id = '${damaged.operator.operatorId}' and external_user_id = 'ben'`,
  );
  const kept = before.body.items.filter((item: { externalUserId: string | null }) => item.externalUserId !== 'ben');
  expect(kept.length).toBeLessThan(before.body.items.length);
  const after: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await read(`limit=2${cursor}`, damaged.key);
    after.push(...body.items);
    if (!body.hasMore) {
      break;
    }
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(after).toEqual(kept);
});

// contract 4.11, contract 21.5
test('the tail is a watermark: hasMore false, the cursor a string from which a later read continues', async () => {
  const tail = await read('limit=900');
  expect(tail.body.hasMore).toBe(false);
  const caughtUp = await read(`cursor=${tail.body.nextCursor}`);
  expect(caughtUp.body).toEqual({ items: [], nextCursor: tail.body.nextCursor, hasMore: false });
  const fresh = await world.createOperator({ slug: 'fresh' });
  const { apiKey } = await world.issueKey(fresh);
  const empty = await read('', apiKey);
  expect(empty.body.items).toEqual([]);
  expect(typeof empty.body.nextCursor).toBe('string');
  expect((await read(`cursor=${empty.body.nextCursor}`, apiKey)).status).toBe(200);
});

// contract 4.13, contract 21.3, contract 21.4
test('refusals: unknown type, customer, malformed and foreign cursors; limits are clamped', async () => {
  const unknownType = await read('type=order.filled&type=nonsense');
  expect(unknownType.status).toBe(400);
  expect(unknownType.body).toMatchObject({ error: 'invalid_type' });
  expect(unknownType.body.message).toContain('collateral.moved');
  const unknownUser = await read('externalUserId=nobody');
  expect(unknownUser.status).toBe(404);
  expect(unknownUser.body.error).toBe('unknown_user');
  expect(unknownUser.headers.has('ratelimit-limit')).toBe(false);
  const mine = (await read('limit=1')).body.nextCursor;
  const foreign = [
    encodeCursor(`settlements:${world.operator.operatorId}`, ['3']),
    encodeCursor('feed:op_other', ['3']),
    encodeCursor(`feed:${world.operator.operatorId}`, ['-1']),
    encodeCursor(`feed:${world.operator.operatorId}`, [3]),
    encodeCursor(`feed:${world.operator.operatorId}`, ['99999999999999999999']),
    `${mine}x`,
    'garbage!',
    '',
  ];
  for (const cursor of foreign) {
    const refused = await read(`cursor=${encodeURIComponent(cursor)}`);
    expect([cursor, refused.status, refused.body.error]).toEqual([cursor, 400, 'invalid_cursor']);
  }
  expect((await read('limit=0')).body.items).toHaveLength(1);
  expect((await read('limit=501')).status).toBe(200);
  expect((await read('limit=ten')).status).toBe(200);
  const { apiKey } = await world.issueKey(world.operator, { scopes: ['markets:read'] });
  expect((await read('', apiKey)).body.error).toBe('insufficient_scope');
});

// contract 21.1
test('a transaction held open: nothing appears behind a cursor that was given out', async () => {
  const market = await world.openMarket('held');
  const before = (await readAll('limit=500')).length;
  const held = new pg.Client({ connectionString: world.database.url });
  await held.connect();
  await held.query('begin');
  await held.query(`select ensure_customer('${world.operator.operatorId}', 'held-open')`);
  const buys = Promise.all(Array.from({ length: 8 }, (_, index) => world.buy(market, `crowd-${index}`)));
  const seen: Item[] = [];
  let cursor = '';
  const follow = async () => {
    const { body } = await read(`limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...body.items);
    cursor = body.nextCursor;
  };
  for (let round = 0; round < 10; round += 1) {
    await follow();
  }
  expect(seen).toHaveLength(before);
  await held.query('commit');
  await held.end();
  await buys;
  for (let round = 0; round < 5; round += 1) {
    await follow();
  }
  expect(seen.map((item) => item.sequence)).toEqual(seen.map((_, index) => index + 1));
  expect(seen).toEqual(await readAll('limit=7'));
  expect(seen.length).toBeGreaterThan(before + 8 * 5);
});

// contract 4.11, contract 16.8, contract 16.9, contract 16.10
test('the settlements register: watermark, filters, refusals, and the deprecated list', async () => {
  const list = (query: string) => world.request('GET', `/api/v1/settlements?${query}`);
  const all = await list('');
  expect(all.body).toMatchObject({ count: 2, hasMore: false });
  const settled = (await readAll('type=position.settled')).map((item) => item.id);
  expect(all.body.settlements.map((one: { id: string }) => one.id)).toEqual(settled);
  const first = await list('limit=1');
  expect(first.body).toMatchObject({ count: 1, hasMore: true });
  expect(first.body.settlements[0].cursor).toBe(first.body.nextCursor);
  const second = await list(`limit=1&cursor=${first.body.nextCursor}`);
  expect(second.body.settlements[0].id).toBe(settled[1]);
  const tail = await list(`cursor=${second.body.nextCursor}`);
  expect(tail.body).toEqual({ settlements: [], count: 0, nextCursor: second.body.nextCursor, hasMore: false });
  expect((await list('limit=0')).body.count).toBe(1);
  expect((await list('limit=1000000')).body.count).toBe(2);
  expect((await list('outcome=won')).body.count).toBe(1);
  expect((await list('outcome=nonsense')).body.count).toBe(0);
  const at = all.body.settlements[0].settledAt;
  expect((await list(`settledFrom=${at}&settledTo=${at}`)).body.count).toBeGreaterThan(0);
  expect((await list('settledFrom=2100-01-01T00:00:00Z')).body.count).toBe(0);
  expect((await list('settledTo=2000-01-01T00:00:00Z')).body.count).toBe(0);
  expect((await list('settledFrom=yesterday')).body.error).toBe('invalid_date');
  expect((await list('externalUserId=nobody')).status).toBe(404);
  expect((await list(`cursor=${encodeCursor(`feed:${world.operator.operatorId}`, ['1'])}`)).body.error).toBe(
    'invalid_cursor',
  );
  const old = await world.request('GET', '/api/v1/settlements/positions?limit=1');
  expect(old.body).toMatchObject({ supersededBy: '/api/v1/settlements' });
  expect(old.headers.get('deprecation')).toBe('true');
  const next = await world.request('GET', `/api/v1/settlements/positions?limit=500&since=${old.body.cursor}`);
  expect(old.body.count + next.body.count).toBe(2);
  expect((await world.request('GET', '/api/v1/settlements/positions?since=x')).body.error).toBe('invalid_cursor');
});

test('amounts inside detail are decimal strings', async () => {
  const exits = await readAll('type=position.exited');
  expect(exits.length).toBeGreaterThan(0);
  const settled = await readAll('type=position.settled');
  for (const { detail } of [...exits, ...settled] as unknown as { detail: Record<string, unknown> }[]) {
    const amounts = Object.entries(detail).filter(([name]) => /Pnl$|costBasis|entryFeeShare/.test(name));
    expect(amounts.length).toBeGreaterThan(1);
    for (const [name, amount] of amounts) {
      expect([name, amount]).toEqual([name, expect.stringMatching(/^-?\d+\.\d{2}$/)]);
    }
  }
});
