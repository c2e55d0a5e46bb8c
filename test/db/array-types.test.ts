/** Arrays cross the driver both ways without its query for types, which a killed backend turns into a dead process. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.close();
});

test('arrays of text, numbers, big numbers, booleans, times and bytes go in and come out', async () => {
  const { sql } = database;
  const texts = ['', 'plain', 'a,b', 'say "x"', 'back\\slash', '{brace}', 'NULL', 'é 🏔', ' spaced ', 'line\nbreak'];
  const times = [new Date('2026-01-02T03:04:05.678Z')];
  const [row] = await sql`
    select ${texts}::text[] as texts, ${[]}::text[] as none, ${[1, -2]}::integer[] as integers,
      ${sql.array([2n ** 60n, -1n])}::bigint[] as bigs, ${['1.5']}::numeric[] as decimals,
      ${sql.array([true, false])}::boolean[] as flags, ${sql.array(times)}::timestamptz[] as times,
      array['a', null]::text[] as holes, array[[1, 2], [3, 4]] as nested, ${['x']}::varchar[] as varchars,
      array['{"a":[1]}'::jsonb] as documents, array['\\x00ff'::bytea] as bytes`;
  expect(row).toEqual({
    texts,
    none: [],
    integers: [1, -2],
    bigs: [2n ** 60n, -1n],
    decimals: ['1.5'],
    flags: [true, false],
    times,
    holes: ['a', null],
    nested: [
      [1, 2],
      [3, 4],
    ],
    varchars: ['x'],
    documents: [{ a: [1] }],
    bytes: [Buffer.from([0, 255])],
  });
});

test('the helper for inserts takes arrays', async () => {
  const { sql } = database;
  await sql`create temporary table if not exists arrays (words text[], numbers bigint[])`.catch(() => {});
  const [row] = await sql`select * from (values (${['a', 'b']}::text[], ${['1', '2']}::bigint[])) v (words, numbers)`;
  expect(row).toEqual({ words: ['a', 'b'], numbers: [1n, 2n] });
});
