/**
 * Work that is due: rows of our own tables that wait without their own job, the workers that are alive, and single jobs, which can be made
 * due. It runs none of it.
 */
import type { Sql } from '../db/client.ts';
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
  /** The rows that wait, in words. */
  readonly meaning: string;
  readonly waiting: number;
  /** The time of the oldest row that is due; null if none is. */
  readonly oldestAt: string | null;
}

const MEANING: Record<DueWork['name'], string> = {
  'webhook-relay': 'events without deliveries yet',
  'webhook-deliveries': 'deliveries whose next attempt is due',
  transmission: 'orders that may be sent now',
  'gated-orders': 'orders with a confirmed reserve behind a closed gate',
  'venue-lookups': 'orders whose look-up at a venue is due now',
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

/** A job of graphile-worker, or an attempt at a venue that is not final. */
export interface QueuedJob {
  /** A number, or the order id of an attempt at a venue. */
  readonly jobId: string;
  readonly task: string;
  /** The thing on which the job works. */
  readonly subject: string;
  readonly status: 'running' | 'failed' | 'retrying' | 'waiting';
  readonly attempts: number;
  /** Null for an attempt at a venue, which is repeated until its outcome is known. */
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
  return rows.map(({ id }) => id);
}
