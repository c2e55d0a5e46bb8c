/** Runs deliveries as graphile-worker jobs: one job says that one endpoint has something due, and the courier does the rest. */
import { EventEmitter } from 'node:events';
import { type JobHelpers, Logger, type LogLevel, run, type WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Courier } from '../webhooks/courier.ts';

/** Made by sql/functions/60_wake_webhook_endpoints.sql. */
const TASK = 'webhook-deliver';
const payloadSchema = z.object({ operatorId: z.string(), endpointId: z.string() });

/** A job waits while its endpoint answers, so there are many; each costs a promise, not a connection. */
const CONCURRENT_JOBS = 512;
const POOL_SIZE = 4;
/** How late a timed retry may start: jobs whose time has come are only found by polling. */
const POLL_MS = 250;

export async function startDeliveries(
  context: Context,
  courier: Courier,
): Promise<{ readonly poolId: string; close(): Promise<void> }> {
  const { log } = context;
  const events = new EventEmitter() as WorkerEvents;
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  const runner = await run({
    connectionString: context.databaseUrl,
    noHandleSignals: true,
    events,
    taskList: {
      [TASK]: async (payload: unknown, _helpers: JobHelpers) => {
        const { operatorId, endpointId } = payloadSchema.parse(payload);
        await courier.visit(operatorId, endpointId);
      },
    },
    preset: {
      worker: {
        concurrentJobs: CONCURRENT_JOBS,
        maxPoolSize: POOL_SIZE,
        pollInterval: POLL_MS,
        localQueue: { size: CONCURRENT_JOBS },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: quietLogger(log),
      },
    },
  });
  const ended = runner.promise.catch((error: unknown) => log.error({ err: error }, 'the webhook job runner stopped'));
  return {
    poolId,
    close: async () => {
      await runner.stop().catch(() => {});
      await ended;
    },
  };
}

/** graphile-worker tells every job at `info` and warns of the small pool that we mean; our log hears of failures only. */
function quietLogger(log: Context['log']): Logger {
  return new Logger(() => (level: LogLevel, message: string) => {
    if (level === 'error') {
      log.warn(message);
    }
  });
}
