/** Runs the reconciliation report of one operator (contract chapter 22). It changes nothing. */
import { readMomentParameter } from '../../core/moment.ts';
import type { Sql } from '../../db/client.ts';
import type { Finding, Report } from '../../wire/reconciliation/report.ts';
import { CHECK_STATEMENTS, countVenueAgreement, type ReportScope, readLedger, readScope } from './checks.ts';
import { ACCOUNTING_EPOCH, composeReport, type LedgerFigures, readFinding } from './report.ts';
import { findVerifiedBooks } from './reports.ts';

/** Connections that a report uses at once. */
const CONNECTIONS = 2;

/** Reads everything. @param from the report's window begins here; by default at the accounting epoch. */
export async function runReport(
  sql: Sql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  connections: number = CONNECTIONS,
): Promise<Report> {
  return (await runChecks(sql, await readScope(sql, operatorId, from, undefined), connections)).report;
}

/** Everything from the accounting epoch on. @returns the report with the figures that later ones add to. */
export async function runWholeReport(
  sql: Sql,
  operatorId: string,
  connections: number = CONNECTIONS,
): Promise<CheckedBooks> {
  return runChecks(sql, await readScope(sql, operatorId, ACCOUNTING_EPOCH, undefined), connections);
}

/** Reads what was recorded since the last verification that found everything right, if there is one. */
export async function runReportSince(
  sql: Sql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  connections: number = CONNECTIONS,
): Promise<Report> {
  const verified = await findVerifiedBooks(sql, operatorId);
  return (await runChecks(sql, await readScope(sql, operatorId, from, verified), connections)).report;
}

interface CheckedBooks {
  readonly report: Report;
  readonly figures: LedgerFigures;
}

async function runChecks(sql: Sql, scope: ReportScope, connections: number): Promise<CheckedBooks> {
  const ranAt = new Date();
  const found: Finding[] = [];
  const [sealCheck, ...checks] = CHECK_STATEMENTS;
  let read: ReturnType<typeof readLedger> | undefined;
  const ledger = () => {
    read ??= readLedger(sql, scope);
    return read;
  };
  // the ledger's own figures are the first statement of the second connection
  const waiting = [sealCheck, async () => (await ledger()).findings, ...checks];
  const runner = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      found.push(...(await check(sql, scope)).map(readFinding));
    }
  };
  await Promise.all(Array.from({ length: connections }, runner));
  const figures = await ledger();
  const report = composeReport(scope, ranAt, figures, await countVenueAgreement(sql, scope), found);
  return { report, figures };
}

/** Opens connections that see the rows of one operator only (row-level security). */
export type OpenReportSql = (operatorId: string) => Promise<Sql>;

/** The report since the last verification, over connections of its own, which see this operator's rows only. */
export async function runWalledReport(
  open: OpenReportSql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  connections: number = CONNECTIONS,
): Promise<Report> {
  const sql = await open(operatorId);
  try {
    return await runReportSince(sql, operatorId, from, connections);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws invalid_date. */
export function readFrom(text: string | undefined): Date {
  return readMomentParameter('from', text) ?? ACCOUNTING_EPOCH;
}
