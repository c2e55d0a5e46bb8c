/**
 * An entry is its own item of the feed, and the items that follow the first one of a command are in its row.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { correctEntry } from '../../src/ledger/correct-entry.ts';
import { startWorld, type World } from '../reconciliation/world.ts';

interface FeedItem {
  readonly id: string;
  readonly sequence: number;
  readonly orderId: string | null;
}

let world: World;
let placed = '';
let corrected = '';

beforeAll(async () => {
  world = await startWorld();
  const { sql } = world.service;
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

test('an entry has no item beside it, and its item says what its lines are', async () => {
  const { sql } = world.service;
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

test('pages over rows and entries are in order', async () => {
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
