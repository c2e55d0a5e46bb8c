/** Sizes in pages of each table and of each of its indexes, those of partitions added up. */
import type { Sql } from '../src/db/client.ts';

/** Bytes by name: of a table's rows under its own name, of an index under `table: index`. */
export type Sizes = ReadonlyMap<string, number>;

/** Reads the sizes of the tables of a schema; those of the bench itself are left out. */
export async function readSizes(sql: Sql, schema: string): Promise<Sizes> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select name, sum(pg_relation_size(oid))::float8 as bytes from (
      select held.oid, coalesce(parent.relname, held.relname)::text as name
      from pg_class held left join pg_inherits child on child.inhrelid = held.oid
        left join pg_class parent on parent.oid = child.inhparent
      where held.relkind = 'r' and held.relnamespace = ${schema}::regnamespace
      union all
      select held.oid, coalesce(owner.relname, own.relname) || ': ' || coalesce(parent.relname, held.relname)
      from pg_index entry join pg_class held on held.oid = entry.indexrelid join pg_class own on own.oid = entry.indrelid
        left join pg_inherits child on child.inhrelid = held.oid left join pg_class parent on parent.oid = child.inhparent
        left join pg_inherits part on part.inhrelid = own.oid left join pg_class owner on owner.oid = part.inhparent
      where held.relkind = 'i' and own.relnamespace = ${schema}::regnamespace) relation
    where name not like 'bench%' group by name`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** @returns lines of a Markdown table: the growth between two readings, the largest first, for each of `count` */
export function growthLines(before: Sizes, after: Sizes, count: number): string[] {
  const grown = [...after]
    .map(([name, bytes]) => ({ name, each: (bytes - (before.get(name) ?? 0)) / count }))
    .filter(({ each }) => each >= 1)
    .sort((one, other) => other.each - one.each);
  return [
    '| table, or its index | bytes an order |',
    '|---|---|',
    ...grown.map(({ name, each }) => `| \`${name}\` | ${each.toFixed(0)} |`),
    `| together | ${grown.reduce((sum, { each }) => sum + each, 0).toFixed(0)} |`,
  ];
}
