/** Settles resolved contracts. Each resolution wakes it, and a slow sweep does in case a notification is lost. */
import type { Context } from '../context.ts';
import { logFailures } from '../db/failure-log.ts';
import { settleWaiting } from '../sandbox/resolve-position.ts';
import { raiseResolutionChanges, SettlementFailure, settleMarket } from '../settlement/settle-market.ts';
import { createRelayWaker } from '../webhooks/relay.ts';
import { startPeriodicJob } from './periodic-job.ts';

const SWEEP_MS = 2_000;
const SWEEP_DAYS = 2;
/** At this interval all days are swept, for sells that were unknown for longer and fills that arrived late. */
const WHOLE_SWEEP_MS = 300_000;

export async function startSettlement({ sql, log, listener }: Context): Promise<{ close(): Promise<void> }> {
  const trouble = logFailures(log, 'settlement', 'settlement failed; the next sweep will retry');
  const relay = createRelayWaker(sql);
  let closed = false;
  let running = Promise.resolve();

  /** Runs one settlement after another, because a second sweep at the same time would find no work. */
  function enqueue(contractId: string | null, days?: number): Promise<void> {
    running = running.then(async () => {
      if (closed) {
        return;
      }
      try {
        const failures: unknown[] = [];
        const attempt = (step: Promise<number>) =>
          step.catch((error: unknown) => {
            failures.push(error);
            return error instanceof SettlementFailure ? error.settled : 0;
          });
        const asked = contractId === null ? await attempt(settleWaiting(sql)) : 0;
        const settled = asked + (await attempt(settleMarket(sql, contractId, days)));
        const raised = await attempt(raiseResolutionChanges(sql, contractId, days));
        if (settled + raised > 0) {
          relay.wake();
          log.info({ contractId, settled, raised }, 'positions settled');
        }
        if (failures.length > 0) {
          throw failures[0];
        }
        trouble.over();
      } catch (error) {
        trouble.failed(error, { contractId });
      }
    });
    return running;
  }

  function settleSoon(contractId: string | null): void {
    enqueue(contractId).catch(trouble.failed);
  }

  const unlisten = listener.listen('resolved', {
    onNotification: settleSoon,
    onConnected: () => settleSoon(null),
  });
  const sweepEvery = (everyMs: number, days?: number) =>
    startPeriodicJob({ everyMs, firstMs: everyMs, run: () => enqueue(null, days), failed: trouble.failed });
  const sweeps = [sweepEvery(SWEEP_MS, SWEEP_DAYS), sweepEvery(WHOLE_SWEEP_MS)];
  return {
    close: async () => {
      closed = true;
      await Promise.all(sweeps.map((sweep) => sweep.close()));
      unlisten();
      await running;
    },
  };
}
