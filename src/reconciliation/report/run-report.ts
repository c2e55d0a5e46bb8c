/** Runs the reconciliation report of one operator (specification "Reconciliation report"). It changes nothing. */
import { readMomentParameter } from '../../core/moment.ts';
import type { Sql } from '../../db/client.ts';
import type { Finding, Report } from '../../wire/reconciliation/report.ts';
import { CHECK_STATEMENTS, countVenueAgreement, readLedger, readScope } from './checks.ts';
import { ACCOUNTING_EPOCH, composeReport, readFinding } from './report.ts';

/** Connections that a report uses at once. */
const CONNECTIONS = 2;

/** @param from the report's window begins here; by default at the accounting epoch. */
export async function runReport(
  sql: Sql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  connections: number = CONNECTIONS,
): Promise<Report> {
  const ranAt = new Date();
  const scope = await readScope(sql, operatorId, from);
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
  return composeReport(scope, ranAt, await ledger(), await countVenueAgreement(sql, scope), found);
}

/** Opens connections that see the rows of one operator only (row-level security). */
export type OpenReportSql = (operatorId: string) => Promise<Sql>;

/** The report over connections of its own, which see this operator's rows only. */
export async function runWalledReport(
  open: OpenReportSql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  connections: number = CONNECTIONS,
): Promise<Report> {
  const sql = await open(operatorId);
  try {
    return await runReport(sql, operatorId, from, connections);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws invalid_date. */
export function readFrom(text: string | undefined): Date {
  return readMomentParameter('from', text) ?? ACCOUNTING_EPOCH;
}
