/**
 * Runs checks of the database side by side, each in its own session and under a deadline, while one more session watches the locks that
 * they wait for. A check without a result fails and names the holder of the lock; one that waited and passed is a warning, because orders
 * waited as well.
 */
import { shareReads, within } from '../core/deadline.ts';
import { connect, type Sql } from '../db/client.ts';
import { describeHolder, type LockHolder, listLockHolders } from '../db/lock-holders.ts';

/** A finding of `inlay doctor`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** The finding is worth knowing but does not make the command fail. */
  readonly warning?: boolean;
}

export interface DatabaseCheck {
  /** The name of its finding if it has no result. */
  readonly name: string;
  /** The finding's text if it has no result. */
  readonly lost?: string;
  /**
   * @param sql a session of this check alone
   * @param session how it was opened, for a check that opens another one
   */
  run(sql: Sql, session: CheckSession): Promise<Check | readonly Check[]>;
}

interface CheckSession {
  readonly applicationName: string;
  /** Later than the deadline of the check, so that the session still waits when it is looked at. Milliseconds. */
  readonly deadlineMs: number;
}

export interface CheckedDatabase {
  readonly url: string;
  /** For the session that watches, because the owner sees more of other sessions. */
  readonly ownerUrl: string;
}

/** How long a check may take: as long as an order waits for the database. */
export const CHECK_MS = 5_000;
/** Sessions at the same time: few beside those of the service, and enough that several locked tables take no longer than one. */
const SIDE_BY_SIDE = 4;
const LOOK_MS = 200;
/** Health reports a service as degraded if its orders wait longer for a lock. */
const NOTABLE_MS = 500;
const LAST_LOOK_MS = 1_000;

/**
 * @param wordsOf describes the error of a check for the reader
 * @returns the findings, in the order of the checks
 */
export async function runChecks(
  database: CheckedDatabase,
  checks: readonly DatabaseCheck[],
  wordsOf: (error: unknown) => string,
): Promise<Check[]> {
  const found: (readonly Check[])[] = [];
  const watch = watchWaits(database.ownerUrl);
  const waiting = checks.entries();
  const runWaiting = async () => {
    for (const [place, check] of waiting) {
      found[place] = await runCheck(database.url, check, watch, wordsOf);
    }
  };
  try {
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, runWaiting));
  } finally {
    await watch.close();
  }
  return found.flat();
}

async function runCheck(
  url: string,
  { name, lost, run }: DatabaseCheck,
  watch: Watch,
  wordsOf: (error: unknown) => string,
): Promise<readonly Check[]> {
  const session = { applicationName: `inlay-doctor ${name}`, deadlineMs: CHECK_MS * 2 };
  const sql = connect(url, { ...session, max: 1 });
  const failed = (detail: string) => [{ name, ok: false, detail: lost === undefined ? detail : `${lost}: ${detail}` }];
  try {
    const answer = await within(CHECK_MS, run(sql, session), () => undefined);
    const wait = await watch.waitOf(session.applicationName, answer === undefined);
    if (answer === undefined) {
      const seconds = CHECK_MS / 1_000;
      return failed(wait === undefined ? `no answer within ${seconds} s` : `waits for ${describeHolder(wait.holder)}`);
    }
    const findings: readonly Check[] = 'length' in answer ? answer : [answer];
    return wait === undefined || wait.ms < NOTABLE_MS ? findings : findings.map((finding) => noteWait(finding, wait));
  } catch (error) {
    return failed(wordsOf(error));
  } finally {
    await sql.end({ timeout: 0 });
  }
}

function noteWait(finding: Check, { ms, holder }: Wait): Check {
  const detail = `${finding.detail}; it waited ${(ms / 1_000).toFixed(1)} s for ${describeHolder(holder)}`;
  return finding.ok ? { ...finding, ok: false, warning: true, detail } : { ...finding, detail };
}

interface Wait {
  /** From the first moment at which the session was seen waiting to the last. */
  readonly ms: number;
  readonly holder: LockHolder;
}

interface Watch {
  /** @param again looks once more first */
  waitOf(application: string, again: boolean): Promise<Wait | undefined>;
  close(): Promise<void>;
}

/** Reads the waiting sessions several times a second, because they cannot be found afterwards. */
function watchWaits(url: string): Watch {
  const sql = connect(url, { max: 1, applicationName: 'inlay-doctor-watch', deadlineMs: CHECK_MS });
  const waits = new Map<string, { readonly from: number; readonly until: number; readonly holder: LockHolder }>();
  const lookOnce = async () => {
    const holders = await listLockHolders(sql);
    const until = performance.now();
    for (const holder of holders) {
      for (const { application, seconds } of holder.waiters) {
        const from = Math.min(waits.get(application)?.from ?? until, until - seconds * 1_000);
        waits.set(application, { from, until, holder });
      }
    }
  };
  // without a result the locks are unknown
  const look = shareReads(
    () => lookOnce().catch(() => {}),
    LAST_LOOK_MS,
    () => {},
  );
  const timer = setInterval(look, LOOK_MS);
  return {
    waitOf: async (application, again) => {
      if (again) {
        await look();
      }
      const seen = waits.get(application);
      return seen === undefined ? undefined : { ms: seen.until - seen.from, holder: seen.holder };
    },
    close: async () => {
      clearInterval(timer);
      await sql.end({ timeout: 0 });
    },
  };
}
