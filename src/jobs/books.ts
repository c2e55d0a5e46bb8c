/**
 * The auditor reads on: of all workers on a database one holds its lease. An operator whose journal cannot be read does not keep the
 * others; `doctor` and the metric tell how far it is behind.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { listUnread, readOn } from '../audit/read-on.ts';
import type { Context } from '../context.ts';
import { acquireLease } from '../db/lease.ts';
import { currentLogKey, loadLogSigner, sealFeeds } from '../ledger/log/sign-log.ts';
import { claimNightlyReports, keepReport, runVerifiedReport } from '../reconciliation/report.ts';
import type { Report } from '../wire/reconciliation.ts';
import { logFailures, type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const PAUSE_MS = 1_000;

export function startAuditing({ audit, databaseUrl, log }: Pick<Context, 'audit' | 'databaseUrl' | 'log'>): {
  close(): Promise<void>;
} {
  const stop = new AbortController();
  const { signal } = stop;
  const failures = logFailures(log, 'audit', 'the auditor could not read on; will retry');

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const lease = await acquireLease({
        url: databaseUrl,
        applicationName: 'inlay-audit-leader',
        name: 'audit',
        signal,
      });
      if (lease === null) {
        return;
      }
      const keepGoing = () => lease.isHeld() && !signal.aborted;
      while (keepGoing()) {
        await readAll(keepGoing);
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
      await lease.resign();
    }
  }

  async function readAll(keepGoing: () => boolean): Promise<void> {
    let failed = false;
    const fail = (error: unknown, facts?: { readonly operatorId: string }) => {
      failed = true;
      failures.failed(error, facts);
    };
    const operators = await listUnread(audit).catch((error: unknown) => {
      fail(error);
      return [];
    });
    for (const operatorId of operators) {
      await readOn(audit, operatorId, keepGoing).catch((error: unknown) => fail(error, { operatorId }));
    }
    if (!failed) {
      failures.over();
    }
  }

  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

const REPORT_EVERY_MS = 600_000;
const FIRST_MS = 60_000;
/** One after the other: nothing waits for them, and trading continues meanwhile. */
const AT_ONCE = 1;

/**
 * Verifies the books of every operator once a night (UTC): the whole report, and every item of the feed against its log. It keeps
 * the report. Findings are logged.
 *
 * @param firstMs delay of the first check; tests set it to be short
 */
export function startNightlyReports(context: Context, firstMs = FIRST_MS): PeriodicJob {
  return startPeriodicJob({
    everyMs: REPORT_EVERY_MS,
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

const SEAL_EVERY_MS = 2_000;

/**
 * Appends new feed items to the operators' logs with a signed checkpoint, so that none is more than ten seconds behind its
 * feed. A failed run is retried; what is not in the log yet is not lost.
 */
export function startFeedSealing({ sql, log, environment, secrets }: Context): PeriodicJob {
  const signer = loadLogSigner(environment, secrets);
  return startPeriodicJob({
    everyMs: SEAL_EVERY_MS,
    run: (keepGoing) => sealFeeds(sql, signer, keepGoing),
    ...logFailures(log, 'feed log', 'could not append to the feed logs; will retry'),
  });
}
