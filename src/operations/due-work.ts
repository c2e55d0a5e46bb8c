/** Work that waits in our own tables without a job for each row: how much, and since when. Reads only. */
import type { Sql } from '../db/client.ts';
import { INGEST_LEASE } from '../markets/ingestion/board-writes.ts';
import { gatesOpen } from '../trading/execution/attempts.ts';

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

// Single jobs: those of graphile-worker, and attempts at venues that are not final. Lists them and makes them due; runs
// none.

export interface QueuedJob {
  /** A number, or the order id of an attempt at a venue. */
  readonly jobId: string;
  readonly task: string;
  /** What the job works on. */
  readonly subject: string;
  readonly status: 'running' | 'failed' | 'retrying' | 'waiting';
  readonly attempts: number;
  /** Null: until it is settled. */
  readonly maxAttempts: number | null;
  readonly runAt: string;
  readonly lockedBy: string | null;
  readonly lastError: string | null;
}

interface JobRow extends Omit<QueuedJob, 'runAt'> {
  readonly runAt: Date;
}

const MOST = 500;

/** Failed ones first, then by the time at which they are due. */
export async function listJobs(sql: Sql): Promise<QueuedJob[]> {
  const rows = await sql<JobRow[]>`
    select * from (
      select j.id::text as "jobId", j.task_identifier as task, coalesce(p.payload ->> 'endpointId', p.payload::text) as subject,
        case when j.locked_at is not null then 'running' when j.attempts >= j.max_attempts then 'failed'
          when j.last_error is not null then 'retrying' else 'waiting' end as status,
        j.attempts::int as attempts, j.max_attempts::int as "maxAttempts", j.run_at as "runAt", j.locked_by as "lockedBy", j.last_error as "lastError"
      from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
      union all
      select t.order_id, 'order-' || case t.state when 'working' then 'fills' when 'reading_fee' then 'fee' else 'outcome' end, t.our_id,
        case when t.lookups > 0 then 'retrying' else 'waiting' end, t.lookups, null, t.next_lookup_at, null,
        case when t.state in ('sending', 'unknown') then 'the venue has not answered' end
      from transmissions t where t.state <> 'done'
    ) jobs
    order by status <> 'failed', "runAt", "jobId" limit ${MOST}`;
  return rows.map((row) => ({ ...row, runAt: row.runAt.toISOString() }));
}

/**
 * Makes jobs due now, with a new set of attempts. A running job is not changed.
 * @param jobIds as listed; null for all that failed or are being retried
 * @returns the ids that were made due
 */
export async function retryJobs(sql: Sql, jobIds: readonly string[] | null): Promise<string[]> {
  const numbers = jobIds?.filter((id) => /^\d{1,18}$/.test(id)) ?? null;
  const orders = jobIds?.filter((id) => id.startsWith('ord_')) ?? null;
  const rows = await sql<{ id: string }[]>`
    with wanted as (
      select array_agg(j.id) as ids from graphile_worker.jobs j
      where ${numbers === null ? sql`(j.attempts >= j.max_attempts or j.last_error is not null)` : sql`j.id = any (${numbers}::bigint[])`}
    ), attempts as (
      update transmissions set next_lookup_at = now()
      where state <> 'done' and ${orders === null ? sql`lookups > 0` : sql`order_id = any (${orders}::text[])`} returning order_id
    )
    select id::text from wanted, graphile_worker.reschedule_jobs(coalesce(wanted.ids, '{}'), run_at => now(), attempts => 0)
    union all select order_id from attempts`;
  await sql`select pg_notify('transmit', '')`;
  return rows.map(({ id }) => id);
}

// What `top` shows of trading, measured in the database: how long orders of each tenant take, and how old prices are.
// Reads only.

/** Orders of one tenant that were placed in the last minute. */
export interface TenantLoad {
  readonly slug: string;
  readonly orders: number;
  /** Not final yet. */
  readonly open: number;
  readonly unknown: number;
  /** From creation to the final state, of those that are final; null if none is. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Books of contracts that are not resolved yet, at one venue. */
export interface PriceAge {
  readonly venue: string;
  readonly books: number;
  /** Seconds since the venue confirmed the book; null if there is none. */
  readonly medianSeconds: number | null;
  readonly oldestSeconds: number | null;
}

const MOST_TENANTS = 50;

/** The slowest first. Orders of the last minute are found by their time-ordered ids. */
export function measureTenants(sql: Sql): Promise<TenantLoad[]> {
  return sql<TenantLoad[]>`
    select o.slug, t.orders, t.open, t.unknown, round(t.p50)::float8 as p50_ms, round(t.p95)::float8 as p95_ms
    from operator_ledgers l join operators o using (operator_id) cross join lateral (
      select count(*)::int as orders, count(*) filter (where not r.final)::int as open,
        count(*) filter (where r.transmission_state = 'unknown')::int as unknown,
        percentile_cont(0.5) within group (order by r.ms) filter (where r.final) as p50,
        percentile_cont(0.95) within group (order by r.ms) filter (where r.final) as p95
      from (select transmission_state, extract(epoch from updated_at - created_at) * 1000 as ms,
          status in ('filled', 'rejected', 'cancelled')
            or (status = 'partially_filled' and transmission_state = 'resolved') as final
        from orders where operator_id = l.operator_id
          and order_id >= 'ord_' || lpad(to_hex((extract(epoch from now() - interval '1 minute') * 1000)::bigint), 12, '0')) r
    ) t where t.orders > 0 order by t.p95 desc nulls first, o.slug limit ${MOST_TENANTS}`;
}

/** A book is as fresh as its own confirmation, or as the feed of its venue while that is connected in the same session. */
export function measurePriceAges(sql: Sql): Promise<PriceAge[]> {
  return sql<PriceAge[]>`
    select a.venue, count(*)::int as books,
      round((percentile_cont(0.5) within group (order by a.seconds))::numeric, 1)::float8 as median_seconds,
      round(max(a.seconds)::numeric, 1)::float8 as oldest_seconds
    from (select l.venue, extract(epoch from now() - greatest(l.book_confirmed_at,
          case when f.connected and l.session = f.session then f.confirmed_at end)) as seconds
      from listings l join contracts c using (contract_id) join venue_feeds f on f.venue = l.venue and not f.retired
      where c.resolution is null and l.book_confirmed_at is not null) a
    group by a.venue order by a.venue`;
}

export interface ServiceLoad {
  readonly orders: { readonly lastMinute: number; readonly open: number; readonly unknown: number };
  readonly feeds: readonly {
    readonly venue: string;
    readonly connected: boolean;
    readonly lagSeconds: number | null;
  }[];
  /** The revision of the last change of the catalogue or a book. */
  readonly boardRevision: number;
  /** Workers that were alive in the last minute, and whether one of them reads the venues. */
  readonly workers: { readonly seen: number; readonly leads: boolean };
  readonly jobs: { readonly waiting: number; readonly running: number; readonly failed: number };
  readonly pool: { readonly active: number; readonly idle: number; readonly waiting: number; readonly max: number };
}

/** Orders of the last minute are found by their time-ordered ids, which are sorted in each operator's key. */
async function measureOrders(sql: Sql): Promise<ServiceLoad['orders']> {
  const [row] = await sql<[ServiceLoad['orders']]>`
    select
      (select coalesce(sum(n), 0)::float8 from operator_ledgers l cross join lateral (
        select count(*) as n from orders r where r.operator_id = l.operator_id
          and r.order_id >= 'ord_' || lpad(to_hex((extract(epoch from now() - interval '1 minute') * 1000)::bigint), 12, '0')) c) as "lastMinute",
      (select count(*)::float8 from orders where status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending')
        and (status <> 'partially_filled' or transmission_state <> 'resolved')) as open,
      (select count(*)::float8 from orders where transmission_state = 'unknown' and status in ('submitted', 'partially_filled')) as unknown`;
  return row;
}

/** The load of the service, measured in the database: orders, feeds, workers, jobs, connections. Reads only. */
export async function measureLoad(sql: Sql): Promise<ServiceLoad> {
  const [orders, [rest]] = await Promise.all([
    measureOrders(sql),
    sql<[Omit<ServiceLoad, 'orders'>]>`
    select
      (select coalesce(json_agg(json_build_object('venue', venue, 'connected', connected,
        'lagSeconds', round(extract(epoch from now() - confirmed_at)::numeric, 1)) order by venue), '[]') from venue_feeds) as feeds,
      (select revision::float8 from board_revision) as "boardRevision",
      json_build_object('seen', (select count(*) from webhook_workers where seen_at > now() - interval '1 minute'),
        'leads', exists (select 1 from leases where name = ${INGEST_LEASE} and expires_at > clock_timestamp())) as workers,
      (select json_build_object('waiting', count(*) filter (where locked_at is null and attempts < max_attempts),
        'running', count(*) filter (where locked_at is not null),
        'failed', count(*) filter (where locked_at is null and attempts >= max_attempts)) from graphile_worker.jobs) as jobs,
      (select json_build_object('active', count(*) filter (where state = 'active'), 'idle', count(*) filter (where state = 'idle'),
        'waiting', count(*) filter (where wait_event_type = 'Lock'), 'max', current_setting('max_connections')::int)
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as pool`,
  ]);
  return { orders, ...rest };
}
