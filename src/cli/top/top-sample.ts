/** One reading of `top`: requests from the API's metrics, everything else from the database. */
import type { ApiClient } from '../service/api-client.ts';
import {
  type ObjectiveShare,
  type RequestRates,
  type RequestTotals,
  ratesBetween,
  readMetrics,
} from './metrics-text.ts';

export interface TopSample {
  readonly at: string;
  /** Null if the API does not answer. */
  readonly requests: RequestRates | null;
  /** Service level objectives of the API process since it started; none if it does not answer. */
  readonly objectives: readonly ObjectiveShare[];
  readonly orders: { readonly lastMinute: number; readonly open: number; readonly unknown: number };
  readonly feeds: readonly {
    readonly venue: string;
    readonly connected: boolean;
    readonly lagSeconds: number | null;
  }[];
  /** Workers that were alive in the last minute, and whether one of them reads the venues. */
  readonly workers: { readonly seen: number; readonly leads: boolean };
  readonly board: { readonly revision: number; readonly behind: number | null };
  readonly deliveries: {
    readonly queued: number;
    readonly delivered: number;
    readonly failed: number;
    readonly exhausted: number;
    readonly oldestAgeSeconds: number;
  };
  readonly jobs: { readonly waiting: number; readonly running: number; readonly failed: number };
  readonly due: readonly { readonly name: string; readonly waiting: number }[];
  /** Tenants with orders in the last minute, the slowest first. */
  readonly tenants: readonly {
    readonly slug: string;
    readonly orders: number;
    readonly open: number;
    readonly unknown: number;
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
  }[];
  readonly prices: readonly {
    readonly venue: string;
    readonly books: number;
    readonly medianSeconds: number | null;
    readonly oldestSeconds: number | null;
  }[];
  readonly pool: {
    readonly active: number;
    readonly idle: number;
    readonly waiting: number;
    readonly max: number;
    /** Of the API's own pool. */
    readonly apiMax: number | null;
  };
}

/** What the command reads from the database. */
export type DatabaseSample = Omit<TopSample, 'at' | 'requests' | 'objectives' | 'board' | 'pool'> & {
  readonly boardRevision: number;
  readonly pool: Omit<TopSample['pool'], 'apiMax'>;
};

/** A reading counts requests since the reading before; the first one counts none. */
export function createTopSampler(
  api: ApiClient,
  readDatabase: () => Promise<DatabaseSample>,
): () => Promise<TopSample> {
  let before: RequestTotals | null = null;
  return async () => {
    const [{ boardRevision, pool, ...rest }, totals] = await Promise.all([readDatabase(), readTotals(api)]);
    const requests = totals === null ? null : ratesBetween(before ?? totals, totals);
    before = totals;
    const seen = totals?.boardRevision ?? null;
    return {
      at: new Date().toISOString(),
      requests,
      objectives: totals?.objectives ?? [],
      ...rest,
      board: { revision: boardRevision, behind: seen === null ? null : Math.max(0, boardRevision - seen) },
      pool: { ...pool, apiMax: totals?.poolMax ?? null },
    };
  };
}

async function readTotals(api: ApiClient): Promise<RequestTotals | null> {
  try {
    const response = await api.open('GET', '/metrics', { signal: AbortSignal.timeout(2_000) });
    return response.ok ? readMetrics(await response.text(), performance.now()) : null;
  } catch {
    return null;
  }
}
