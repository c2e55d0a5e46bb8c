/**
 * The webhook part of a worker: it relays events into deliveries, runs the deliveries as graphile-worker jobs, and recovers, expires and
 * re-encrypts the rest. One job stands for one endpoint with due deliveries.
 */
import { EventEmitter } from 'node:events';
import { type JobHelpers, Logger, type LogLevel, run, type WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { createRest } from '../core/rest.ts';
import { logFailures } from '../db/failure-log.ts';
import { openPool } from '../db/pg-client.ts';
import { JOURNAL_CHANNEL } from '../ledger/journal.ts';
import { expireDeliveries, recoverDeliveries } from '../webhooks/deliveries.ts';
import { type DeliveryWorker, type DeliveryWorkerOptions, openDeliveryWorker } from '../webhooks/delivery-worker.ts';
import { createSecretBox, type SecretBox } from '../webhooks/endpoint-secret.ts';
import { publishPolicy } from '../webhooks/endpoints.ts';
import { relayEvents } from '../webhooks/relay.ts';
import { resealSecrets } from '../webhooks/reseal-secrets.ts';
import { type PeriodicJob, startPeriodicJob } from './periodic-job.ts';

/**
 * @param overrides set only by tests
 * @returns a handle whose `close` waits for the deliveries in flight
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
  const makers: { close(): Promise<void> }[] = [];
  const runners: { close(): Promise<void> }[] = [worker];
  const close = async () => {
    // The makers of jobs end first, then the deliveries in flight, then the runner.
    await Promise.all(makers.map((part) => part.close()));
    for (const part of runners) {
      await part.close();
    }
  };
  try {
    const deliveries = await startDeliveries(context, worker);
    runners.push(deliveries);
    makers.push(
      startRecovery(context, deliveries.poolId),
      startExpiry(context),
      startResealing(context, box),
      startRelay(context),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

const RESTART_AFTER_MS = 1_000;

interface Deliveries {
  /** The id under which the jobs of this process are locked. It changes when the runner is restarted. */
  poolId(): string;
  close(): Promise<void>;
}

/**
 * Keeps a runner of jobs until closed. A runner stops if it cannot reach the database for long enough to mark a job as
 * done, and is then replaced.
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
      runner
        .stop()
        .catch((error: unknown) => log.warn({ err: error }, 'the previous runner of the webhook jobs did not stop'));
      for (let started = false; !started && !closed; ) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS)), closing]);
        try {
          runner = closed ? runner : await startRunner(context, worker);
          started = true;
        } catch {
          // The database is still not available, which other parts report.
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
  /** Resolves as soon as the runner takes no more jobs, for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** The jobs are added by sql/functions/webhooks/relay.sql. */
const TASK = 'webhook-deliver';
const payloadSchema = z.object({ operatorId: z.string(), endpointId: z.string() });

/** Jobs mostly wait for responses, so many run at the same time. Each costs a promise, not a connection. */
const CONCURRENT_JOBS = 512;
const POOL_SIZE = 4;
/** The deadline of a statement, as in the rest of a worker. */
const DEADLINE_MS = 10_000;
/** How late a timed retry may be, because jobs that become due are found only by polling. */
const POLL_MS = 250;

async function startRunner(context: Context, worker: DeliveryWorker): Promise<OneRunner> {
  const { log } = context;
  const events = new EventEmitter() as WorkerEvents;
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  const shutDown = new Promise<void>((resolve) => {
    events.on('pool:fatalError', ({ error, action }) => {
      log.warn({ err: error, action }, 'the runner of the webhook jobs stops after a fatal error');
      resolve();
    });
    events.on('pool:gracefulShutdown', () => resolve());
  });
  const pgPool = openPool(context.databaseUrl, {
    applicationName: 'inlay-webhook-jobs',
    max: POOL_SIZE,
    // The deadline applies to each statement, so a listening connection is not affected.
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
    .catch((error: unknown) => log.warn({ err: error }, 'the runner of the webhook jobs failed; it will be restarted'))
    // This is not awaited, because a connection that the runner never returns must not delay the stop.
    .finally(() => {
      pgPool.end().catch((error: unknown) => log.warn({ err: error }, 'the pool of the webhook jobs did not close'));
    });
  return {
    poolId,
    ended: Promise.race([finished, shutDown]),
    stop: async () => {
      // This rejects if the runner has already stopped by itself.
      await runner.stop().catch(() => {});
      await finished;
    },
  };
}

/** graphile-worker logs each job and, in an outage, each failed poll. The supervisor and the relay log the important events. */
function quietLogger(log: Context['log']): Logger {
  return new Logger(() => (_level: LogLevel, message: string) => log.debug(message));
}

const RECOVERY_EVERY_MS = 3_000;

/** Recovers the deliveries of dead workers. */
function startRecovery({ sql, log }: Context, poolId: () => string): PeriodicJob {
  return startPeriodicJob({
    everyMs: RECOVERY_EVERY_MS,
    run: () => recoverDeliveries(sql, poolId()),
    ...logFailures(log, 'webhook-maintenance', 'the recovery of webhook deliveries failed; will retry'),
  });
}

const UPKEEP_EVERY_MS = 3_600_000;

/** Expires old deliveries and attempts. */
function startExpiry({ sql, log, environment }: Context): PeriodicJob {
  return startPeriodicJob({
    everyMs: UPKEEP_EVERY_MS,
    run: () => expireDeliveries(sql, environment.webhookAttemptDays),
    failed: (error) => log.warn({ err: error }, 'could not expire old webhook deliveries; will retry'),
  });
}

/**
 * Encrypts secrets that an earlier INLAY_SECRET has encrypted under the current one. Not at the start, because during a
 * rotation workers with only the old secret must still read the secrets.
 */
function startResealing({ sql, log }: Context, box: SecretBox): PeriodicJob {
  return startPeriodicJob({
    everyMs: UPKEEP_EVERY_MS,
    firstMs: UPKEEP_EVERY_MS,
    run: () => resealSecrets(sql, box),
    failed: (error) =>
      log.warn(
        { err: error },
        'could not encrypt webhook secrets under the current INLAY_SECRET; will retry in an hour',
      ),
  });
}

/** An event whose notification was lost waits at most this long. */
const RELAY_POLL_MS = 1_000;
const AFTER_FAILURE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Runs the relay. Processes that committed facts wake it, and a slow poll does in case a notification is lost. */
function startRelay(context: Context): { close(): Promise<void> } {
  const { sql, listener, log } = context;
  const trouble = logFailures(log, 'relay', 'the webhook relay failed; will retry');
  const { rest, wake } = createRest();
  let closed = false;
  const unlisten = listener.listen(JOURNAL_CHANNEL, { onNotification: wake, onConnected: wake });

  const loop = (async () => {
    while (!closed) {
      try {
        const { behind } = await relayEvents(sql);
        trouble.over();
        if (!behind) {
          await rest(RELAY_POLL_MS);
        }
      } catch (error) {
        if (isLockTimeout(error)) {
          await rest(RELAY_POLL_MS);
          continue;
        }
        trouble.failed(error);
        await rest(AFTER_FAILURE_MS);
      }
    }
  })();

  return {
    close: async () => {
      closed = true;
      wake();
      await loop;
      unlisten();
    },
  };
}

/** Whether the relay gave way to a runner that was ending its jobs (sql/functions/webhooks/relay.sql). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}
