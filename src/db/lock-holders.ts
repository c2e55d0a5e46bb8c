/**
 * Finds the holders of the locks for which sessions of this database wait, as another session sees them. Reads only. A session that waits
 * itself does not count as a holder: the session it waits for is named instead.
 */
import type { Sql } from './client.ts';

export interface LockHolder {
  /** Number of the server process; 0 for a prepared transaction, which has none. */
  readonly pid: number;
  /** Null if the session has ended meanwhile. */
  readonly role: string | null;
  /** The name that the session gave itself; empty if it gave none. */
  readonly application: string;
  /**
   * Since when its transaction runs; if the role may not see that, since when the first session has waited for it. Seconds.
   */
  readonly seconds: number;
  /** Tables that are waited for; empty if only rows are. */
  readonly relations: readonly string[];
  readonly waiters: readonly LockWaiter[];
}

export interface LockWaiter {
  readonly application: string;
  readonly seconds: number;
}

/**
 * Call it outside of a transaction, in which PostgreSQL shows the sessions as they were at the first look.
 * @param sql of a role that may see other sessions (the owner of an embedded server, `pg_monitor`); others see no start of transactions
 * @returns those for which most sessions wait first
 */
export function listLockHolders(sql: Sql): Promise<LockHolder[]> {
  return sql<LockHolder[]>`
    with recursive waiting as materialized (
      select session.pid, session.application_name as application, pg_blocking_pids(session.pid) as blockers, wanted.relation,
        coalesce(extract(epoch from clock_timestamp() - wanted.waitstart), 0)::float8 as seconds
      from pg_locks wanted join pg_stat_activity session on session.pid = wanted.pid
      where not wanted.granted and session.datname = current_database()
    ), chain (pid, holder) as (
      select pid, unnest(blockers) from waiting
      union
      select chain.pid, unnest(waiting.blockers) from chain join waiting on waiting.pid = chain.holder
    )
    select chain.holder as pid, holder.usename as role, coalesce(holder.application_name, '') as application,
      coalesce(extract(epoch from clock_timestamp() - holder.xact_start), max(waiting.seconds), 0)::float8 as seconds,
      coalesce(array_agg(distinct waiting.relation::regclass::text) filter (where waiting.relation is not null), '{}') as relations,
      json_agg(json_build_object('application', waiting.application, 'seconds', waiting.seconds)) as waiters
    from chain join waiting on waiting.pid = chain.pid left join pg_stat_activity holder on holder.pid = chain.holder
    where not exists (select from waiting other where other.pid = chain.holder)
    group by chain.holder, holder.usename, holder.application_name, holder.xact_start
    order by count(*) desc, chain.holder`;
}

/** @returns for example `pid 4711, inlay_owner, since 18 s (psql, on journal)` */
export function describeHolder({ pid, role, application, seconds, relations }: LockHolder): string {
  const session = pid === 0 ? 'a prepared transaction' : `pid ${pid}, ${role ?? 'which has ended'}`;
  const more = [application, ...(relations.length === 0 ? [] : [`on ${relations.join(', ')}`])].filter(
    (part) => part !== '',
  );
  return `${session}, since ${Math.round(seconds)} s${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}
