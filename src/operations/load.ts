/**
 * The load of the service, measured in the database for `inlay top` and the metrics: orders, feeds, workers, jobs and
 * connections, how long orders of each tenant take, and how old prices are. Reads only.
 */
import type { Sql } from '../db/client.ts';
import { INGEST_LEASE } from '../markets/ingestion/board-writes.ts';

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

/** Measures orders, feeds, workers, jobs and connections. */
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

/** Orders of one tenant that were placed in the last minute. */
export interface TenantLoad {
  readonly slug: string;
  readonly orders: number;
  /** Orders that are not final yet. */
  readonly open: number;
  readonly unknown: number;
  /** Time from creation to the final state, of the final orders; null if none is. */
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

/** A book is as fresh as its own confirmation, or as the feed of its venue while it is connected in the same session. */
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
