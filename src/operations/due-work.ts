/** Work that waits in our own tables without a job for each row: how much, and since when. Reads only. */
import type { Sql } from '../db/client.ts';
import { gatesOpen } from '../trading/execution/may-send.ts';

export interface DueWork {
  readonly name:
    | 'webhook-relay'
    | 'webhook-deliveries'
    | 'transmission'
    | 'venue-lookups'
    | 'settlement'
    | 'feed-logs'
    | 'audit'
    | 'gated-orders';
  /** What it means that rows wait. */
  readonly meaning: string;
  readonly waiting: number;
  /** Only of rows that are due; null if none are. */
  readonly oldestAt: string | null;
}

const MEANING: Record<DueWork['name'], string> = {
  'webhook-relay': 'events without deliveries yet',
  'webhook-deliveries': 'deliveries whose next attempt is due',
  transmission: 'orders that may be sent now',
  'gated-orders': 'orders with a confirmed reserve behind a closed gate',
  'venue-lookups': 'orders about which a venue is to be asked now',
  settlement: 'open positions of contracts that resolved',
  'feed-logs': 'items of feeds that no checkpoint covers',
  audit: 'items of feeds that the auditor has not read',
};

export async function measureDueWork(sql: Sql): Promise<DueWork[]> {
  const rows = await sql<{ name: DueWork['name']; waiting: number; oldest: Date | null }[]>`
    select 'webhook-relay' as name, count(*)::int as waiting, min(recorded_at) as oldest from waiting_events()
    union all
    select 'webhook-deliveries', count(*)::int, min(next_attempt_at) from webhook_deliveries where status = 'pending' and next_attempt_at <= now()
    union all
    select case when ${gatesOpen(sql)} then 'transmission' else 'gated-orders' end, count(*)::int, min(r.updated_at)
    from orders r join operators o using (operator_id) where r.status = 'pending_venue_execution' group by 1
    union all
    select 'venue-lookups', count(*)::int, min(next_lookup_at) from transmissions where state <> 'done' and next_lookup_at <= now()
    union all
    select 'settlement', count(*)::int, min(c.resolved_at)
    from contracts c join positions p on p.contract_id = c.contract_id and p.status = 'open' where c.resolution is not null
    union all
    select 'feed-logs', coalesce(sum(l.sequence - coalesce(h.size, 0)), 0)::int,
      min(coalesce((select row.recorded_at from journal row
        where row.operator_id = l.operator_id and row.sequence <= coalesce(h.size, 0) + 1 order by row.sequence desc limit 1), l.recorded_at))
    from operator_ledgers l left join feed_log_heads h using (operator_id) where l.sequence > coalesce(h.size, 0)
    union all
    select 'audit', coalesce(sum(l.sequence - coalesce(p.sequence, 0)), 0)::int, min((select row.recorded_at from journal row
      where row.operator_id = l.operator_id and row.sequence > coalesce(p.sequence, 0) order by row.sequence limit 1))
    from operator_ledgers l left join audit.progress p using (operator_id) where l.sequence > coalesce(p.sequence, 0)`;
  return (Object.keys(MEANING) as DueWork['name'][]).map((name) => {
    const row = rows.find((candidate) => candidate.name === name);
    return {
      name,
      meaning: MEANING[name],
      waiting: row?.waiting ?? 0,
      oldestAt: row?.oldest?.toISOString() ?? null,
    };
  });
}

export interface WorkerSeen {
  readonly poolId: string;
  readonly seenAt: string;
}

/** Workers that were alive in the last minute. */
export async function listWorkers(sql: Sql): Promise<WorkerSeen[]> {
  const rows = await sql<{ poolId: string; seenAt: Date }[]>`
    select pool_id, seen_at from webhook_workers where seen_at > now() - interval '1 minute' order by pool_id`;
  return rows.map((row) => ({ poolId: row.poolId, seenAt: row.seenAt.toISOString() }));
}
