/** Runs the reconciliation report of every operator once a night (UTC) and stores the last one. Findings are logged. */
import type { Context } from '../context.ts';
import { claimNightlyReports, keepReport } from '../reconciliation/report/reports.ts';
import { runWalledReport } from '../reconciliation/report/run-report.ts';
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
  while (keepGoing()) {
    const operators = await claimNightlyReports(reports, AT_ONCE);
    if (operators.length === 0) {
      return;
    }
    for (const operatorId of operators) {
      const report = await runWalledReport(context.reportsOf, operatorId);
      await keepReport(reports, operatorId, report);
      if (!report.ok) {
        log.error({ operatorId, findings: report.findings.slice(0, 10) }, 'the nightly reconciliation is not ok');
      }
    }
  }
}
