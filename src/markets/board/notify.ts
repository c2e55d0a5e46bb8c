/**
 * Notifications after the commit of data that boards show. A lost one costs a second, since boards and settlement also
 * poll.
 */
import type { Sql } from '../../db/client.ts';

/** Notifies boards of a revision, and settlement of results that changed. Never inside a money statement. */
export async function notify(sql: Sql, revision: bigint, resolved: readonly string[]): Promise<void> {
  await sql`
    select pg_notify('board', ${revision.toString()})
    union all select pg_notify('resolved', contract_id) from unnest(${resolved as string[]}::text[]) contract_id`;
}
