/** The parts of feed and ledger: the partitions that hold their rows, and which of them may leave the fast disk. */
import type { Sql } from '../../db/client.ts';

export const FACT_TABLES = ['ledger_entries', 'ledger_line_rows', 'feed_item_rows'] as const;
export type FactTable = (typeof FACT_TABLES)[number];

/** A partition that can be moved. */
export interface StoredPart {
  /** Of the table that holds the rows, such as `feed_item_rows_202411`. */
  readonly name: string;
  /** The table that it is attached to: the whole, or its part of before the first month. */
  readonly parent: string;
  /** How it is attached, such as `FOR VALUES IN ('24299')`. */
  readonly bound: string;
  /** The same as a condition that its rows meet. */
  readonly condition: string;
  /** Columns of its primary key, in order. */
  readonly key: readonly string[];
  /** Stored bytes with its indexes. */
  readonly bytes: number;
}

export interface FactPart extends StoredPart {
  /** The whole that it is a part of. */
  readonly root: FactTable;
  /** Year * 12 + month; of what was recorded before the first month, the month before that one. Null: no month has begun. */
  readonly month: number | null;
  readonly tablespace: string;
}

/** The disk of the database itself. */
export const MAIN_TABLESPACE = 'pg_default';

/** @returns the oldest first, and within a month in the order in which facts are recorded. */
export function listFactParts(owner: Sql): Promise<FactPart[]> {
  return owner<FactPart[]>`
    select part.relname::text as name, root.name as root, leaf.parentrelid::regclass::text as parent,
      pg_get_expr(part.relpartbound, part.oid) as bound, pg_get_partition_constraintdef(part.oid) as condition,
      array(select key_column.attname::text
        from pg_index made cross join unnest(made.indkey::smallint[]) with ordinality place (number, at)
          join pg_attribute key_column on key_column.attrelid = part.oid and key_column.attnum = place.number
        where made.indrelid = part.oid and made.indisprimary order by place.at) as key,
      coalesce(begun.month, (select min(month) - 1 from fact_months))::integer as month,
      coalesce(place.spcname::text, ${MAIN_TABLESPACE}) as tablespace,
      pg_total_relation_size(part.oid)::float8 as bytes
    from unnest(${[...FACT_TABLES]}::text[]) with ordinality root (name, at)
      cross join lateral pg_partition_tree(root.name::regclass) leaf
      join pg_class part on part.oid = leaf.relid
      left join pg_tablespace place on place.oid = part.reltablespace
      left join fact_months begun on part.relname = root.name || '_' || begun.suffix
    where leaf.isleaf
    order by coalesce(begun.month, 0), root.at, part.relname`;
}

/**
 * The last complete month of which `keepMonths` complete months have passed since. The running month never counts.
 * @param keepMonths at least 1
 */
export async function lastOldMonth(owner: Sql, keepMonths: number): Promise<number> {
  const [row] = await owner<[{ month: number }]>`
    select (least(fact_month_at(now()), (select max(month) from fact_months)) - 1 - ${keepMonths}::integer)::integer as month`;
  return row.month;
}

/** The first moment after the last old month: what was recorded before it is old. @param keepMonths at least 1 */
export async function endOfOldMonths(owner: Sql, keepMonths: number): Promise<Date> {
  const last = await lastOldMonth(owner, keepMonths);
  return new Date(Date.UTC(Math.floor(last / 12), last % 12));
}

/**
 * Whether everything in the part is proven by what was signed or sealed after it. Nothing else is moved, so that the proof of a
 * fact never depends on the move.
 */
export async function isSealed(owner: Sql, { name, root }: FactPart): Promise<boolean> {
  const through =
    root === 'feed_item_rows'
      ? owner`select head.size as through from feed_log_heads head where head.operator_id = held.operator_id`
      : owner`select least(
          (select max(through_position) from ledger_seals seal where seal.operator_id = held.operator_id),
          (select max(through_position) from record_seals seal where seal.operator_id = held.operator_id)) as through`;
  const [open] = await owner`
    select 1 from (select operator_id, max(position) as last from ${owner(name)} group by operator_id) held
      left join lateral (${through}) proven on true
    where held.last > coalesce(proven.through, 0) limit 1`;
  return open === undefined;
}

/** A ledger seal over entries of this part that no longer fits them, as `operator, number`; null if all fit. */
export async function findBrokenSeal(owner: Sql, { name }: FactPart): Promise<string | null> {
  const [broken] = await owner<{ seal: string }[]>`
    select seal.operator_id || ', ' || seal.number as seal
    from (select operator_id, min(position) as first, max(position) as last from ${owner(name)} group by operator_id) held
      join ledger_seals seal on seal.operator_id = held.operator_id
        and seal.through_position >= held.first and seal.after_position < held.last
    where seal.digest <> ledger_digest(seal.operator_id, seal.after_position, seal.through_position) limit 1`;
  return broken?.seal ?? null;
}

export async function listOperatorsIn(owner: Sql, { name }: FactPart): Promise<string[]> {
  const rows = await owner<{ operatorId: string }[]>`select distinct operator_id from ${owner(name)}`;
  return rows.map(({ operatorId }) => operatorId);
}
