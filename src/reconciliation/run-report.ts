/** Runs the reconciliation report of one operator (specification "Reconciliation report"). It changes nothing. */
import { refuse } from '../core/errors.ts';
import { readMoment } from '../core/moment.ts';
import type { Sql } from '../db/client.ts';
import { findStuckDeliveries } from '../webhooks/outstanding.ts';
import type { Finding, Report } from '../wire/report.ts';
import { ACCOUNTING_EPOCH, composeReport, type FoundRow, type Reconciled, readFinding } from './report.ts';

/** @param from the report's window begins here; by default at the accounting epoch. */
export async function runReport(sql: Sql, operatorId: string, from: Date = ACCOUNTING_EPOCH): Promise<Report> {
  const [rows, kept, stuck] = await Promise.all([
    sql<{ told: string }[]>`select reconcile(${operatorId}, ${from})::text as told`,
    sql<FoundRow[]>`
      select f.* from feed_position_at(${operatorId}, ${from}) base cross join lateral (
        select * from check_entry_seal(${operatorId}, base) union all select * from check_feed_gap(${operatorId}, base)) f`,
    findStuckDeliveries(sql, operatorId),
  ]);
  const [row] = rows;
  if (row === undefined) {
    throw new Error('a function gives one row');
  }
  const findings = stuck.map(
    ({ endpointId, count, oldestAt, oldestId }): Finding => ({
      check: 'webhook_stuck',
      severity: 'warning',
      detail:
        endpointId === null
          ? `${count} events wait to be queued, the oldest since ${oldestAt}.`
          : `${count} deliveries to one endpoint are not acknowledged, the oldest since ${oldestAt}.`,
      subjectType: 'record',
      subjectId: endpointId ?? oldestId,
    }),
  );
  return composeReport(operatorId, from, JSON.parse(row.told) as Reconciled, [...kept.map(readFinding), ...findings]);
}

/** @throws invalid_date. */
export function readFrom(text: string | undefined): Date {
  const from = text === undefined ? ACCOUNTING_EPOCH : readMoment(text);
  if (from === undefined) {
    throw refuse('invalid_date');
  }
  return from;
}
