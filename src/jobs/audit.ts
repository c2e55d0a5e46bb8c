/**
 * The auditor reads on: of all workers on a database one holds its lease. An operator whose journal cannot be read does not keep the
 * others; `doctor` and the metric tell how far it is behind.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { listUnread, readOn } from '../audit/read-on.ts';
import type { Context } from '../context.ts';
import { acquireLease } from '../db/lease.ts';
import { logFailures } from './failure-log.ts';

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
