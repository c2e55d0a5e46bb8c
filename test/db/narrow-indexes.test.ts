/** The narrow indexes find what they are made for, and keep an event from being raised twice. */
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const [ONE, OTHER] = ['op_1mj5c0zrg8k2', 'op_1mj5c0zrg8k3'];
const LAST = 40_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // every fourth item is of the customer, and every 2,000th a settlement
  await database.sql`
    insert into feed_item_rows (operator_id, position, type, item_id, occurred_at, external_user_id, detail)
    select operator_id, position, case when position % 2000 = 0 then 'position.settled' else 'order.filled' end,
      'fil_' || position, now(), case when position % 4 = 0 then 'u1' else 'u2' end, '{}'
    from unnest(${[ONE, OTHER]}::text[]) operator_id, generate_series(1, ${LAST}) position`;
  await database.sql`analyze feed_item_rows`;
});
afterAll(() => database.close());

const blocksOf = async (sql: postgres.Sql) => {
  const [row] = await sql<[{ blocks: number }]>`
    select (sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read))::float8 as blocks
    from pg_statio_user_tables where relname like 'feed_item_rows%'`;
  return row.blocks;
};

const positions = async (type: string | null, user: string | null, after: number, limit: number) => {
  const rows = await database.sql<{ place: bigint }[]>`
    select place from feed_positions(${ONE}, ${type}, ${user}, ${after}, ${limit})`;
  return rows.map(({ place }) => Number(place));
};

test('items of one type, of one customer and of both come in order from any position', async () => {
  expect(await positions('position.settled', null, 0, 3)).toEqual([2_000, 4_000, 6_000]);
  expect(await positions('position.settled', null, 36_000, 3)).toEqual([38_000, LAST]);
  expect(await positions(null, 'u1', 39_991, 100)).toEqual([39_992, 39_996, LAST]);
  expect(await positions('order.filled', 'u1', 39_991, 100)).toEqual([39_992, 39_996]);
  expect(await positions(null, 'u1', 254, 3)).toEqual([256, 260, 264]);
  expect(await positions(null, 'nobody', 0, 3)).toEqual([]);
});

test('a page behind many items reads a few blocks, as at the beginning', async () => {
  const owner = postgres(database.ownerUrl, { max: 1 });
  const pagesRead = async (after: number) => {
    await owner`select pg_stat_force_next_flush()`;
    const before = await blocksOf(owner);
    await owner`select count(*) from feed_positions(${ONE}, 'order.filled', null, ${after}, 3)`;
    await owner`select pg_stat_force_next_flush()`;
    return (await blocksOf(owner)) - before;
  };
  for (const after of [0, 30_000, 39_000]) {
    expect(await pagesRead(after)).toBeLessThan(50);
  }
  await owner.end();
});

test('all parts of the indexes are there and in use', async () => {
  const broken = await database.sql`select indexrelid::regclass::text as name from pg_index where not indisvalid`;
  expect(broken).toEqual([]);
});
