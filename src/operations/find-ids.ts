/**
 * Ids of several rooms by their beginning and end, apart because every command of the service operator takes ids that a
 * table has abbreviated. Reads only.
 */
import { ownValue } from '../core/json.ts';
import type { Sql } from '../db/client.ts';

/** The table and column of each kind of id. */
const TABLES = {
  approval: ['approvals', 'approval_id'],
  contract: ['contracts', 'contract_id'],
  customer: ['customers', 'external_user_id'],
  delivery: ['webhook_deliveries', 'delivery_id'],
  endpoint: ['webhook_endpoints', 'endpoint_id'],
  event: ['events', 'event_id'],
  group: ['routing_groups', 'group_key'],
  key: ['api_keys', 'key_id'],
  listing: ['listings', 'listing_id'],
  operator: ['operators', 'operator_id'],
  order: ['orders', 'order_id'],
} as const;

const MOST = 20;

/**
 * @param head and tail literal text, not patterns
 * @returns none of a kind that has no table
 */
export async function findIds(sql: Sql, kind: string, head: string, tail: string): Promise<string[]> {
  const place = ownValue(TABLES, kind);
  if (place === undefined) {
    return [];
  }
  const [table, column] = place;
  const rows = await sql<{ id: string }[]>`
    select distinct ${sql(column)} as id from ${sql(table)}
    where starts_with(${sql(column)}, ${head}) and right(${sql(column)}, ${tail.length}) = ${tail}
    order by 1 limit ${MOST}`;
  return rows.map(({ id }) => id);
}
