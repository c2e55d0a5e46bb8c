/**
 * Facts about money that a person must hear of: findings of the reports and the age of these, orders of unknown outcome, and collateral that
 * is nearly used up. Measured in the database for the metrics; reads only.
 */
import type { Sql } from '../db/client.ts';
import { SEVERITIES } from '../wire/reconciliation.ts';

type Severity = (typeof SEVERITIES)[number];

export interface ReportFacts {
  /** Findings in the last report of each operator, together. */
  readonly findings: Readonly<Record<Severity, number>>;
  /** Seconds since the last report of the operator whose report is the oldest; one without a report counts from its creation. */
  readonly oldestSeconds: number;
}

export async function measureReports(sql: Sql): Promise<ReportFacts> {
  const [counted, [age]] = await Promise.all([
    sql<{ severity: Severity; findings: number }[]>`
      select finding.severity, count(*)::int as findings
      from reconciliation_reports last cross join lateral json_to_recordset(last.report -> 'findings') as finding (severity text)
      group by finding.severity`,
    sql<[{ seconds: number | null }]>`
      select extract(epoch from now() - min(coalesce(last.ran_at, operator.created_at)))::float8 as seconds
      from operators operator left join reconciliation_reports last using (operator_id)`,
  ]);
  const countOf = (severity: Severity) => counted.find((row) => row.severity === severity)?.findings ?? 0;
  const findings = Object.fromEntries(SEVERITIES.map((severity) => [severity, countOf(severity)]));
  return { findings: findings as Record<Severity, number>, oldestSeconds: age.seconds ?? 0 };
}

/** The limits are those of `doctor` and of the report, which warns after 15 minutes and is critical after a day. */
const AGE_LIMITS = [120, 900, 86_400];
const AGES = ['under_2m', '2m_to_15m', '15m_to_24h', 'over_24h'] as const;

/** Orders that were sent to a venue and whose outcome is unknown, by the time since they were sent. */
export async function countUnknownOrders(sql: Sql): Promise<ReadonlyMap<(typeof AGES)[number], number>> {
  const rows = await sql<{ age: number; orders: number }[]>`
    select width_bucket(extract(epoch from now() - coalesce(transmitted_at, updated_at))::float8, ${AGE_LIMITS}::float8[]) as age,
      count(*)::int as orders
    from orders where transmission_state = 'unknown' and status in ('submitted', 'partially_filled') group by 1`;
  return new Map(AGES.map((name, place) => [name, rows.find(({ age }) => age === place)?.orders ?? 0]));
}

export interface CollateralLeft {
  readonly slug: string;
  readonly dollars: number;
}

/** The operators with the least collateral that no order holds, of the active live ones that have paid some in. */
export function listLowestCollateral(sql: Sql, limit: number): Promise<CollateralLeft[]> {
  return sql<CollateralLeft[]>`
    select operator.slug, -ledger.collateral_available / 100.0::float8 as dollars
    from operator_ledgers ledger join operators operator using (operator_id)
    where operator.mode = 'live' and operator.status = 'active' and ledger.deposits > 0
    order by ledger.collateral_available desc, operator.slug limit ${limit}`;
}
