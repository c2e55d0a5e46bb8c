/**
 * Single jobs: those of graphile-worker, and attempts at venues that are not final. Lists them and makes them due; runs
 * none.
 */
import type { Sql } from '../db/client.ts';

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
