/** The state of a database for `doctor`, read in one statement. */
import type { Sql } from './client.ts';
import type { DurabilitySettings } from './durability.ts';

export interface DatabaseState extends DurabilitySettings {
  /** For example 180004 for 18.4. */
  readonly version: number;
  readonly role: string;
  /** Whether the role owns the tables, so that it could change append-only tables. */
  readonly owns: boolean;
  /** Whether the role is prevented from changing the journal. */
  readonly keptFromLedger: boolean;
  /** Whether the role may do anything on this server, a shell included. */
  readonly superuser: boolean;
  readonly now: Date;
  readonly connections: number;
  readonly maxConnections: number;
}

/** @throws PostgresError if the schema is missing */
export async function inspectDatabase(sql: Sql): Promise<DatabaseState> {
  const [row] = await sql<[DatabaseState]>`
    select current_setting('server_version_num')::int as version,
           current_user as role,
           pg_has_role(current_user, c.relowner, 'usage') as owns,
           not has_table_privilege(current_user, c.oid, 'update') as "keptFromLedger",
           (select rolsuper from pg_roles where rolname = current_user) as superuser,
           array_remove(array[
             case when current_setting('fsync') = 'off' then 'fsync' end,
             case when current_setting('full_page_writes') = 'off' then 'full_page_writes' end,
             case when current_setting('synchronous_commit') = 'off' then 'synchronous_commit' end], null) as unsafe,
           current_setting('synchronous_standby_names') as "standbyNames",
           current_setting('synchronous_commit') as commit,
           pg_is_in_recovery() as "inRecovery",
           clock_timestamp() as now,
           (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
           current_setting('max_connections')::int as "maxConnections"
      from pg_class c where c.oid = 'journal'::regclass`;
  return row;
}
