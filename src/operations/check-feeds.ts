/** Whether the prices of each venue are current. Reads only; for `doctor`. */
import type { Sql } from '../db/client.ts';
import type { Check } from './check.ts';

const STALE_SECONDS = 60;

interface Feed {
  readonly venue: string;
  readonly connected: boolean;
  readonly lag: number | null;
}

export async function checkFeeds(sql: Sql, venues: readonly string[]): Promise<Check> {
  const rows = await sql<Feed[]>`
    select venue, connected, extract(epoch from now() - confirmed_at)::float8 as lag from venue_feeds`;
  const feeds = venues.map((venue) => ({ venue, feed: rows.find((row) => row.venue === venue) }));
  return {
    name: 'feeds',
    ok: feeds.every(({ feed }) => feed?.connected === true && feed.lag !== null && feed.lag < STALE_SECONDS),
    detail: feeds.map(({ venue, feed }) => `${venue} ${describe(feed)}`).join('; ') || 'no venue is followed',
  };
}

function describe(feed: Feed | undefined): string {
  const lag = feed?.lag ?? null;
  const confirmed = lag === null ? 'no books yet' : `confirmed ${Math.max(0, lag).toFixed(1)} s ago`;
  return feed?.connected === true ? confirmed : `not connected, ${confirmed}`;
}
