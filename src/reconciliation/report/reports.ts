/** Where the nightly reports are kept: the last one of each operator, and which operators are due. */
import type { Sql } from '../../db/client.ts';
import type { Report } from '../../wire/reconciliation.ts';

/**
 * Operators whose last report is older than a night (UTC), taken by this caller alone. Who took one and has not brought the
 * report within the hour has died over it.
 */
export async function claimNightlyReports(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql<{ operatorId: string }[]>`
    with due as (
      select o.operator_id from operators o left join reconciliation_reports k on k.operator_id = o.operator_id
      where (k.operator_id is null or k.claimed_at < date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
          or (k.claimed_at < now() - interval '1 hour' and (k.ran_at is null or k.ran_at < k.claimed_at)))
      order by o.operator_id limit ${limit}
    )
    insert into reconciliation_reports as r (operator_id, claimed_at)
    select operator_id, now() from due
    on conflict (operator_id) do update set claimed_at = excluded.claimed_at
      where r.claimed_at < date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
        or (r.claimed_at < now() - interval '1 hour' and (r.ran_at is null or r.ran_at < r.claimed_at))
    returning r.operator_id`;
  return rows.map((row) => row.operatorId);
}

export async function keepReport(sql: Sql, operatorId: string, report: Report): Promise<void> {
  await sql`
    insert into reconciliation_reports as r (operator_id, claimed_at, ran_at, ok, report)
    values (${operatorId}, now(), ${report.ranAt}, ${report.ok}, ${JSON.stringify(report)}::text::json)
    on conflict (operator_id) do update set ran_at = excluded.ran_at, ok = excluded.ok, report = excluded.report`;
}
