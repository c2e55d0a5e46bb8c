/** What money statements are told of markets if operators are spread over servers (docs/scale.md). */
import type { Sql } from '../db/client.ts';
import type { Road } from '../db/shards.ts';

/** The market of each command as the text of a `known_market` row; null if the statement reads them itself. */
export type KnownMarkets = readonly (string | null)[] | null;

/**
 * Reads the markets of a call that goes to a server which has none. The statement refuses what was read more than a second before.
 * @param sql the coordinator
 */
export async function readMarketsFor(sql: Sql, road: Road, contractIds: readonly string[]): Promise<KnownMarkets> {
  if (road.shard === undefined) {
    return null;
  }
  const rows = await sql<{ market: string | null }[]>`
    select unnest(read_markets(${[...contractIds]}::text[]))::text as market`;
  return rows.map(({ market }) => market);
}
