/** What `top` shows of trading, measured in the database: how long orders of each tenant take, and how old prices are. Reads only. */
import type { Sql } from '../db/client.ts';

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
