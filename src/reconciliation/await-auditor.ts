/**
 * Lets a report wait for the auditor, which reads the journal in a worker: an API process may not write the auditor's books. A notification
 * wakes an auditor that rests, and short statements look how far it has read. No connection is held in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';

/** Its notifications name an operator whose report waits for the auditor. */
export const AUDIT_CHANNEL = 'audit';

const TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;
const RETRY_AFTER_SECONDS = 10;

/**
 * Resolves once the auditor has read all rows that are recorded of an operator now. Their end is read from the journal and not from the
 * counter of the feed, because a damaged counter is a finding that the report has to show.
 * @param signal ends the wait, because the report is no longer needed
 * @param timeoutMs tests shorten it
 * @throws service_unavailable if the auditor has not read so far in time, or the signal ends the wait
 */
export async function awaitAuditor(
  sql: Sql,
  operatorId: string,
  signal: AbortSignal,
  timeoutMs: number = TIMEOUT_MS,
): Promise<void> {
  const since = performance.now();
  const recorded = await lastRecorded(sql, operatorId);
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted && performance.now() - since < timeoutMs) {
    if ((await lastRead(sql, operatorId)) >= recorded) {
      return;
    }
    if (pauseMs === FIRST_PAUSE_MS) {
      await sql`select pg_notify(${AUDIT_CHANNEL}, ${operatorId})`;
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  throw refuse('service_unavailable', 'The auditor has not read everything that is recorded yet.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The position of the last row of the operator's journal; 0 without one. */
async function lastRecorded(sql: Sql, operatorId: string): Promise<bigint> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence from journal where operator_id = ${operatorId} order by sequence desc limit 1`;
  return row?.sequence ?? 0n;
}

/** The last position that the auditor has read; 0 if it has read none. */
async function lastRead(sql: Sql, operatorId: string): Promise<bigint> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence from audit.progress where operator_id = ${operatorId}`;
  return row?.sequence ?? 0n;
}
