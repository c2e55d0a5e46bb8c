/**
 * The jobs that check the books and sign their log: the auditor reads the journal, every operator's books are verified once a night,
 * and new feed items are appended to the signed logs.
 */
import { listUnread, readOn } from '../audit/read-on.ts';
import type { AuditingContext, Context } from '../context.ts';
import { createRest } from '../core/rest.ts';
import { logFailures } from '../db/failure-log.ts';
import { acquireLease } from '../db/lease.ts';
import { countFeed } from '../ledger/log/log-store.ts';
import { currentLogKey, loadLogSigner, sealFeeds } from '../ledger/log/sign-log.ts';
import { toldOf } from '../ledger/render/told.ts';
import { AUDIT_CHANNEL } from '../reconciliation/await-auditor.ts';
import { claimNightlyReports, keepReport, runVerifiedReport } from '../reconciliation/report.ts';
import type { Report } from '../wire/reconciliation.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

const AUDIT_EVERY_MS = 1_000;

/**
 * Keeps the auditor reading: every second, or after a rest as long as the reading before it, and at once if a report waits for it. One worker on a database holds its lease. If the
 * journal of one operator cannot be read, the others are still read; `doctor` and the metric report how far the auditor is behind.
 * @param everyMs milliseconds between two readings that no report waits for; tests lengthen it
 */
export function startAuditing(
  { audit, databaseUrl, listener, log }: Pick<AuditingContext, 'audit' | 'databaseUrl' | 'listener' | 'log'>,
  everyMs = AUDIT_EVERY_MS,
): { close(): Promise<void> } {
  const stop = new AbortController();
  const { signal } = stop;
  /** Operators whose reports wait. They are read first. */
  const asked = new Set<string>();
  const { rest, wake } = createRest();
  const failures = logFailures(log, 'audit', 'the auditor could not read the journal; will retry');

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
      const unlisten = listener.listen(AUDIT_CHANNEL, {
        onNotification(operatorId) {
          asked.add(operatorId);
          wake();
        },
        onConnected: wake,
      });
      while (keepGoing()) {
        const began = performance.now();
        await readAll(keepGoing);
        // at the peak of trading it takes at most half of a processor from the orders
        await rest(Math.max(everyMs, performance.now() - began));
      }
      unlisten();
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
    const unread = new Set(operators);
    for (let operatorId = takeNext(unread); operatorId !== undefined && keepGoing(); operatorId = takeNext(unread)) {
      await readOn(audit, operatorId, toldOf, () => keepGoing() && asked.size === 0).catch((error: unknown) =>
        fail(error, { operatorId }),
      );
      if (asked.size > 0) {
        unread.add(operatorId);
      }
    }
    if (!failed) {
      failures.over();
    }
  }

  function takeNext(unread: Set<string>): string | undefined {
    const [operatorId] = [...asked, ...unread];
    if (operatorId !== undefined) {
      asked.delete(operatorId);
      unread.delete(operatorId);
    }
    return operatorId;
  }

  const running = run();
  return {
    async close() {
      stop.abort();
      wake();
      await running;
    },
  };
}

const REPORT_EVERY_MS = 600_000;
const FIRST_REPORT_MS = 60_000;
/** No work waits for the reports and trading continues meanwhile, so they run one after another. */
const REPORTS_AT_ONCE = 1;
/** If an operator has no more items than this, the auditor reads all of them again each night, which takes seconds. */
const SMALL_FEED = 100_000;

/**
 * Verifies the books of every operator once a night (UTC): the whole report, and every item of the feed against its log. Before
 * that, the auditor's own books of a small operator are built again. The report is stored, and its findings are logged.
 * @param firstMs milliseconds until the first check; tests shorten it
 */
export function startNightlyReports(context: AuditingContext, firstMs = FIRST_REPORT_MS): PeriodicJob {
  return startPeriodicJob({
    everyMs: REPORT_EVERY_MS,
    firstMs,
    run: (keepGoing) => night(context, keepGoing),
    failed: (error) => context.log.warn({ err: error }, 'the nightly reconciliation failed; will retry'),
  });
}

async function night(context: AuditingContext, keepGoing: () => boolean): Promise<void> {
  const { reports, log } = context;
  const signer = loadLogSigner(context.environment, context.secrets);
  while (keepGoing()) {
    const operators = await claimNightlyReports(reports, REPORTS_AT_ONCE);
    if (operators.length === 0) {
      return;
    }
    for (const operatorId of operators) {
      const key = await currentLogKey(reports, operatorId, signer);
      const report = await verifyAlone(context, operatorId, key);
      await keepReport(reports, operatorId, report);
      if (!report.ok) {
        log.error({ operatorId, findings: report.findings.slice(0, 10) }, 'the nightly reconciliation has findings');
      }
    }
  }
}

/** Verifies one operator over separate connections, which see only the rows of this operator. */
async function verifyAlone({ reportsOf, audit }: AuditingContext, operatorId: string, key: string): Promise<Report> {
  const sql = await reportsOf(operatorId);
  try {
    return await runVerifiedReport(sql, operatorId, key, audit, (await countFeed(sql, operatorId)) <= SMALL_FEED);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const SEAL_EVERY_MS = 2_000;

/**
 * Appends new feed items to the operators' logs with a signed checkpoint, so that no log is more than ten seconds behind
 * its feed. Items that a failed run did not append are appended by the next.
 */
export function startFeedSealing({ sql, log, environment, secrets }: Context): PeriodicJob {
  const signer = loadLogSigner(environment, secrets);
  return startPeriodicJob({
    everyMs: SEAL_EVERY_MS,
    run: (keepGoing) => sealFeeds(sql, signer, keepGoing),
    ...logFailures(log, 'feed log', 'could not append to the feed logs; will retry'),
  });
}
