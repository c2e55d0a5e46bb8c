/** What the database knows of each venue: whether its prices are followed, and when it last answered. Reads only. */
import type { Sql } from '../../db/client.ts';

export interface VenueFact {
  readonly name: string;
  readonly connected: boolean;
  readonly lastAnswerAt: Date | null;
  /** Requests that its workers could still make at once, together; null where no worker said so in the last 30 s. */
  readonly requestsLeft: number | null;
  /** Why trading there has stopped, and since when; null while it goes on. */
  readonly stop: { readonly stoppedAt: string; readonly because: string } | null;
  /** Why no worker has sent there for more than 15 s, and since when; null while one may. */
  readonly held: { readonly since: string; readonly because: string } | null;
  /** Findings that are open. */
  readonly findings: number;
  /** Values, fields and errors of the last seven days that this release does not know. */
  readonly unknownWords: number;
}

export function listVenueFacts(sql: Sql): Promise<VenueFact[]> {
  return sql<VenueFact[]>`
    select coalesce(f.venue, a.venue) as name, coalesce(f.connected, false) as connected,
      greatest(f.confirmed_at, a.compared_at) as "lastAnswerAt",
      (select sum(r.requests_left)::int from venue_requests r
        where r.venue = coalesce(f.venue, a.venue) and r.seen_at > now() - interval '30 seconds') as "requestsLeft",
      (select json_build_object('stoppedAt', s.stopped_at, 'because', s.because) from venue_stops s
        where s.venue = coalesce(f.venue, a.venue) and s.resumed_at is null) as stop,
      (select json_build_object('since', h.since, 'because', h.because) from venue_held_back(coalesce(f.venue, a.venue)) h
        where h.because is not null) as held,
      (select count(*)::int from venue_findings v where v.venue = coalesce(f.venue, a.venue) and v.cleared_at is null) as findings,
      (select count(*)::int from venue_unknown_words w
        where w.venue = coalesce(f.venue, a.venue) and w.last_seen_at > now() - interval '7 days') as "unknownWords"
    from venue_feeds f full join venue_accounts a on a.venue = f.venue`;
}

export interface RequestsLeft {
  readonly venue: string;
  readonly left: number;
  /** Why this worker has sent nothing for some time; null while its sends flow. */
  readonly heldBecause: string | null;
}

export async function recordRequestsLeft(sql: Sql, worker: string, venues: readonly RequestsLeft[]): Promise<void> {
  await sql`
    with old as (
      delete from venue_requests where seen_at < now() - interval '1 minute' and worker <> ${worker}
    )
    insert into venue_requests as r (venue, worker, requests_left, seen_at, held_because, held_since)
    select v.venue, ${worker}, v.requests_left, now(), v.held_because, case when v.held_because is not null then now() end
    from unnest(${venues.map(({ venue }) => venue)}::text[], ${venues.map(({ left }) => left)}::integer[],
      ${venues.map(({ heldBecause }) => heldBecause)}::text[]) v(venue, requests_left, held_because)
    on conflict (venue, worker) do update set requests_left = excluded.requests_left, seen_at = excluded.seen_at,
      held_because = excluded.held_because,
      held_since = case when excluded.held_because is not null then coalesce(r.held_since, excluded.held_since) end`;
}
