/** Whether the months of feed and ledger that are in other tablespaces can be read: a disk that is gone is seen only by a read. */
import type { Sql } from '../db/client.ts';
import type { Check } from './check.ts';

interface Place {
  readonly root: string;
  readonly month: number | null;
  /** Of a partition of webhook events' data: the last id of what it may hold is before it. */
  readonly before: string | null;
  readonly tablespace: string;
}

/** @returns no check while everything is on the disk of the database. */
export async function checkOldFacts(sql: Sql): Promise<Check[]> {
  const places = await sql<Place[]>`
    select distinct root.name as root, begun.month, null as before, place.spcname::text as tablespace
    from (values ('feed_item_rows'), ('ledger_entries'), ('ledger_line_rows')) root(name)
      cross join lateral pg_partition_tree(root.name::regclass) leaf
      join pg_class part on part.oid = leaf.relid
      join pg_tablespace place on place.oid = part.reltablespace
      left join fact_months begun on part.relname = root.name || '_' || begun.suffix
    where leaf.isleaf and place.spcname <> 'pg_default'
    union all
    select 'old_event_data', null, event_id_at((to_date(right(part.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC'), place.spcname::text
    from pg_partition_tree('old_event_data') leaf join pg_class part on part.oid = leaf.relid
      join pg_tablespace place on place.oid = part.reltablespace
    where leaf.isleaf and place.spcname <> 'pg_default'
    order by 2 nulls first, 1, 3`;
  if (places.length === 0) {
    return [];
  }
  const names = [...new Set(places.map(({ tablespace }) => tablespace))].join(', ');
  for (const place of places) {
    const fault = await readOne(sql, place);
    if (fault !== null) {
      return [
        { name: 'old facts', ok: false, detail: `${place.root} in ${place.tablespace} cannot be read: ${fault}` },
      ];
    }
  }
  return [{ name: 'old facts', ok: true, detail: `readable in ${names}` }];
}

async function readOne(sql: Sql, { root, month, before }: Place): Promise<string | null> {
  try {
    if (before !== null) {
      await sql`select 1 from old_event_data where event_id < ${before} order by event_id desc limit 1`;
      return null;
    }
    // named so that the statement opens the partition of this month alone
    const inMonth = month === null ? sql`fact_month is null` : sql`fact_month = ${month}`;
    await sql`select 1 from ${sql(root)} where ${inMonth} limit 1`;
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
