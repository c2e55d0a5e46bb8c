/**
 * Leader election by a lease with a heartbeat: a row that names the process that leads and until when, on the database's clock. A holder
 * that cannot renew in time stops by its own monotonic clock before another process can take the lease. This file does not decide what a
 * leader does. Writes that must not outlive a leadership carry its fence (`assert_lease` in SQL).
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { connect, type Sql } from './client.ts';

/**
 * Proof of one leadership. The epoch rises with each one; the holder distinguishes two even if a fail-over lost a
 * commit.
 */
export interface Fence {
  readonly epoch: bigint;
  readonly holder: string;
}

export interface Lease {
  readonly fence: Fence;
  /** False from the moment at which another process may take it. Check it before an action that cannot be fenced. */
  isHeld(): boolean;
  /** Never rejects. `lost` means taken by another process, or not renewed in time. */
  readonly ended: Promise<'resigned' | 'lost'>;
  /** Frees the lease for others at once. Resolves within a few seconds whether or not the database responds. */
  resign(): Promise<void>;
}

export interface LeaseOptions {
  readonly url: string;
  readonly applicationName: string;
  /** One name for each kind of leadership. */
  readonly name: string;
  /** Aborts the waiting. A lease that was acquired is ended only by `resign`. */
  readonly signal: AbortSignal;
  /** How long another process waits for a holder that is silent, in milliseconds. */
  readonly durationMs?: number;
}

const DURATION_MS = 8_000;
const POLL_MS = 500;
/** A holder renews after each of this many parts of the duration, and waits as long for the result. */
const RENEWALS = 4;
const RETRY_MS = 250;
/** The holder stops this fraction of the duration before the database regards the lease as expired. */
const SAFETY = 1 / 8;

/**
 * Waits until this process holds the lease.
 * @returns null if `signal` was aborted first
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease | null> {
  const { name, signal, durationMs = DURATION_MS } = options;
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`;
  const sql = connect(options.url, {
    // A connection apart from the pools: a heartbeat must not wait for a statement of the work that it protects.
    max: 1,
    applicationName: options.applicationName,
    deadlineMs: durationMs / RENEWALS,
  });
  let watched: { expiry: string; since: number } | undefined;
  while (!signal.aborted) {
    const askedAt = performance.now();
    const unmoved =
      watched !== undefined && askedAt - watched.since > durationMs * (1 + SAFETY) ? watched.expiry : null;
    try {
      const [row] = await sql<{ epoch: bigint | null; expiry: string | null }[]>`
        select taken_epoch as epoch, current_expiry::text as expiry
        from take_lease(${name}, ${holder}, ${durationMs}, ${unmoved}::text::timestamptz)`;
      const epoch = row?.epoch ?? null;
      if (epoch !== null) {
        return hold(sql, { epoch, holder }, askedAt, name, durationMs);
      }
      const expiry = row?.expiry ?? null;
      if (expiry !== null && expiry !== watched?.expiry) {
        watched = { expiry, since: performance.now() };
      }
    } catch {
      // The database is not available or read-only.
      watched = undefined;
    }
    await pause(POLL_MS, signal);
  }
  await close(sql);
  return null;
}

function hold(sql: Sql, fence: Fence, takenAt: number, name: string, durationMs: number): Lease {
  const { promise: ended, resolve } = Promise.withResolvers<'resigned' | 'lost'>();
  const stop = new AbortController();
  let heldUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function extend(from: number): void {
    heldUntil = from + durationMs * (1 - SAFETY);
    clearTimeout(timer);
    timer = setTimeout(lose, heldUntil - performance.now());
  }

  function lose(): void {
    if (stop.signal.aborted) {
      return;
    }
    stop.abort();
    clearTimeout(timer);
    resolve('lost');
    close(sql).catch(() => {});
  }

  async function renew(): Promise<void> {
    let pauseMs = durationMs / RENEWALS;
    for (;;) {
      await pause(pauseMs, stop.signal);
      if (stop.signal.aborted) {
        return;
      }
      const askedAt = performance.now();
      try {
        const [row] = await sql<{ renewed: boolean }[]>`
          select renew_lease(${name}, ${fence.epoch}, ${fence.holder}, ${durationMs}) as renewed`;
        if (stop.signal.aborted) {
          return;
        }
        if (row?.renewed !== true) {
          lose();
        } else {
          extend(askedAt);
        }
        pauseMs = durationMs / RENEWALS;
      } catch {
        // No result in time: retried until the timer ends the leadership.
        pauseMs = RETRY_MS;
      }
    }
  }

  extend(takenAt);
  // renew handles its own failures
  renew().catch(lose);
  return {
    fence,
    isHeld: () => !stop.signal.aborted && performance.now() < heldUntil,
    ended,
    async resign() {
      if (stop.signal.aborted) {
        return;
      }
      stop.abort();
      clearTimeout(timer);
      await sql`select release_lease(${name}, ${fence.epoch}, ${fence.holder})`.catch(() => {});
      await close(sql);
      resolve('resigned');
    },
  };
}

function close(sql: Sql): Promise<void> {
  return sql.end({ timeout: 1 }).catch(() => {});
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    if (signal.aborted) {
      done();
    } else {
      signal.addEventListener('abort', done, { once: true });
    }
  });
}
