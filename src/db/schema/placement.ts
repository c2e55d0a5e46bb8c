/**
 * Where a table is if operators are spread over servers (docs/scale.md): an operator's rows are together on one server, a few tables
 * are whole on every server, and what belongs to the service as a whole stays on the coordinator. On one server none of it is read.
 */

/** Read beside an operator's rows, and seldom written. */
export const EVERYWHERE: readonly string[] = ['books', 'operators', 'order_transitions'];

/** Have an operator, and yet belong to the service: looked up before the operator is known, or of none. */
export const OF_THE_SERVICE: readonly string[] = [
  'api_keys',
  'api_key_uses',
  'reconciliation_reports',
  'venue_findings',
];

/** The table with which all tables of operators are colocated: each operator has one row of it. */
export const FIRST_TABLE = 'operator_ledgers';

/** All other tables whose primary key begins with the operator ($1 names those that are not spread), the first of them first. */
export const SPREAD_TABLES = `
  select case c.relnamespace when 'audit'::regnamespace then 'audit.' else '' end || c.relname as name
  from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'operator_id'
  where c.relnamespace in ('public'::regnamespace, 'audit'::regnamespace) and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all ($1)
  order by c.relname <> '${FIRST_TABLE}', 1`;
