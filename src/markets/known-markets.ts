/** What money statements are told of markets if operators are spread over servers (docs/scale.md). */
import type { Sql } from '../db/client.ts';

/** The market of a command as the text of a `known_market` row; null if there is none. */
export type KnownMarket = string | null;

/**
 * Reads the markets of commands, for servers which have none. The statement that is given them refuses what was read more than a second before.
 * @param sql the coordinator
 */
export async function readMarkets(sql: Sql, contractIds: readonly string[]): Promise<KnownMarket[]> {
  const rows = await sql<{ market: KnownMarket }[]>`
    select unnest(read_markets(${[...contractIds]}::text[]))::text as market`;
  return rows.map(({ market }) => market);
}
