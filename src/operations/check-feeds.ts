/** Whether the prices of each venue are current, and where this cell reads them. Reads only; for `doctor`. */
import type { Environment } from '../core/environment.ts';
import type { Sql } from '../db/client.ts';
import type { Check } from './check.ts';

const STALE_SECONDS = 60;

interface Feed {
  readonly venue: string;
  readonly connected: boolean;
  readonly through: string | null;
  readonly lag: number | null;
}

export async function checkFeeds(sql: Sql, { venues, reader }: Pick<Environment, 'venues' | 'reader'>): Promise<Check> {
  const rows = await sql<Feed[]>`
    select venue, connected, read_through as through, extract(epoch from now() - confirmed_at)::float8 as lag from venue_feeds`;
  const follows = reader.origins.length > 0;
  const feeds = venues.map((venue) => {
    const feed = rows.find((row) => row.venue === venue);
    const current = feed?.connected === true && feed.lag !== null && feed.lag < STALE_SECONDS;
    const takenOver = follows && !venue.startsWith('paper') && feed?.through === null;
    return { current, takenOver, said: `${venue} ${describe(feed)}${takenOver ? TAKEN_OVER : ''}` };
  });
  const current = feeds.every((feed) => feed.current);
  const ok = current && !feeds.some(({ takenOver }) => takenOver);
  return {
    name: 'feeds',
    ok,
    ...(current && !ok && { warning: true }),
    detail: feeds.map(({ said }) => said).join('; ') || 'no venue is followed',
  };
}

const TAKEN_OVER = ', read by this cell itself, because no address of INLAY_READERS passes it on';

function describe(feed: Feed | undefined): string {
  const lag = feed?.lag ?? null;
  const said = lag === null ? 'no books yet' : `confirmed ${Math.max(0, lag).toFixed(1)} s ago`;
  const through = feed?.through ? `, read through cell ${feed.through}` : '';
  return feed?.connected === true ? `${said}${through}` : `not connected, ${said}`;
}
