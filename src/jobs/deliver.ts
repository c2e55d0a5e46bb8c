/** Runs deliveries as graphile-worker jobs: one job says that one endpoint has something due, and the worker does the rest. */
import { EventEmitter } from 'node:events';
import { type JobHelpers, Logger, type LogLevel, run, type WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { openPool } from '../db/pg-client.ts';
import type { DeliveryWorker } from '../webhooks/delivery-worker.ts';

/** Added by sql/functions/webhooks/wake_webhook_endpoints.sql. */
const TASK = 'webhook-deliver';
const payloadSchema = z.object({ operatorId: z.string(), endpointId: z.string() });

/** A job waits for its endpoint's responses, so many run at the same time; each costs a promise, not a connection. */
const CONCURRENT_JOBS = 512;
const POOL_SIZE = 4;
/** The same as for the other statements of a worker. */
const DEADLINE_MS = 10_000;
/** The maximum delay of a timed retry: jobs that become due are found only by polling. */
const POLL_MS = 250;

const RESTART_AFTER_MS = 1_000;

export interface Deliveries {
  /** The id under which the jobs of this process are locked now; it changes when the runner is restarted. */
  poolId(): string;
  close(): Promise<void>;
}

/**
 * A runner stops if it cannot reach the database for long enough to mark a job as done, so it is restarted until
 * closed.
 */
export async function startDeliveries(context: Context, worker: DeliveryWorker): Promise<Deliveries> {
  const { log } = context;
  let runner = await startRunner(context, worker);
  let closed = false;
  const { promise: closing, resolve: stopWaiting } = Promise.withResolvers<void>();

  const supervised = (async () => {
    for (;;) {
      await Promise.race([runner.ended, closing]);
      if (closed) {
        return;
      }
      log.error('the runner of the webhook jobs stopped; restarting it');
      runner.stop().catch((error: unknown) => log.warn({ err: error }, 'a runner of webhook jobs did not stop'));
      for (let started = false; !started && !closed; ) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS)), closing]);
        try {
          runner = closed ? runner : await startRunner(context, worker);
          started = true;
        } catch {
          // The database is still not available; other parts report that.
        }
      }
    }
  })();

  return {
    poolId: () => runner.poolId,
    close: async () => {
      closed = true;
      stopWaiting();
      await supervised;
      await runner.stop();
    },
  };
}

interface OneRunner {
  readonly poolId: string;
  /** Resolves as soon as it takes no more jobs, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

async function startRunner(context: Context, worker: DeliveryWorker): Promise<OneRunner> {
  const { log } = context;
  const events = new EventEmitter() as WorkerEvents;
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  const shutDown = new Promise<void>((resolve) => {
    events.on('pool:fatalError', ({ error, action }) => {
      log.warn({ err: error, action }, 'a runner of webhook jobs gives up');
      resolve();
    });
    events.on('pool:gracefulShutdown', () => resolve());
  });
  const pgPool = openPool(context.databaseUrl, {
    applicationName: 'inlay-webhook-jobs',
    max: POOL_SIZE,
    // applies to each statement, so a listening connection is not affected
    deadlineMs: DEADLINE_MS,
    onLost: (error) => log.debug({ err: error }, 'a connection of the webhook jobs was lost'),
  });
  const runner = await run({
    pgPool,
    noHandleSignals: true,
    events,
    taskList: {
      [TASK]: async (payload: unknown, _helpers: JobHelpers) => {
        const { operatorId, endpointId } = payloadSchema.parse(payload);
        await worker.visit(operatorId, endpointId);
      },
    },
    preset: {
      worker: {
        concurrentJobs: CONCURRENT_JOBS,
        pollInterval: POLL_MS,
        localQueue: { size: CONCURRENT_JOBS },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        logger: quietLogger(log),
      },
    },
  }).catch(async (error: unknown) => {
    await pgPool.end();
    throw error;
  });
  const finished = runner.promise
    .catch((error: unknown) => log.warn({ err: error }, 'a runner of webhook jobs failed'))
    // not awaited: a connection that the runner never returns must not delay the stop
    .finally(() => {
      pgPool.end().catch((error: unknown) => log.warn({ err: error }, 'the pool of the webhook jobs did not close'));
    });
  return {
    poolId,
    ended: Promise.race([finished, shutDown]),
    stop: async () => {
      // Rejects if the runner has already stopped by itself, which is also fine.
      await runner.stop().catch(() => {});
      await finished;
    },
  };
}

/** graphile-worker logs each job and, in an outage, each failed poll; the supervisor and the relay log what matters. */
function quietLogger(log: Context['log']): Logger {
  return new Logger(() => (_level: LogLevel, message: string) => log.debug(message));
}
