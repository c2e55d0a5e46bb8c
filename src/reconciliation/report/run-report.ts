/** Runs the reconciliation report of one operator (contract chapter 22): the auditor reads on, then its books are compared with the tables. */

import { readFigures } from '../../audit/arithmetic.ts';
import { COMPARISONS } from '../../audit/compare.ts';
import { readOn } from '../../audit/read-on.ts';
import { readMomentParameter } from '../../core/moment.ts';
import type { Sql } from '../../db/client.ts';
import { verifyFeed } from '../../ledger/log/prove-log.ts';
import type { Finding, Report } from '../../wire/reconciliation.ts';
import { ACCOUNTING_EPOCH, composeReport } from './report.ts';
import { WAITS } from './waiting.ts';

/** Connections that a report uses at once. */
const CONNECTIONS = 2;

/**
 * @param from the report's window begins here; by default at the accounting epoch.
 * @param auditor writes the auditor's books; by default as `sql`.
 * @param connections that it may use at once.
 */
export async function runReport(
  sql: Sql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
  auditor: Sql = sql,
  connections: number = CONNECTIONS,
): Promise<Report> {
  await readOn(auditor, operatorId);
  const ranAt = new Date();
  const found: Finding[] = [];
  const waiting = [...COMPARISONS, ...WAITS];
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
 * The report over everything, with every item of the feed compared with its signed log.
 * @param key verifier key of the operator's log.
 */
export async function runVerifiedReport(
  sql: Sql,
  operatorId: string,
  key: string,
  auditor: Sql = sql,
): Promise<Report> {
  const report = await runReport(sql, operatorId, ACCOUNTING_EPOCH, auditor);
  const { fault } = await verifyFeed(sql, operatorId, key);
  if (fault === null) {
    return report;
  }
  const { sequence, itemId, reason } = fault;
  const at = sequence === null ? 'The log of the feed' : `Item ${sequence} of the feed`;
  const finding: Finding = {
    check: 'feed_gap',
    severity: 'critical',
    detail: `${at}: ${reason}.`,
    subjectType: 'record',
    subjectId: itemId ?? String(sequence ?? 'log'),
  };
  return { ...report, ok: false, findings: [finding, ...report.findings] };
}

/** Opens connections that see the rows of one operator only (row-level security). */
export type OpenReportSql = (operatorId: string) => Promise<Sql>;

/** The report over a connection of its own, which sees this operator's rows only: the other reports and the orders go on beside it. */
export async function runWalledReport(
  open: OpenReportSql,
  auditor: Sql,
  operatorId: string,
  from: Date = ACCOUNTING_EPOCH,
): Promise<Report> {
  const sql = await open(operatorId);
  try {
    return await runReport(sql, operatorId, from, auditor, 1);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @throws invalid_date. */
export function readFrom(text: string | undefined): Date {
  return readMomentParameter('from', text) ?? ACCOUNTING_EPOCH;
}
