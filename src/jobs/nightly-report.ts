/** Runs the reconciliation report of every operator once a night (UTC) and keeps the last one. What is found is logged. */
import type { Context } from '../context.ts';
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';
import { claimNightlyReports, keepReport } from '../reconciliation/report/reports.ts';
import { runReport } from '../reconciliation/report/run-report.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 60_000;
/** One after the other: nobody waits for them, and trading goes on meanwhile. */
const AT_ONCE = 1;

/** @param firstMs until the first look; tests do not wait. */
export function startNightlyReports({ reports, log }: Context, firstMs = FIRST_MS): Rounds {
  return startRounds({
    everyMs: EVERY_MS,
    firstMs,
    round: (goesOn) => night(reports, log, goesOn),
    failed: (error) => log.warn({ err: error }, 'the nightly reconciliation failed and comes again'),
  });
}

async function night(sql: Sql, log: Logger, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    const operators = await claimNightlyReports(sql, AT_ONCE);
    if (operators.length === 0) {
      return;
    }
    for (const operatorId of operators) {
      const report = await runReport(sql, operatorId);
      await keepReport(sql, operatorId, report);
      if (!report.ok) {
        log.error({ operatorId, findings: report.findings.slice(0, 10) }, 'the nightly reconciliation is not ok');
      }
    }
  }
}
