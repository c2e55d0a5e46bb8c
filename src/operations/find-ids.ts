/**
 * Ids of several rooms by their beginning and end, apart because every command of the service operator takes ids that a
 * table has abbreviated. Reads only.
 */
import type { Sql } from '../db/client.ts';

/** The table and column of each kind of id. */
const TABLES = {
  approval: ['approvals', 'approval_id'],
  contract: ['contracts', 'contract_id'],
  delivery: ['webhook_deliveries', 'delivery_id'],
  endpoint: ['webhook_endpoints', 'endpoint_id'],
  key: ['api_keys', 'key_id'],
  session: ['embed_sessions', 'session_id'],
} as const;

export type IdKind = keyof typeof TABLES;

const MOST = 20;

/** @param head and tail literal text, not patterns */
export async function findIds(sql: Sql, kind: IdKind, head: string, tail: string): Promise<string[]> {
  const [table, column] = TABLES[kind];
  const rows = await sql<{ id: string }[]>`
    select ${sql(column)} as id from ${sql(table)}
    where starts_with(${sql(column)}, ${head}) and right(${sql(column)}, ${tail.length}) = ${tail}
    order by 1 limit ${MOST}`;
  return rows.map(({ id }) => id);
}
