/** The facts of a command as record_facts takes them: which of them is a row, and which follows in it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fact, FEED_ITEM_TYPES, type FeedItemType } from '../../src/core/fact.ts';
import { packFacts } from '../../src/db/feed-facts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const COMMAND = { command: 1, operatorId: 'op_1', externalUserId: 'ana\t"x"', orderId: 'ord_1' };

const fact = (type: FeedItemType, itemId: string, more: Partial<Fact> = {}): Fact => ({
  type,
  itemId,
  money: null,
  detail: { text: 'a\tb\nc' },
  ...more,
});
const entry = (itemId: string) => fact('ledger.posted', itemId, { lines: [['stakes', '5']] });
const packed = (facts: readonly Fact[]) => packFacts(facts, COMMAND, 11).map((text) => JSON.parse(text));

describe('a command', () => {
  test('is a row with what follows, an entry and an event', () => {
    const rows = packed([
      fact('order.state_changed', 'chg_1'),
      fact('order.filled', 'fil_1'),
      entry('ent_1'),
      fact('fee.assessed', 'fee_1', { money: { amount: '0.20' } }),
      fact('webhook.emitted', 'evn_1', { event: { orderId: 'ord_1' } }),
    ]);
    expect(rows).toMatchObject([
      { ord: 11, item_id: 'chg_1', place: 0, places: 5, items: 4 },
      { ord: 13, item_id: 'ent_1', place: 2, places: 5, items: 1, following: null },
      { ord: 15, item_id: 'evn_1', place: 4, places: 5, items: 0, following: null, event: { orderId: 'ord_1' } },
    ]);
    const detail = '{"text":"a\\tb\\nc"}';
    expect(rows[0].following).toBe(
      `\nf\tfil_1\t\t${detail}\n-\na\tfee_1\t{"amount":"0.20"}\t${detail}\nw\tevn_1\t\t${detail}`,
    );
  });

  test('filled at once is a row of short items; a full one among them stays full', () => {
    const rows = packed([
      fact('order.state_changed', 'chg_1', { money: { amount: '1.00' }, short: ['filled', 'YES'] }),
      fact('order.filled', 'fil_1', { short: ['3', '0.5'] }),
      entry('ent_1'),
      fact('position.exited', 'exi_1'),
      fact('webhook.emitted', 'evn_1', { short: [] }),
      fact('webhook.emitted', 'evn_2', { event: {} }),
    ]);
    expect(rows.map(({ item_id, items }) => [item_id, items])).toEqual([
      [null, 5],
      ['ent_1', 1],
      ['evn_2', 0],
    ]);
    expect(rows[0]).toMatchObject({ money: null, detail: ' filled YES ' });
    const detail = '{"text":"a\\tb\\nc"}';
    expect(rows[0].following).toBe(`\nf 3 0.5\n-\nx\texi_1\t\t${detail}\nw\nw\tevn_2\t\t${detail}`);
  });

  test('has no short items in the row of another one', () => {
    const [row] = packed([
      fact('order.state_changed', 'chg_2'),
      fact('order.filled', 'fil_1', { short: ['3', '0.5'] }),
    ]);
    expect(row).toMatchObject({ item_id: 'chg_2', following: expect.stringContaining('\nf\tfil_1\t') });
  });

  test('begins a row with each item that never follows, and has no event twice', () => {
    const rows = packed([
      entry('ent_1'),
      fact('collateral.moved', 'mov_1'),
      fact('position.settled', 'stl_1'),
      fact('webhook.emitted', 'evn_1', { event: {} }),
    ]);
    expect(rows.map(({ item_id, place, items }) => [item_id, place, items])).toEqual([
      ['ent_1', 0, 1],
      ['mov_1', 1, 1],
      ['stl_1', 2, 2],
      ['evn_1', 3, 0],
    ]);
  });

  test('with an event alone is a row with its event', () => {
    expect(packed([fact('webhook.emitted', 'evn_1', { event: { one: 1 } })])).toMatchObject([
      { item_id: 'evn_1', place: 0, places: 1, items: 1, following: null, event: { one: 1 } },
    ]);
  });

  test('has as many items as places, and none further behind its row than a reader looks', async () => {
    const [reach] = await database.sql<{ reach: number }[]>`select feed_row_reach() as reach`;
    const rows = packed([
      fact('order.state_changed', 'chg_1'),
      ...Array.from({ length: 100 }, (_, n) => fact('order.filled', `fil_${n}`)),
    ]);
    const items = rows.reduce((sum, row) => sum + row.items, 0);
    expect([items, rows[0].places]).toEqual([101, 101]);
    const furthest = rows.map(({ following }) => following.split('\n').length - 1);
    expect(Math.max(...furthest)).toBe((reach?.reach ?? 0) - 1);
  });
});

test.each(FEED_ITEM_TYPES)('%s has the same letter here and in the database, or none', async (type) => {
  const [first, second] = packed([fact('order.state_changed', 'chg_1'), fact(type, 'x_1')]);
  const letter = first.following === null ? null : first.following[1];
  const [known] = await database.sql<{ letter: string | null; type: string | null }[]>`
    select following_kind(${type}) as letter, following_type(${letter}) as type`;
  expect(known).toEqual({ letter, type: letter === null ? null : type });
  expect(second === undefined).toBe(letter !== null);
});
