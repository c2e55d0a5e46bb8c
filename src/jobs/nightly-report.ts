/** Runs the reconciliation report of every operator once a night (UTC) and keeps the last one. What is found is logged. */
import type { Context } from '../context.ts';
import { claimNightlyReports, keepReport } from '../reconciliation/reports.ts';
import { runReport } from '../reconciliation/run-report.ts';

const EVERY_MS = 600_000;
const FIRST_MS = 60_000;
/** One after the other: nobody waits for them, and trading goes on meanwhile. */
const AT_ONCE = 1;

/** @param firstMs until the first look; tests do not wait. */
export function startNightlyReports(context: Context, firstMs = FIRST_MS): { close(): Promise<void> } {
  const { sql, log } = context;
  let running = Promise.resolve();
  let closed = false;

  async function night(): Promise<void> {
    for (;;) {
      const operators = closed ? [] : await claimNightlyReports(sql, AT_ONCE);
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

  const round = () => {
    running = running
      .then(night)
      .catch((error: unknown) => log.warn({ err: error }, 'the nightly reconciliation failed and comes again'));
  };
  const first = setTimeout(round, firstMs);
  const timer = setInterval(round, EVERY_MS);
  return {
    close: async () => {
      closed = true;
      clearTimeout(first);
      clearInterval(timer);
      await running;
    },
  };
}
