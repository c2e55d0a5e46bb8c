/** The load of the service, measured in the database: orders, feeds, workers, jobs, connections. Reads only. */
import type { Sql } from '../db/client.ts';
import { INGEST_LEASE } from '../markets/ingestion/board-statements.ts';

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
