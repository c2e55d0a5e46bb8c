/**
 * Stands in for `graphile-worker` and the pool that it gets, which keep time and sockets of their own: the same tables, claims
 * and ends of jobs, by the process's own timers and over its own connection.
 */
import type { EventEmitter } from 'node:events';
import type { Sql } from '../../src/db/client.ts';
import { thisProcess } from './process.ts';
import { randomUUID } from './simulated-crypto.ts';
import { simulatedSql } from './simulated-sql.ts';

type Task = (payload: unknown, helpers: object) => Promise<void>;

interface RunnerOptions {
  readonly events: EventEmitter;
  readonly taskList: Readonly<Record<string, Task>>;
  readonly preset: { readonly worker: { readonly pollInterval: number } };
}

interface Job {
  readonly id: bigint;
  readonly payload: unknown;
}

const MOST_JOBS = 16;

export class Logger {}

export function openPool() {
  return { end: async () => {} };
}

export async function run({ events, taskList, preset }: RunnerOptions) {
  const sql = simulatedSql(thisProcess());
  const poolId = `pool-${randomUUID()}`;
  const [[name, task] = ['', async () => {}]] = Object.entries(taskList);
  const { promise, resolve } = Promise.withResolvers<void>();
  let claiming = false;
  const look = async () => {
    if (claiming) {
      return;
    }
    claiming = true;
    try {
      for (const job of await claimJobs(sql, poolId, name)) {
        void perform(sql, poolId, job, task);
      }
    } catch {
      // looked at again
    } finally {
      claiming = false;
    }
  };
  const timer = setInterval(() => void look(), preset.worker.pollInterval);
  events.emit('pool:create', { workerPool: { id: poolId } });
  return {
    promise,
    stop: async () => {
      clearInterval(timer);
      resolve();
    },
  };
}

function claimJobs(sql: Sql, poolId: string, name: string): Promise<Job[]> {
  return sql<Job[]>`
    with j as (
      select p.id from graphile_worker._private_jobs p join graphile_worker._private_tasks t on t.id = p.task_id
      where p.is_available and p.run_at <= now() and t.identifier = ${name}
      order by p.priority, p.run_at, p.id limit ${MOST_JOBS} for update of p skip locked
    )
    update graphile_worker._private_jobs p set attempts = p.attempts + 1, locked_by = ${poolId}, locked_at = now()
    from j where p.id = j.id returning p.id, p.payload`;
}

async function perform(sql: Sql, poolId: string, { id, payload }: Job, task: Task): Promise<void> {
  try {
    await task(payload, {});
    await sql`delete from graphile_worker._private_jobs where id = ${id}`;
  } catch (error) {
    await sql`
      update graphile_worker._private_jobs set last_error = ${String(error)}, locked_by = null, locked_at = null,
        run_at = greatest(now(), run_at) + (exp(least(attempts, 10)) * interval '1 second')
      where id = ${id} and locked_by = ${poolId}`.catch(() => {
      // the lock is given back once this process has said nothing for a while
    });
  }
}
