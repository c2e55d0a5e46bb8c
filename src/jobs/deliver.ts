/** Runs deliveries as graphile-worker jobs: one job says that one endpoint has something due, and the worker does the rest. */
import { EventEmitter } from 'node:events';
import { type JobHelpers, Logger, type LogLevel, run, type WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { isSpread } from '../db/by-operator.ts';
import { openPool } from '../db/pg-client.ts';
import { expireDeliveries, recoverDeliveries } from '../webhooks/deliveries.ts';
import { type DeliveryWorker, type DeliveryWorkerOptions, openDeliveryWorker } from '../webhooks/delivery-worker.ts';
import { createSecretBox, type SecretBox } from '../webhooks/endpoint-secret.ts';
import { publishPolicy } from '../webhooks/endpoints.ts';
import { listenForEvents, relayEvents } from '../webhooks/relay.ts';
import { resealSecrets } from '../webhooks/reseal-secrets.ts';
import { logFailures, type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

/** Added by sql/functions/webhooks/relay.sql. */
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
async function startDeliveries(context: Context, worker: DeliveryWorker): Promise<Deliveries> {
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

/**
 * The webhook part of a worker: relay, deliveries, maintenance and retention. A table of contents.
 *
 * @param overrides passed only by tests
 * @returns a handle whose `close` lets deliveries in flight end first
 */
export async function startWebhookJobs(
  context: Context,
  overrides: Partial<DeliveryWorkerOptions> = {},
): Promise<{ close(): Promise<void> }> {
  const { sql, clock, log, environment, secrets } = context;
  const box = createSecretBox(secrets);
  const policy = { allowLoopback: environment.webhookAllowLoopback ?? false };
  await publishPolicy(sql, policy);
  const worker = openDeliveryWorker({ sql, box, policy, clock, log, ...overrides });
  const deliveries = await startDeliveries(context, worker);
  const recovery = startWebhookMaintenance(context, deliveries.poolId);
  const retention = startWebhookRetention(context, box);
  const relay = await startRelay(context);
  return {
    close: async () => {
      await Promise.all([relay.close(), recovery.close(), retention.close()]);
      await worker.close();
      await deliveries.close();
    },
  };
}

/** Costs a comparison of two numbers of each operator; an event without a notification waits at most this long. */
const RELAY_POLL_MS = 100;
/** Where operators are spread over servers it asks all of them. */
const SPREAD_POLL_MS = 1_000;
const AFTER_FAILURE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs the relay: woken by processes that committed facts, and by a slow poll in case a notification is lost. */
async function startRelay(context: Context): Promise<{ close(): Promise<void> }> {
  const { sql, log } = context;
  const trouble = logFailures(log, 'relay', 'the webhook relay failed; will retry');
  const pollMs = (await isSpread(sql)) ? SPREAD_POLL_MS : RELAY_POLL_MS;
  let closed = false;
  let woken = false;
  let wake = () => {};

  async function rest(ms: number): Promise<void> {
    if (closed || woken) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }

  const unlisten = await listenForEvents(sql, () => {
    woken = true;
    wake();
  });

  const loop = (async () => {
    while (!closed) {
      woken = false;
      try {
        const { behind } = await relayEvents(sql);
        trouble.over();
        if (!behind) {
          await rest(pollMs);
        }
      } catch (error) {
        if (isLockTimeout(error)) {
          await rest(pollMs);
          continue;
        }
        trouble.failed(error);
        woken = false;
        await rest(AFTER_FAILURE_MS);
      }
    }
  })();

  return {
    close: async () => {
      closed = true;
      wake();
      await loop;
      await unlisten().catch(() => {});
    },
  };
}

/** It gave way to a runner that was ending its jobs (sql/functions/webhooks/relay.sql). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

// Every few seconds: recovers deliveries of dead workers. Every hour: expires old deliveries and attempts, and encrypts
// secrets again under the current INLAY_SECRET.

const EXPIRY_EVERY_MS = 3_600_000;

function startWebhookRetention(context: Context, box: SecretBox): { close(): Promise<void> } {
  const { sql, log, environment } = context;
  const maintain = async () => {
    try {
      await expireDeliveries(sql, environment.webhookAttemptDays);
    } catch (error) {
      log.warn({ err: error }, 'could not expire old webhook deliveries; will retry');
    }
  };
  const reseal = () =>
    resealSecrets(sql, box).catch((error: unknown) => {
      log.warn(
        { err: error },
        'could not encrypt webhook secrets under the current INLAY_SECRET; will retry in an hour',
      );
    });
  let running: Promise<unknown> = maintain();
  const timer = setInterval(() => {
    // Not at the start: during a rotation, workers that have only the old secret must still be able to read them.
    running = maintain().then(reseal);
  }, EXPIRY_EVERY_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

const RECOVERY_EVERY_MS = 3_000;

function startWebhookMaintenance({ sql, log }: Context, poolId: () => string): PeriodicJob {
  return startPeriodicJob({
    everyMs: RECOVERY_EVERY_MS,
    run: () => recoverDeliveries(sql, poolId()),
    ...logFailures(log, 'webhook-maintenance', 'the recovery of webhook deliveries failed; will retry'),
  });
}
