/**
 * An entry is its own item of the feed (migration 0064), and the items that follow the first one of a command are in its row
 * (migration 0066); before, each item had a row. Everything reads the same of all forms: books of today are turned into the older
 * form, some rows or all of them, and compared with what was read before.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctEntry } from '../../src/ledger/correct-entry.ts';
import { sealLedger, verifyLedger } from '../../src/ledger/seal.ts';
import { loadLogSigner, logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { verifyFeed } from '../../src/ledger/transparency-log/verify-feed.ts';
import { traceOrder } from '../../src/reconciliation/order-trace/trace-order.ts';
import { findOrders } from '../../src/trading/orders/find-orders.ts';
import { startWorld, type World } from '../reconciliation/world.ts';
import { followingAsRows, itemsAsRows } from '../support/item-rows.ts';

interface FeedItem {
  readonly id: string;
  readonly sequence: number;
  readonly orderId: string | null;
}

let world: World;
let placed = '';
let corrected = '';
let verifierKey = '';

beforeAll(async () => {
  world = await startWorld();
  const { sql, context } = world.service;
  const [won, open] = [await world.market('items-won'), await world.market('items-open')];
  placed = (await world.buy(won, 'ana')).orderId;
  await world.buy(open, 'ben "b"', 'NO', 7);
  await world.sell(won, 'ana', 5);
  await world.buy(open, 'cem', 'YES', 50, { executionIntent: 'record_intent' });
  const [entry] = await sql<{ entryId: string }[]>`
    select entry_id from ledger_entries where reference_id = ${placed} and movement_type = 'ORDER_FILL'`;
  // five lines, a memo that JSON must escape, an effective time of its own
  corrected = await correctEntry(sql, world.operatorId, {
    entryId: entry?.entryId ?? '',
    memo: 'To the "wrong" customer\n\t\\ €',
    lines: [
      ['wallet:ben "b"', -300n],
      ['stakes', 100n],
      ['wallet:ana', 50n],
      ['result', 70n],
      ['fees:platform', 80n],
    ],
  });
  await correctEntry(sql, world.operatorId, { entryId: corrected, memo: 'Taken back' });
  await world.resolve(won, 'YES');
  await sealLedger(sql);
  const signer = loadLogSigner(context.environment, context.secrets);
  await sealFeeds(sql, signer);
  verifierKey = logVerifierKey(world.operatorId, signer);
});
afterAll(() => world.close());

const get = async (path: string) => world.service.request('GET', path);

/** Every page of a feed, small enough that each holds few items of either kind. */
async function readPages(query: string, limit: number): Promise<string[]> {
  const pages: string[] = [];
  for (let cursor = ''; ; ) {
    const { text, body } = await get(`/api/v1/reconciliation/feed?limit=${limit}${query}${cursor}`);
    pages.push(text);
    cursor = `&cursor=${body.nextCursor}`;
    if (!body.hasMore) {
      return pages;
    }
  }
}

async function readAll(): Promise<Record<string, unknown>> {
  const { sql } = world.service;
  const { ranAt: _, ...report } = (await get('/api/v1/reconciliation')).body;
  const exported = async (kind: string, format: string) =>
    (await get(`/api/v1/reconciliation/export?kind=${kind}&format=${format}`)).text;
  return {
    report,
    feed: await readPages('', 500),
    small: await readPages('', 3),
    single: await readPages('', 1),
    filled: await readPages('&type=order.filled', 1),
    fees: await readPages('&type=fee.assessed&type=position.exited', 2),
    emitted: await readPages('&type=webhook.emitted', 3),
    settled: await readPages('&type=position.settled', 1),
    changed: await readPages('&externalUserId=ana&type=order.state_changed', 1),
    filledOfUser: await readPages('&externalUserId=ana&type=order.filled&type=webhook.emitted', 1),
    last: await Promise.all(
      [
        '',
        '&type=order.filled',
        '&externalUserId=ana',
        '&externalUserId=ana&type=webhook.emitted&type=ledger.posted',
      ].map(async (query) => (await get(`/api/v1/reconciliation/feed?last=3${query}`)).text),
    ),
    posted: await readPages('&type=ledger.posted', 2),
    several: await readPages('&type=ledger.posted&type=order.filled', 2),
    ofUser: await readPages('&externalUserId=ana', 2),
    ofOther: await readPages(`&externalUserId=${encodeURIComponent('ben "b"')}`, 1),
    ofBoth: await readPages('&externalUserId=ana&type=ledger.posted', 1),
    wallets: await Promise.all(
      ['ana', 'ben "b"'].map(
        (user) => sql`select * from account_positions(${world.operatorId}, ${`wallet:${user}`}, 1000, 100) order by 1`,
      ),
    ),
    csv: await exported('feed', 'csv'),
    lines: await exported('feed', 'jsonl'),
    ledger: await exported('ledger', 'csv'),
    charged: await exported('fees', 'csv'),
    positions: await exported('positions', 'csv'),
    orders: await exported('orders', 'csv'),
    trace: await Promise.all((await findOrders(sql, placed, {})).map((order) => traceOrder(sql, order))),
    records: await exported('records', 'jsonl'),
    sealed: await verifyLedger(sql, world.operatorId),
    log: await verifyFeed(sql, world.operatorId, verifierKey),
    order: (await get(`/api/v1/orders/${placed}`)).text,
  };
}

test('an entry has no item beside it, and its item says what its lines are', async () => {
  const { sql } = world.service;
  const rows = await sql`select 1 from feed_item_rows where type = 'ledger.posted'`;
  expect(rows).toEqual([]);
  const items: FeedItem[] = (await readPages('&type=ledger.posted', 500)).flatMap((page) => JSON.parse(page).items);
  const entries = await sql<{ count: number }[]>`select count(*)::int as count from ledger_entries`;
  expect(items).toHaveLength(entries[0]?.count ?? 0);
  expect(items.find(({ id }) => id === corrected)).toMatchObject({
    externalUserId: null,
    orderId: null,
    money: {
      currency: 'USD',
      amount: '3.00',
      lines: [
        { accountId: 'wallet:ben "b"', debit: '0.00', credit: '3.00' },
        { accountId: 'stakes', debit: '1.00', credit: '0.00' },
        { accountId: 'wallet:ana', debit: '0.50', credit: '0.00' },
        { accountId: 'result', debit: '0.70', credit: '0.00' },
        { accountId: 'fees:platform', debit: '0.80', credit: '0.00' },
      ],
    },
    detail: { memo: 'To the "wrong" customer\n\t\\ €', referenceType: expect.any(String) },
  });
  expect(items.find(({ orderId }) => orderId === placed)).toMatchObject({ externalUserId: 'ana' });
});

test('a purchase is one row of the feed, one entry and one event', async () => {
  const { sql } = world.service;
  const rows = await sql`
    select type, following_kinds(following) as kinds from feed_item_rows where order_id = ${placed}`;
  expect(rows).toEqual([{ type: 'order.state_changed', kinds: 'afw' }]);
  const items = await sql<{ type: string; step: number }[]>`
    select type, (position - min(position) over ())::int as step from feed_items where order_id = ${placed} order by position`;
  expect(items.map(({ type, step }) => `${step} ${type}`)).toEqual([
    '0 order.state_changed',
    '1 order.filled',
    '2 ledger.posted',
    '3 fee.assessed',
    '4 webhook.emitted',
  ]);
});

test('feed, filters, report, log, seals and exports of all forms are the same', async () => {
  const before = await readAll();
  expect(before).toMatchObject({ report: { ok: true }, sealed: [{ ok: true }], log: { ok: true } });
  for (const which of ['position % 2 = 0', 'position < 9', 'true']) {
    await world.damage(followingAsRows(which).join(';'));
    expect(await readAll()).toEqual(before);
  }
  expect(await world.service.sql`select 1 from feed_item_rows where following is not null`).toEqual([]);
  for (const which of ['position % 2 = 0', 'position < 9', 'true']) {
    await world.damage(itemsAsRows(which).join(';'));
    expect(await readAll()).toEqual(before);
  }
  expect(await world.service.sql`select 1 from ledger_entries where is_item`).toEqual([]);
});

test('trading goes on behind them, and a page over both forms is in order', async () => {
  await world.buy(await world.market('items-later'), 'ana');
  const pages = await readPages('', 4);
  const sequences = pages.flatMap((page) => JSON.parse(page).items.map(({ sequence }: FeedItem) => sequence));
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect((await get('/api/v1/reconciliation')).body).toMatchObject({ ok: true });
});

test.each([
  ['an order that the item does not name', 'ledger.posted', "'order'", '[["stakes",5],["result",-5]]'],
  ['lines on a fact of another type', 'webhook.emitted', "'deposit'", '[["stakes",5],["result",-5]]'],
])('an entry is refused with %s, whole', async (_, type, reference, lines) => {
  const { sql } = world.service;
  const recorded =
    sql.unsafe(`select record_facts(array[one_fact(1, '${world.operatorId}', '${type}', 'ent_odd', null, null, null, null,
    json_build_object('movementType', 'ORDER_FILL', 'memo', 'x', 'referenceType', ${reference}, 'referenceId', 'x'), '${lines}', null)])`);
  await expect(recorded).rejects.toMatchObject({ code: 'IN004' });
  expect(await sql`select 1 from feed_items where item_id = 'ent_odd'`).toEqual([]);
});
