/** The schema shards by operator as it stands: what belongs to an operator is keyed by it (docs/scale.md). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/**
 * Found before the operator is known, and few: tables that every shard has whole. A finding about an account at a venue and a break
 * of a venue's statement may belong to no operator at all.
 */
const EVERYWHERE = ['operators', 'api_keys', 'venue_findings'];

test('leads every primary key of a tenant with operator_id, and has it in every unique key', async () => {
  const keys = await database.sql<{ table: string; key: string; primary: boolean; columns: string[] }[]>`
    select t.relname as table, x.relname as key, i.indisprimary as primary,
      (select array_agg(a.attname::text order by k.place) from unnest(i.indkey::smallint[]) with ordinality k(number, place)
         join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) as columns
    from pg_class t join pg_index i on i.indrelid = t.oid join pg_class x on x.oid = i.indexrelid
    where t.relnamespace = 'public'::regnamespace and i.indisunique
      and not t.relispartition
      and exists (select 1 from pg_attribute a where a.attrelid = t.oid and a.attname = 'operator_id' and not a.attisdropped)`;
  const ofTenants = keys.filter(({ table }) => !EVERYWHERE.includes(table));
  expect(ofTenants.filter(({ primary }) => primary).length).toBeGreaterThan(20);
  expect(ofTenants.filter(({ primary, columns }) => primary && columns[0] !== 'operator_id')).toEqual([]);
  expect(ofTenants.filter(({ columns }) => !columns.includes('operator_id'))).toEqual([]);
});

test('has no table of a tenant without a primary key', async () => {
  const bare = await database.sql`
    select t.relname from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
      and exists (select 1 from pg_attribute a where a.attrelid = t.oid and a.attname = 'operator_id' and not a.attisdropped)
      and not exists (select 1 from pg_index i where i.indrelid = t.oid and i.indisprimary)`;
  expect(bare).toEqual([]);
});
