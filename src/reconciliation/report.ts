/**
 * The reconciliation report of one operator (contract chapter 22): once the auditor has read on, its books are compared with the
 * tables, and its figures and findings are put into the words of the wire. The last nightly report of each operator is kept.
 */
import { COMPARISONS, type Found, MOST } from '../audit/compare.ts';
import { compareDigests } from '../audit/digests.ts';
import { type Figures, readFigures, type StatementFigures } from '../audit/figures.ts';
import { readAnew, readOn } from '../audit/read-on.ts';
import { readMomentParameter } from '../core/moment.ts';
import type { Sql } from '../db/client.ts';
import { verifyFeed } from '../ledger/log/prove-log.ts';
import { toldOf } from '../ledger/render/told.ts';
import { formatMinor } from '../money/usd.ts';
import { CHECKS, type Finding, type Report, SEVERITIES, type Statement } from '../wire/reconciliation.ts';
import { WAITS } from './waiting.ts';

/** The start of the books, used if no `from` is given. */
export const ACCOUNTING_EPOCH = new Date(0);

/** Connections that a report uses at once. */
const CONNECTIONS = 2;

type Check = (sql: Sql, operatorId: string, from: Date) => Promise<readonly Found[]>;

/**
 * Lets the auditor read on, and runs the report: in workers and commands, which have the auditor's role.
 * @param from the start of the report's window; by default the accounting epoch
 * @param auditor the connection that writes the auditor's books; by default `sql`
 * @param others checks besides those of every report
 */
export async function runReport(
  sql: Sql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  auditor: Sql = sql,
  others: readonly Check[] = [],
): Promise<Report> {
  await readOn(auditor, operatorId, toldOf);
  return reportWhatIsRead(sql, operatorId, from, CONNECTIONS, others);
}

/**
 * The report on the part of the journal that the auditor has read.
 * @param connections the number of connections that it may use at once
 */
async function reportWhatIsRead(
  sql: Sql,
  operatorId: string,
  from: Date,
  connections: number,
  others: readonly Check[] = [],
): Promise<Report> {
  const ranAt = new Date();
  const found: Found[] = [];
  const waiting: Check[] = [...COMPARISONS, ...WAITS, ...others];
  const runner = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      found.push(...(await check(sql, operatorId, from)));
    }
  };
  await Promise.all(Array.from({ length: connections }, runner));
  const figures = await readFigures(sql, operatorId, from > ACCOUNTING_EPOCH ? from : null);
  return composeReport(operatorId, from, ranAt, figures, found);
}

/**
 * Runs the report over everything, and reads again the rows that never change: every item of the feed is compared with its signed log, and
 * every row of which the auditor keeps a digest with that digest.
 * @param key verifier key of the operator's log
 * @param anew whether the auditor reads the whole journal into new books first
 */
export async function runVerifiedReport(
  sql: Sql,
  operatorId: string,
  key: string,
  auditor: Sql = sql,
  anew = false,
): Promise<Report> {
  if (anew) {
    await readAnew(auditor, operatorId, toldOf);
  }
  return runReport(sql, operatorId, ACCOUNTING_EPOCH, auditor, [
    () => compareLog(sql, operatorId, key),
    () => compareDigests(auditor, operatorId),
  ]);
}

async function compareLog(sql: Sql, operatorId: string, key: string): Promise<Found[]> {
  const { fault } = await verifyFeed(sql, operatorId, key);
  if (fault === null) {
    return [];
  }
  const { sequence, itemId, reason } = fault;
  const at = sequence === null ? 'The log of the feed' : `Item ${sequence} of the feed`;
  return [
    {
      check: 'feed_gap',
      severity: 'critical',
      detail: `${at}: ${reason}.`,
      subjectType: 'record',
      subjectId: itemId ?? String(sequence ?? 'log'),
    },
  ];
}

/** Opens connections that see the rows of one operator only (row-level security). */
export type OpenReportSql = (operatorId: string) => Promise<Sql>;

/**
 * Runs the report on the part that the auditor has read, on its own connection, which sees this operator's rows only, so other reports and
 * orders are not delayed.
 */
export async function runWalledReport(open: OpenReportSql, operatorId: string, from: Date): Promise<Report> {
  const sql = await open(operatorId);
  try {
    return await reportWhatIsRead(sql, operatorId, from, 1);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws invalid_date */
export function readFrom(text: string | undefined): Date {
  return readMomentParameter('from', text) ?? ACCOUNTING_EPOCH;
}

/**
 * The report as a value. Pure.
 * @param findings of all checks; the report lists the worst first
 */
function composeReport(
  operatorId: string,
  from: Date,
  ranAt: Date,
  figures: Figures,
  findings: readonly Found[],
): Report {
  const { sequence, auditedAt, debits, credits, exits, agrees, disagrees } = figures;
  const all = [...findings, ...statementFindings(operatorId, figures)];
  const rank = (finding: Finding) =>
    SEVERITIES.indexOf(finding.severity) * CHECKS.length + CHECKS.indexOf(finding.check);
  const ranked = all.toSorted((left, right) => rank(left) - rank(right));
  return {
    ranAt: ranAt.toISOString(),
    from: from.toISOString(),
    restsOn: { sequence: Number(sequence), auditedAt: auditedAt.toISOString() },
    ok: !all.some((finding) => finding.severity === 'critical'),
    trialBalance: {
      debits: formatMinor(debits),
      credits: formatMinor(credits),
      difference: formatMinor(debits - credits),
      balanced: debits === credits,
    },
    cashStatement: statementOf(operatorId, 'hosted', figures.hosted),
    collateralStatement: statementOf(operatorId, 'operator_collateral', figures.collateral),
    scanned: { entries: Number(figures.entries), lines: Number(figures.lines), accounts: Number(figures.accounts) },
    venueAgreement: {
      exits: Number(exits),
      agrees: Number(agrees),
      disagrees: Number(disagrees),
      unknown: Number(exits - agrees - disagrees),
    },
    findings: [...Map.groupBy(ranked, ({ severity, check }) => `${severity} ${check}`).values()].flatMap((found) =>
      shown(found, operatorId),
    ),
  };
}

/** For one check, as many findings as a report shows, and how many more there are. */
function shown(found: readonly Found[], operatorId: string): Finding[] {
  const findings = found.slice(0, MOST).map(({ unread, ...finding }) => finding);
  const more = found.reduce((sum, { unread = 0 }) => sum + unread, found.length - findings.length);
  const [first] = findings;
  if (first === undefined || more === 0) {
    return findings;
  }
  const detail = `${more} more findings of this check are not shown.`;
  return [...findings, { ...first, detail, subjectType: 'record', subjectId: operatorId }];
}

function statementOf(
  operatorId: string,
  side: Statement['side'],
  { accounts, opening, ending, expected }: StatementFigures,
): Statement {
  return {
    side,
    accountsInScope: Number(accounts),
    opening: formatMinor(opening),
    ending: formatMinor(ending),
    expectedEnding: formatMinor(expected),
    difference: formatMinor(ending - expected),
    reconciled: ending === expected,
    externalUserId: null,
    operatorUserId: null,
    operatorId,
  };
}

function statementFindings(operatorId: string, { hosted, collateral }: Figures): Finding[] {
  const sides = [
    ['cash_statement', hosted],
    ['collateral_statement', collateral],
  ] as const;
  return sides
    .filter(([, { ending, expected }]) => ending !== expected)
    .map(([check, { ending, expected }]) => ({
      check,
      severity: 'critical',
      detail: `The accounts end at ${formatMinor(ending)}, the movements at ${formatMinor(expected)}.`,
      subjectType: 'record',
      subjectId: operatorId,
    }));
}

/**
 * Claims operators whose last report is older than a night (UTC), for this caller alone. A caller that has not kept its
 * report within an hour is considered dead, and its operator is due again.
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
