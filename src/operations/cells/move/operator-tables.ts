/**
 * The tables that hold rows of operators, read from the catalogue of the database, so that no new table can be forgotten.
 * A table is here if it has a column `operator_id`; the statements of banks have the operator in `account`.
 */
import type { HostedClient } from '../../../db/pg-client.ts';

export interface OperatorTable {
  readonly name: string;
  /** Columns that a row is written with: all but generated ones. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Partitions by month have the key each for itself, so that no `on conflict` can name it. */
  readonly keyOfWhole: boolean;
  /** It refuses every change of a row, so rows that were copied once stay as they are. */
  readonly appendOnly: boolean;
  /** Condition for the rows of the operators in `$1`; without an alias, so it fits a query of this table alone. */
  readonly scope: string;
  /** The same for a new row in a trigger, with `%IDS%` for the operators. */
  readonly fence: string;
  /** Column whose numbers come from a sequence. */
  readonly numbered: string | null;
  /** A trigger refuses or checks the removal of its rows, so none vanishes. */
  readonly keepsRows: boolean;
}

/** Of the move itself, findings about an account at a venue, and in which month a cell keeps a fact: they belong to their cell. */
const NOT_MOVED = ['operator_moves', 'transmissions_elsewhere', 'venue_findings', 'fact_month_starts'];
/** Its default is the running month of the cell that the row comes to. */
const OF_THE_CELL = 'fact_month';
const BANK = `kind = 'bank' and account`;
const BY_ACCOUNT = ['outside_statements', 'outside_rows', 'outside_breaks'];

interface Row {
  readonly name: string;
  readonly columns: string[];
  readonly key: string[];
  readonly keyOfWhole: boolean;
  readonly appendOnly: boolean;
  readonly numbered: string | null;
  readonly keepsRows: boolean;
  readonly needs: string[];
}

/** In an order in which rows can be inserted: what others refer to comes first. */
export async function listOperatorTables(client: HostedClient): Promise<OperatorTable[]> {
  const { rows } = await client.query<Row>(
    `select t.relname::text as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
               and a.attgenerated = '' and a.attname <> $3 order by a.attnum) as columns,
       array(select a.attname::text from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality k (number, place)
               join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
              where i.indrelid = coalesce((select min(p.relid::oid) from pg_partition_tree(t.oid) p
                  where t.relkind = 'p' and p.isleaf), t.oid) and i.indisprimary order by k.place) as key,
       exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary) as "keyOfWhole",
       exists (select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
                where g.tgrelid = t.oid and p.proname = 'refuse_change') as "appendOnly",
       exists (select from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal and (g.tgtype & 8) > 0) as "keepsRows",
       (select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attidentity <> '') as numbered,
       array(select distinct f.confrelid::regclass::text from pg_constraint f
              where f.conrelid = t.oid and f.contype = 'f' and f.confrelid <> t.oid) as needs
     from pg_class t
     where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
       and t.relname <> all ($1) and (t.relname = any ($2) or exists (select from pg_attribute a
         where a.attrelid = t.oid and a.attname = 'operator_id' and not a.attisdropped))
     order by t.relname`,
    [NOT_MOVED, BY_ACCOUNT, OF_THE_CELL],
  );
  const ordered: Row[] = [];
  const waiting = [...rows];
  const names = new Set(rows.map(({ name }) => name));
  while (waiting.length > 0) {
    const placed = new Set(ordered.map(({ name }) => name));
    const next = waiting.findIndex(({ needs }) => needs.every((name) => placed.has(name) || !names.has(name)));
    if (next === -1) {
      throw new Error(`tables that refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    }
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered.map(({ name, columns, key, keyOfWhole, appendOnly, numbered, keepsRows }) => {
    const column = BY_ACCOUNT.includes(name) ? BANK : 'operator_id';
    const inTrigger = BY_ACCOUNT.includes(name) ? `new.kind = 'bank' and new.account` : 'new.operator_id';
    // the move itself says that an operator is moving, after its tables were fenced
    const ofMove = name === 'operators' ? ` and new.status <> 'moving'` : '';
    return {
      name,
      columns,
      key,
      keyOfWhole,
      appendOnly,
      numbered,
      keepsRows,
      scope: `${column} = any ($1)`,
      fence: `${inTrigger} = any (%IDS%)${ofMove}`,
    };
  });
}
