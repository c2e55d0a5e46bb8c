/** Does what the nightly verification does: later reports of the operators rest on the checkpoint of this moment. */
import type { NoteSigner } from '../../src/core/transparency-log/signed-note.ts';
import type { Sql } from '../../src/db/client.ts';
import { logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { keepReport } from '../../src/reconciliation/report/reports.ts';
import { verifyBooks } from '../../src/reconciliation/report/verified-books.ts';
import type { Report } from '../../src/wire/reconciliation/report.ts';

/** @returns what the verification reported of each. */
export async function restReports(sql: Sql, signer: NoteSigner, operatorIds: readonly string[]): Promise<Report[]> {
  await sealFeeds(sql, signer);
  const reports: Report[] = [];
  for (const operatorId of operatorIds) {
    const { report, verified } = await verifyBooks(sql, operatorId, logVerifierKey(operatorId, signer));
    await keepReport(sql, operatorId, report, verified);
    reports.push(report);
  }
  return reports;
}

/** What a report shows, without when it ran and what it rests on. */
export function factsOf({ ranAt: _ranAt, restsOn: _restsOn, ...report }: Report) {
  return report;
}
