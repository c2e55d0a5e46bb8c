/**
 * Counts requests by subject and minute, for keys, embed sessions and operators. A process counts in memory, so that no request waits for
 * it. Every 100 ms it adds its counts to the database's, and reads the sums over all processes. One process counts exactly; several
 * together may exceed a limit by the requests that arrive within 100 ms. Owns `rate_counters`.
 */
import type { Logger } from '../core/log.ts';
import type { Sql } from '../db/client.ts';
import { logFailures } from '../db/failure-log.ts';

/** The budget of one subject (a key that acts for one operator, an embed session) in this minute. */
export interface RateWindow {
  /** Requests per minute. */
  readonly limit: number;
  /** The number of requests left after this one, never below zero. */
  readonly remaining: number;
  /** Seconds until the next wall-clock minute of the database, 1 to 60. */
  readonly resetSeconds: number;
}

export interface MeteredRequest {
  /** Such as `k:<key id>:<operator id>` or `e:<session id>`; `t:` is reserved for tenants. */
  readonly subject: string;
  /** Requests per minute. */
  readonly limit: number;
  /** The operator whose ceiling this counts toward, and that ceiling. */
  readonly tenant?: { readonly operatorId: string; readonly ceiling: number };
}

export interface Metered extends RateWindow {
  readonly allowed: boolean;
  /** In which it was counted, in minutes since 1970. */
  readonly minute: number;
}

export interface RateCounters {
  /** Counts one request. A request that its subject refuses does not count toward the tenant's ceiling. */
  count(request: MeteredRequest): Metered;
  /** The budget of a subject, unchanged. */
  look(subject: string, limit: number): RateWindow;
  /** A counted request consumes no budget after all. It names its minute, so that it takes nothing from the next one. */
  giveBack(subject: string, operatorId: string, minute: number): void;
  /** Follows the database's clock, so that counts belong to its minutes. */
  setClock(now: Date): void;
  /** Milliseconds since 1970 by the database's clock. */
  now(): number;
  /** Adds the counts of this process to the database, and reads those of others. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const FLUSH_MS = 100;

interface Count {
  readonly subject: string;
  readonly minute: number;
  /** The sum over all processes, as last read from the database. */
  known: number;
  /** Counted here and not yet sent. */
  unsent: number;
  /** On its way to the database. */
  sending: number;
}

/** The caller closes it, so that the last counts are not lost. */
export function openRateCounters(sql: Sql, log: Logger): RateCounters {
  const trouble = logFailures(log, 'request counts', 'could not write the counts of requests; will retry');
  const counts = new Map<string, Count>();
  /** Those with requests since they were sent last. */
  let touched = new Set<Count>();
  let clockAheadMs = 0;
  let newest = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const now = (): number => Date.now() + clockAheadMs;

  function countOf(subject: string, minute: number): Count {
    if (minute > newest) {
      newest = minute;
      forgetBefore(minute);
    }
    const name = `${minute} ${subject}`;
    const count = counts.get(name) ?? { subject, minute, known: 0, unsent: 0, sending: 0 };
    counts.set(name, count);
    return count;
  }

  /** Counts that are not yet sent stay in `touched`. */
  function forgetBefore(minute: number): void {
    for (const [name, count] of counts) {
      if (count.minute < minute) {
        counts.delete(name);
      }
    }
  }

  /** @returns how many were counted before */
  function add(count: Count, change: number): number {
    const before = totalOf(count);
    count.unsent += change;
    touched.add(count);
    if (!isClosed) {
      timer ??= setTimeout(flushLater, FLUSH_MS).unref();
    }
    return before;
  }

  function flushLater(): void {
    timer = undefined;
    flush().then(trouble.over, trouble.failed);
  }

  async function write(): Promise<void> {
    const batch = [...touched];
    touched = new Set();
    if (batch.length === 0) {
      return;
    }
    for (const count of batch) {
      count.sending = count.unsent;
      count.unsent = 0;
    }
    try {
      const sentAt = Date.now();
      const rows = await addCounts(sql, batch);
      const [{ moment }] = rows as [CountRow];
      clockAheadMs = moment.getTime() - (sentAt + Date.now()) / 2;
      const sums = new Map(rows.map(({ subject, minute, count }) => [`${minute} ${subject}`, Number(count)]));
      for (const count of batch) {
        count.known = sums.get(`${count.minute} ${count.subject}`) ?? count.known;
        count.sending = 0;
      }
    } catch (error) {
      for (const count of batch) {
        count.unsent += count.sending;
        count.sending = 0;
        add(count, 0);
      }
      throw error;
    }
  }

  function flush(): Promise<void> {
    const flushed = flushing.then(write);
    flushing = flushed.catch(() => {});
    return flushed;
  }

  const secondsLeft = (at: number): number => Math.max(1, Math.ceil((MINUTE_MS - (at % MINUTE_MS)) / 1000));

  return {
    count({ subject, limit, tenant }) {
      const at = now();
      const minute = Math.floor(at / MINUTE_MS);
      const before = add(countOf(subject, minute), 1);
      const fits = before < limit;
      const allowed =
        fits && (tenant === undefined || add(countOf(`t:${tenant.operatorId}`, minute), 1) < tenant.ceiling);
      return { allowed, minute, limit, remaining: Math.max(0, limit - before - 1), resetSeconds: secondsLeft(at) };
    },
    look(subject, limit) {
      const at = now();
      const count = counts.get(`${Math.floor(at / MINUTE_MS)} ${subject}`);
      const used = count === undefined ? 0 : totalOf(count);
      return { limit, remaining: Math.max(0, limit - used), resetSeconds: secondsLeft(at) };
    },
    giveBack(subject, operatorId, minute) {
      for (const name of [subject, `t:${operatorId}`]) {
        const count = counts.get(`${minute} ${name}`);
        if (count !== undefined) {
          add(count, -1);
        }
      }
    },
    setClock(moment) {
      clockAheadMs = moment.getTime() - Date.now();
    },
    now,
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flush().catch(() => {});
    },
  };
}

const totalOf = ({ known, unsent, sending }: Count): number => known + unsent + sending;

interface CountRow {
  readonly subject: string;
  readonly minute: number;
  readonly count: bigint;
  readonly moment: Date;
}

/** Rows are locked in the order of their keys, in every process. Counts are not facts, so they never wait for a standby. */
async function addCounts(sql: Sql, counts: readonly Count[]): Promise<CountRow[]> {
  return sql<CountRow[]>`
    insert into rate_counters as counter (subject, window_start, count)
    select given.subject, to_timestamp(given.minute * 60.0), given.count
    from (select set_config('synchronous_commit', 'off', true)) relaxed
      cross join unnest(${counts.map(({ subject }) => subject)}::text[], ${counts.map(({ minute }) => minute)}::integer[],
        ${counts.map(({ sending }) => sending)}::integer[]) given(subject, minute, count)
    order by given.subject collate "C", given.minute
    on conflict (subject, window_start) do update set count = counter.count + excluded.count
    returning subject, (extract(epoch from window_start) / 60)::integer as minute, count, clock_timestamp() as moment`;
}

/** Removes windows that closed over five minutes ago. */
export async function forgetOldWindows(sql: Sql): Promise<void> {
  await sql`delete from rate_counters where window_start < clock_timestamp() - interval '5 minutes'`;
}
