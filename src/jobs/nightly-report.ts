/**
 * Verifies the books of every operator once a night (UTC): the whole report, and every item of the feed against its log. It keeps
 * the report. Findings are logged.
 */
import type { Context } from '../context.ts';
import { currentLogKey, loadLogSigner } from '../ledger/log/sign-log.ts';
import { claimNightlyReports, keepReport } from '../reconciliation/report/reports.ts';
import { runVerifiedReport } from '../reconciliation/report/run-report.ts';
import type { Report } from '../wire/reconciliation.ts';
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
      const report = await verifyAlone(context, operatorId, key);
      await keepReport(reports, operatorId, report);
      if (!report.ok) {
        log.error({ operatorId, findings: report.findings.slice(0, 10) }, 'the nightly reconciliation is not ok');
      }
    }
  }
}

/** Over connections of its own, which see this operator's rows only. */
async function verifyAlone({ reportsOf, audit }: Context, operatorId: string, key: string): Promise<Report> {
  const sql = await reportsOf(operatorId);
  try {
    return await runVerifiedReport(sql, operatorId, key, audit);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
