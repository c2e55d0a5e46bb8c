/** Does what the nightly verification does: later reports of the operators rest on the checkpoint of now. */
import { loadLogSigner, logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { keepReport } from '../../src/reconciliation/report/reports.ts';
import { verifyBooks } from '../../src/reconciliation/report/verified-books.ts';
import type { Report } from '../../src/wire/reconciliation/report.ts';
import type { TestService } from './service.ts';

/** @returns what the verification reported of each. */
export async function restReports({ sql, context }: TestService, operatorIds: readonly string[]): Promise<Report[]> {
  const signer = loadLogSigner(context.environment, context.secrets);
  await sealFeeds(sql, signer);
  const reports: Report[] = [];
  for (const operatorId of operatorIds) {
    const { report, verified } = await verifyBooks(sql, operatorId, logVerifierKey(operatorId, signer));
    await keepReport(sql, operatorId, report, verified);
    reports.push(report);
  }
  return reports;
}
