/** Where the nightly reports are kept: the last one of each operator, and which operators are due. */
import type { Sql } from '../../db/client.ts';
import type { Report } from '../../wire/reconciliation/report.ts';

/**
 * Operators whose last report is older than a night (UTC), taken by this caller alone. Who took one and has not brought the
 * report within the hour has died over it.
 */
export async function claimNightlyReports(sql: Sql, limit: number): Promise<string[]> {
  const [times] = await sql<[{ night: Date; hourAgo: Date }]>`
    select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' as night, now() - interval '1 hour' as hour_ago`;
  const due = await sql<{ operatorId: string }[]>`
    select o.operator_id from operators o left join reconciliation_reports k on k.operator_id = o.operator_id
    where k.operator_id is null or k.claimed_at < ${times.night}
      or (k.claimed_at < ${times.hourAgo} and (k.ran_at is null or k.ran_at < k.claimed_at))
    order by o.operator_id limit ${limit}`;
  const rows = await sql<{ operatorId: string }[]>`
    insert into reconciliation_reports as r (operator_id, claimed_at)
    select operator_id, now() from unnest(${due.map(({ operatorId }) => operatorId)}::text[]) operator_id
    on conflict (operator_id) do update set claimed_at = excluded.claimed_at
      where r.claimed_at < ${times.night}
        or (r.claimed_at < ${times.hourAgo} and (r.ran_at is null or r.ran_at < r.claimed_at))
    returning r.operator_id`;
  return rows.map((row) => row.operatorId);
}

export async function keepReport(sql: Sql, operatorId: string, report: Report): Promise<void> {
  await sql`
    insert into reconciliation_reports as r (operator_id, claimed_at, ran_at, ok, report)
    values (${operatorId}, now(), ${report.ranAt}, ${report.ok}, ${JSON.stringify(report)}::text::json)
    on conflict (operator_id) do update set ran_at = excluded.ran_at, ok = excluded.ok, report = excluded.report`;
}
