/** Pauses of trading that a venue makes itself, such as its maintenance. Workers hear of them, all processes read them. */
import type { Sql } from '../../db/client.ts';

/** Records what the venue says now. */
export async function recordPause(sql: Sql, venue: string, paused: boolean): Promise<void> {
  if (paused) {
    await sql`
      insert into venue_pauses as p (venue) values (${venue})
      on conflict (venue) do update set seen_at = excluded.seen_at,
        since = case when p.seen_at < clock_timestamp() - interval '1 minute' then excluded.since else p.since end`;
  } else {
    await sql`delete from venue_pauses where venue = ${venue}`;
  }
}
