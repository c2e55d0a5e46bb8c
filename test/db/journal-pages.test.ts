/** Pages of the journal begin anywhere, in the order of the index that fits what is asked for, and cost the same at any depth. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { type JournalFilter, readJournal, readJournalBackwards } from '../../src/ledger/journal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const [ONE, OTHER] = ['op_1mj5c0zrg8k2', 'op_1mj5c0zrg8k3'];
const ROWS = 40_000;
const LAST = 2 * ROWS;
const ALL: JournalFilter = {};
const SETTLED: JournalFilter = { kinds: ['position_settled'] };
const FILLED: JournalFilter = { kinds: ['order_filled'] };
const OF_CUSTOMER: JournalFilter = { externalUserId: 'u1' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = connect(database.ownerUrl, { max: 1, applicationName: 'inlay-test' });
  // what is counted below are the blocks that pages read: autovacuum would read the new rows at any moment
  const partitions = await owner<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'journal'::regclass`;
  for (const { name } of partitions) {
    await owner.unsafe(`alter table ${name} set (autovacuum_enabled = false)`);
  }
  // each row takes two positions; every fourth is of the customer, and every 2,000th a settlement; a month ends in the middle
  await database.sql`
    insert into journal (operator_id, sequence, items, kind, recorded_at, decided_at, external_user_id)
    select operator_id, 2 * n - 1, 2, (case when n % 2000 = 0 then 'position_settled' else 'order_filled' end)::journal_kind,
      now() + (case when n > ${ROWS / 2} then interval '1 month' else '0' end), now(), case when n % 4 = 0 then 'u1' else 'u2' end
    from unnest(${[ONE, OTHER]}::text[]) operator_id, generate_series(1, ${ROWS}) n`;
  await owner`analyze journal`;
  await owner.end();
});
afterAll(() => database.close());

const after = async (position: number, limit: number, filter: JournalFilter = {}) => {
  const rows = await readJournal(database.sql, ONE, BigInt(position), limit, filter);
  return rows.map(({ sequence }) => Number(sequence));
};

const before = async (position: number | undefined, limit: number, filter: JournalFilter = {}) => {
  const rows = await readJournalBackwards(
    database.sql,
    ONE,
    position === undefined ? undefined : BigInt(position),
    limit,
    filter,
  );
  return rows.map(({ sequence }) => Number(sequence));
};

test('rows of one kind, of one customer and of both come in order from any position', async () => {
  // each has two items, so that two rows have the first three
  expect(await after(0, 3)).toEqual([1, 3]);
  expect(await after(0, 3, SETTLED)).toEqual([3_999, 7_999, 11_999]);
  expect(await after(72_000, 3, SETTLED)).toEqual([75_999, LAST - 1]);
  expect(await after(LAST - 18, 100, OF_CUSTOMER)).toEqual([LAST - 17, LAST - 9, LAST - 1]);
  expect(await after(LAST - 18, 100, { ...FILLED, ...OF_CUSTOMER })).toEqual([LAST - 17, LAST - 9]);
  expect(await after(508, 3, OF_CUSTOMER)).toEqual([511, 519, 527]);
  expect(await after(0, 3, { externalUserId: 'nobody' })).toEqual([]);
  expect(await after(LAST, 3)).toEqual([]);
});

test('a row that begins before the position and has an item after it is the first of the page', async () => {
  expect(await after(71_999, 2, SETTLED)).toEqual([71_999, 75_999]);
  expect(await after(511, 2, OF_CUSTOMER)).toEqual([511, 519]);
  expect(await after(LAST - 1, 3)).toEqual([LAST - 1]);
});

test('backwards the newest come first', async () => {
  expect(await before(undefined, 2)).toEqual([LAST - 1, LAST - 3]);
  expect(await before(undefined, 2, SETTLED)).toEqual([LAST - 1, 75_999]);
  expect(await before(7_999, 3, SETTLED)).toEqual([3_999]);
  expect(await before(LAST - 1, 2, OF_CUSTOMER)).toEqual([LAST - 9, LAST - 17]);
  expect(await before(undefined, 1, { ...FILLED, ...OF_CUSTOMER })).toEqual([LAST - 9]);
});

test('a page behind many rows reads a few blocks, as at the beginning', async () => {
  // what was read is counted when the one session is idle
  const sql = connect(database.ownerUrl, { max: 1, applicationName: 'inlay-test' });
  const pagesRead = async (read: () => Promise<unknown>) => {
    // the first one plans
    await read();
    await sql`select pg_stat_force_next_flush()`;
    const earlier = await blocksOf(sql);
    await read();
    await sql`select pg_stat_force_next_flush()`;
    return (await blocksOf(sql)) - earlier;
  };
  for (const filter of [ALL, FILLED, SETTLED, OF_CUSTOMER, { ...FILLED, ...OF_CUSTOMER }]) {
    for (const position of [0n, 60_000n, 78_000n]) {
      const forwards = await pagesRead(() => readJournal(sql, ONE, position, 3, filter));
      expect(forwards).toBeGreaterThan(0);
      expect(forwards).toBeLessThan(50);
      const backwards = await pagesRead(() => readJournalBackwards(sql, ONE, position + 10n, 3, filter));
      expect(backwards).toBeGreaterThan(0);
      expect(backwards).toBeLessThan(50);
    }
  }
  await sql.end();
});

async function blocksOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ blocks: number }[]>`
    select (sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read))::float8 as blocks
    from pg_statio_user_tables where relname like 'journal%'`;
  return row?.blocks ?? 0;
}

test('all parts of the indexes are there and in use', async () => {
  const broken = await database.sql`select indexrelid::regclass::text as name from pg_index where not indisvalid`;
  expect(broken).toEqual([]);
});
