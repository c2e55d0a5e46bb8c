/** The months in which feed and ledger are kept (docs/old-facts.md): which have begun, and the first one. */
import type { Sql } from '../../db/client.ts';

export interface FactMonth {
  /** Such as `2026-11`; null for what was recorded before the first month. */
  readonly month: string | null;
  /** Stored bytes of its feed items, with their indexes. */
  readonly feedBytes: number;
  /** Stored bytes of its ledger entries and lines, with their indexes. */
  readonly ledgerBytes: number;
  /** Stored bytes of the data that was moved away from its webhook events, with the index. */
  readonly eventBytes: number;
  /** Where it is stored: `pg_default` is the disk of the database itself. More than one only in the middle of a move. */
  readonly tablespaces: readonly string[];
}

/** @returns what was recorded before the first month, and then each month, oldest first. */
export function listFactMonths(sql: Sql): Promise<FactMonth[]> {
  return sql<FactMonth[]>`
    with part as (
      select null::integer as month, 'before' as suffix union all select month, suffix from fact_months
    ), stored as (
      select part.month, part.suffix, whole.name, pg_total_relation_size(leaf.relid) as bytes,
        coalesce(place.spcname::text, 'pg_default') as place
      from part cross join (values ('feed_item_rows'), ('ledger_entries'), ('ledger_line_rows')) whole(name)
        cross join lateral pg_partition_tree(to_regclass(whole.name || '_' || part.suffix)) leaf
        join pg_class made on made.oid = leaf.relid left join pg_tablespace place on place.oid = made.reltablespace
      where leaf.isleaf)
    select to_char(make_date((month - 1) / 12, (month - 1) % 12 + 1, 1), 'YYYY-MM') as month,
      (sum(bytes) filter (where name = 'feed_item_rows'))::float8 as feed_bytes,
      (sum(bytes) filter (where name <> 'feed_item_rows'))::float8 as ledger_bytes,
      coalesce((select sum(pg_total_relation_size(leaf.relid)) from pg_partition_tree('old_event_data') leaf
        where leaf.isleaf and case when stored.suffix = 'before'
          then leaf.relid::regclass::text not in (select 'old_event_data_' || suffix from fact_months)
          else leaf.relid = to_regclass('old_event_data_' || stored.suffix) end), 0)::float8 as event_bytes,
      array_agg(distinct place order by place) as tablespaces
    from stored group by stored.month, stored.suffix order by stored.month nulls first`;
}

/**
 * Begins the running month, and with it the keeping of facts by month; a worker begins those that follow. Facts that are recorded
 * meanwhile wait for some milliseconds.
 * @param owner a connection of the role that owns the tables.
 * @returns whether it began now; false if it had begun before.
 * @throws the database's 55P03 if a statement holds the tables for longer than 0.3 s; nothing has changed then.
 */
export async function beginFactMonths(owner: Sql): Promise<boolean> {
  const [row] = await owner<{ begun: string | null }[]>`select open_fact_month(fact_month_at(now())) as begun`;
  return typeof row?.begun === 'string';
}
