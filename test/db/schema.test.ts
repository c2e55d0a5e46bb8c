/**
 * What all migrations together have made is written down in sql/schema.sql, so that a migration shows as a difference that can
 * be read. After a migration: npx vitest run test/db/schema.test.ts -u
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const HEADER = `-- What the migrations together have made, functions aside. Written by a test, never applied: npx vitest run test/db/schema.test.ts -u
`;

/** Of `public`, and of this project: what a release of PostgreSQL or a library makes is left out. */
const OURS = `n.nspname = 'public' and c.relname not in ('schema_migrations')`;

const TYPES = `
  select case t.typtype
    when 'd' then format('create domain %s as %s%s', t.typname, format_type(t.typbasetype, t.typtypmod),
      (select coalesce(string_agg(' ' || pg_get_constraintdef(k.oid), '' order by k.conname), '') from pg_constraint k where k.contypid = t.oid and k.contype = 'c'))
      || coalesce(' collate ' || quote_ident(l.collname), '')
    else format(E'create type %s as (\\n  %s\\n)', t.typname, (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), E',\\n  ' order by a.attnum)
      from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)) end as text
  from pg_type t join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
    left join pg_collation l on l.oid = t.typcollation and t.typcollation <> 'pg_catalog."default"'::regcollation
  where n.nspname = 'public' and (t.typtype = 'd' or (t.typtype = 'c' and c.relkind = 'c')) order by t.typname`;

const TABLES = `
  select format(E'create %stable %s', case c.relpersistence when 'u' then 'unlogged ' else '' end, c.relname)
    || case when c.relispartition then format(' partition of %s %s', (select i.inhparent::regclass from pg_inherits i where i.inhrelid = c.oid), pg_get_expr(c.relpartbound, c.oid))
       else E' (\\n  ' || concat_ws(E',\\n  ', (
         select string_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)) || coalesce(' collate ' || quote_ident(l.collname), '')
             || case when a.attnotnull then ' not null' else '' end || case a.attidentity when '' then '' else ' generated always as identity' end
             || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''), E',\\n  ' order by a.attnum)
         from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
           left join pg_type t on t.oid = a.atttypid left join pg_collation l on l.oid = a.attcollation and a.attcollation <> t.typcollation
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), (
         select string_agg(format('constraint %s %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n  ' order by k.contype desc, k.conname)
         from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c'))) || E'\\n)' end
    || coalesce(' partition by ' || pg_get_partkeydef(c.oid), '') || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')
    || coalesce((select E';\\n' || string_agg(pg_get_indexdef(i.indexrelid), E';\\n' order by i.indexrelid::regclass::text collate "C") from pg_index i
         where i.indrelid = c.oid and not c.relispartition and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))), '')
    || coalesce((select E';\\n' || string_agg(pg_get_triggerdef(g.oid), E';\\n' order by g.tgname) from pg_trigger g
         where g.tgrelid = c.oid and not g.tgisinternal and g.tgparentid = 0), '') as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'p') order by c.relname`;

const VIEWS = `
  select format(E'create view %s%s as\\n%s', c.relname, coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''), pg_get_viewdef(c.oid))
    || coalesce((select string_agg(pg_get_triggerdef(g.oid) || ';', E'\\n' order by g.tgname) from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal), '') as text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind = 'v' order by c.relname`;

test('sql/schema.sql is what the migrations make', async ({ skip }) => {
  const { sql } = database;
  const [server] = await sql<
    { version: number }[]
  >`select current_setting('server_version_num')::int / 10000 as version`;
  // another release words the same constraints differently
  skip(server?.version !== 18, 'written from PostgreSQL 18');
  const parts = [
    ...(await sql<{ text: string }[]>`${sql.unsafe(TYPES)}`),
    ...(await sql<{ text: string }[]>`${sql.unsafe(TABLES)}`),
    ...(await sql<{ text: string }[]>`${sql.unsafe(VIEWS)}`),
  ];
  expect(parts.length).toBeGreaterThan(50);
  await expect(`${HEADER}\n${parts.map(({ text }) => `${text};\n`).join('\n')}`).toMatchFileSnapshot(
    '../../sql/schema.sql',
  );
});
