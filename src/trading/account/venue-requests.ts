/** How many requests each worker may still make of each venue now, for `venues list`. What nobody renewed for a minute leaves. */
import type { Sql } from '../../db/client.ts';

export interface RequestsLeft {
  readonly venue: string;
  readonly left: number;
}

export async function recordRequestsLeft(sql: Sql, worker: string, venues: readonly RequestsLeft[]): Promise<void> {
  await sql`
    with old as (
      delete from venue_requests where seen_at < now() - interval '1 minute' and worker <> ${worker}
    )
    insert into venue_requests (venue, worker, requests_left, seen_at)
    select v.venue, ${worker}, v.requests_left, now()
    from unnest(${venues.map(({ venue }) => venue)}::text[], ${venues.map(({ left }) => left)}::integer[]) v(venue, requests_left)
    on conflict (venue, worker) do update set requests_left = excluded.requests_left, seen_at = excluded.seen_at`;
}
