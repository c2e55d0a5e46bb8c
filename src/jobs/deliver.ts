/** Runs deliveries as graphile-worker jobs: one job says that one endpoint has something due, and the worker does the rest. */
import { EventEmitter } from 'node:events';
import { type JobHelpers, Logger, type LogLevel, run, type WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { openPool } from '../db/pool.ts';
import type { DeliveryWorker } from '../webhooks/delivery/delivery-worker.ts';

/** Made by sql/functions/webhooks/wake_webhook_endpoints.sql. */
const TASK = 'webhook-deliver';
const payloadSchema = z.object({ operatorId: z.string(), endpointId: z.string() });

/** A job waits while its endpoint answers, so there are many; each costs a promise, not a connection. */
const CONCURRENT_JOBS = 512;
const POOL_SIZE = 4;
/** The same as of a worker's other statements. */
const DEADLINE_MS = 10_000;
/** How late a timed retry may start: jobs whose time has come are only found by polling. */
const POLL_MS = 250;

const RESTART_AFTER_MS = 1_000;

export interface Deliveries {
  /** Under which the jobs of this process are locked now; it changes when the runner had to be started anew. */
  poolId(): string;
  close(): Promise<void>;
}

/** A runner gives up when it cannot reach the database for long enough to mark a job done, so it is started anew until closed. */
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
      log.error('the runner of the webhook jobs ended and is started anew');
      runner.stop().catch((error: unknown) => log.warn({ err: error }, 'a runner of webhook jobs did not stop'));
      for (let started = false; !started && !closed; ) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS)), closing]);
        try {
          runner = closed ? runner : await startRunner(context, worker);
          started = true;
        } catch {
          // The database is still away; its absence is told by whoever needs it more.
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
    // counts for each statement, so a connection that listens is not concerned
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
    // not waited for: a connection that the runner never gives back must not hold up the stop
    .finally(() => {
      pgPool.end().catch((error: unknown) => log.warn({ err: error }, 'the pool of the webhook jobs did not close'));
    });
  return {
    poolId,
    ended: Promise.race([finished, shutDown]),
    stop: async () => {
      // Rejects when it has stopped by itself, which is all that is wanted.
      await runner.stop().catch(() => {});
      await finished;
    },
  };
}

/** graphile-worker tells each job, and in an outage each failing poll; what matters of it is told by the supervisor and the relay. */
function quietLogger(log: Context['log']): Logger {
  return new Logger(() => (_level: LogLevel, message: string) => log.debug(message));
}
