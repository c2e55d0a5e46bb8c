/**
 * Counts requests without an API key (embed sessions, client addresses), and removes old windows. Owns `rate_counters`.
 */
import { createBatcher } from '../core/batcher.ts';
import type { Sql } from '../db/client.ts';
import { untilDecided } from './admission/until-decided.ts';
import { type RateWindow, windowOf } from './rate-window.ts';

export interface MeteredRequest {
  /** Such as `e:<session id>` or `i:<address>`; `k:` and `t:` are reserved for keys and tenants. */
  readonly subject: string;
  /** Requests per minute. */
  readonly limit: number;
  /** The operator whose ceiling this counts toward, and that ceiling. */
  readonly tenant?: { readonly operatorId: string; readonly ceiling: number };
}

export interface Metered extends RateWindow {
  readonly allowed: boolean;
}

export type Meter = (request: MeteredRequest) => Promise<Metered>;

/** Two nulls: another process has leased what decides, and nothing was counted. */
interface CountedGroup {
  groupNo: number;
  countedBefore: number | null;
  granted: number | null;
  resetSeconds: number;
}

/**
 * @returns a function that counts one request; calls that arrive while one is in flight are counted together and
 * exactly
 */
export function createMeter(sql: Sql): Meter {
  const enqueue = createBatcher((requests: readonly MeteredRequest[]) => count(sql, requests), {
    name: 'count requests',
    maxBatch: 1000,
    concurrency: 2,
  });
  return (request) => untilDecided(() => enqueue(request));
}

async function count(sql: Sql, requests: readonly MeteredRequest[]): Promise<(Metered | undefined)[]> {
  const groups = Map.groupBy(
    requests.entries(),
    ([, { subject, limit, tenant }]) => `${limit} ${tenant?.operatorId ?? ''} ${tenant?.ceiling ?? ''} ${subject}`,
  );
  const wanted = [...groups.values()];
  const rows = await sql<CountedGroup[]>`
    select group_no, counted_before, granted, reset_seconds from count_budgets(
      ${wanted.map((members) => requestOf(members).subject)}::text[],
      ${wanted.map((members) => requestOf(members).limit)}::integer[],
      ${wanted.map((members) => members.length)}::integer[],
      ${wanted.map((members) => requestOf(members).tenant?.operatorId ?? null)}::text[],
      ${wanted.map((members) => requestOf(members).tenant?.ceiling ?? null)}::integer[])`;
  const metered: (Metered | undefined)[] = new Array(requests.length);
  for (const { groupNo, countedBefore, granted, resetSeconds } of rows) {
    for (const [position, [index, request]] of (wanted[groupNo - 1] ?? []).entries()) {
      if (countedBefore !== null && granted !== null) {
        metered[index] = {
          allowed: position < granted,
          ...windowOf(request.limit, countedBefore, position, resetSeconds),
        };
      }
    }
  }
  return metered;
}

function requestOf(members: readonly (readonly [number, MeteredRequest])[]): MeteredRequest {
  return (members[0] as readonly [number, MeteredRequest])[1];
}

/** Removes windows that closed over five minutes ago. */
export async function forgetOldWindows(sql: Sql): Promise<void> {
  await sql`delete from rate_counters where window_start < clock_timestamp() - interval '5 minutes'`;
}

/**
 * Undoes the counting of a request that was then refused because of a scope that only its body names: scope errors
 * consume no budget (specification "Authentication" 7). It names the minute of the counting, so that a refusal in the
 * next minute takes nothing from that one.
 */
export async function giveBackRequest(
  sql: Sql,
  {
    keyId,
    operatorId,
    holderId,
    countedIn,
  }: { keyId: string; operatorId: string; holderId: string; countedIn: number },
): Promise<void> {
  // One row after the other, in the order of count_budgets: the subject before the tenant.
  for (const subject of [`k:${keyId}:${operatorId}`, `t:${holderId}`]) {
    await sql`update rate_counters set count = count - 1
      where subject = ${subject} and window_start = to_timestamp(${countedIn}) and count > 0`;
  }
}
