/**
 * Verifies the books of every operator once a night (UTC): the whole report, and every item of the feed against its log. It keeps
 * the report and what later reports rest on. Findings are logged.
 */
import type { Context } from '../context.ts';
import { currentLogKey, loadLogSigner } from '../ledger/transparency-log/log-signer.ts';
import { claimNightlyReports, keepReport } from '../reconciliation/report/reports.ts';
import { type Verification, verifyBooks } from '../reconciliation/report/verified-books.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 60_000;
/** One after the other: nothing waits for them, and trading continues meanwhile. */
const AT_ONCE = 1;

/** @param firstMs delay of the first check; tests set it to be short */
export function startNightlyReports(context: Context, firstMs = FIRST_MS): PeriodicJob {
  return startPeriodicJob({
    everyMs: EVERY_MS,
    firstMs,
    run: (keepGoing) => night(context, keepGoing),
    failed: (error) => context.log.warn({ err: error }, 'the nightly reconciliation failed; will retry'),
  });
}

async function night(context: Context, keepGoing: () => boolean): Promise<void> {
  const { reports, log } = context;
  const signer = loadLogSigner(context.environment, context.secrets);
  while (keepGoing()) {
    const operators = await claimNightlyReports(reports, AT_ONCE);
    if (operators.length === 0) {
      return;
    }
    for (const operatorId of operators) {
      const key = await currentLogKey(reports, operatorId, signer);
      const { report, verified } = await verifyAlone(context, operatorId, key);
      await keepReport(reports, operatorId, report, verified);
      if (!report.ok) {
        log.error({ operatorId, findings: report.findings.slice(0, 10) }, 'the nightly reconciliation is not ok');
      }
    }
  }
}

/** Over connections of its own, which see this operator's rows only. */
async function verifyAlone({ reportsOf }: Context, operatorId: string, key: string): Promise<Verification> {
  const sql = await reportsOf(operatorId);
  try {
    return await verifyBooks(sql, operatorId, key);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
