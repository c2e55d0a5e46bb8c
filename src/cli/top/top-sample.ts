/** One reading of `top`: requests and objectives from the metrics of the API, everything else from the database. */
import type { ApiClient } from '../service/api.ts';

export interface TopSample {
  readonly at: string;
  /** Null if the API did not answer with its metrics. */
  readonly requests: RequestRates | null;
  /** Reason that there are no metrics; null if there are. */
  readonly apiFault: string | null;
  /** Service level objectives of the API process since it started; empty if it does not answer. */
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
    /** Connections of the API's own pool. */
    readonly apiMax: number | null;
  };
  /** Sessions that hold a lock for which others wait, and how many do. */
  readonly locks: readonly { readonly held: string; readonly waiters: number }[];
}

/** The part that the command reads from the database. */
type DatabaseSample = Omit<TopSample, 'at' | 'requests' | 'apiFault' | 'objectives' | 'board' | 'pool'> & {
  readonly boardRevision: number;
  readonly pool: Omit<TopSample['pool'], 'apiMax'>;
};

/** @returns a function that reads now. A reading counts requests since the reading before; the first one counts none. */
export function createTopSampler(
  api: ApiClient,
  readDatabase: () => Promise<DatabaseSample>,
): () => Promise<TopSample> {
  let before: RequestTotals | null = null;
  return async () => {
    const [{ boardRevision, pool, ...rest }, read] = await Promise.all([readDatabase(), readTotals(api)]);
    const totals = typeof read === 'string' ? null : read;
    const requests = totals === null ? null : ratesBetween(before ?? totals, totals);
    before = totals;
    const seen = totals?.boardRevision ?? null;
    return {
      at: new Date().toISOString(),
      requests,
      apiFault: typeof read === 'string' ? read : null,
      objectives: totals?.objectives ?? [],
      ...rest,
      board: { revision: boardRevision, behind: seen === null ? null : Math.max(0, boardRevision - seen) },
      pool: { ...pool, apiMax: totals?.poolMax ?? null },
    };
  };
}

const METRICS_MS = 2_000;

/** @returns the metrics, or the reason that there are none */
async function readTotals(api: ApiClient): Promise<RequestTotals | string> {
  const signal = AbortSignal.timeout(METRICS_MS);
  try {
    const response = await api.open('GET', '/metrics', { signal });
    return response.ok
      ? readMetrics(await response.text(), performance.now())
      : `${api.url} shows no metrics here (${response.status}): set INLAY_METRICS_PORT`;
  } catch {
    return signal.aborted ? `${api.url} has not answered for ${METRICS_MS / 1_000} s` : `${api.url} does not answer`;
  }
}

interface RequestTotals {
  readonly atMs: number;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly byRoute: ReadonlyMap<string, number>;
  /** Requests at or below an upper bound, by the bound in seconds; the last is Infinity. */
  readonly buckets: ReadonlyMap<number, number>;
  readonly boardRevision: number | null;
  readonly poolMax: number | null;
  readonly objectives: readonly ObjectiveShare[];
}

/** A service level objective since the process started. */
interface ObjectiveShare {
  readonly name: string;
  /** Share of events that should be good. */
  readonly target: number;
  /** Share that was good; null before the first event. */
  readonly good: number | null;
}

interface RequestRates {
  readonly perSecond: number;
  /** Answers of 400 to 499, and of 500 and above. */
  readonly refusedPerSecond: number;
  readonly failedPerSecond: number;
  /** Null if there was no request. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly busiest: readonly { readonly route: string; readonly perSecond: number }[];
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const BUSIEST = 12;
/** Requests of `top` itself do not count as load. */
const OWN_ROUTE = '/metrics';

/** @param text answer of `/metrics`. @param atMs when it was read, on any clock */
export function readMetrics(text: string, atMs: number): RequestTotals {
  const byRoute = new Map<string, number>();
  const buckets = new Map<number, number>();
  const values = new Map<string, number>();
  const shares = new Map<string, number>();
  let [requests, refused, failed] = [0, 0, 0];
  for (const line of text.split('\n')) {
    const [, name = '', labelText = '', valueText = ''] = LINE.exec(line) ?? [];
    const value = Number(valueText);
    const labels = readLabels(labelText);
    if (labels['route'] === OWN_ROUTE) {
      continue;
    }
    if (name === 'inlay_http_requests_total') {
      const status = Number(labels['status']);
      const route = `${labels['method']} ${labels['route']}`;
      requests += value;
      refused += status >= 400 && status < 500 ? value : 0;
      failed += status >= 500 ? value : 0;
      byRoute.set(route, (byRoute.get(route) ?? 0) + value);
    } else if (name === 'inlay_http_request_duration_seconds_bucket') {
      const le = labels['le'] ?? '';
      const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
      buckets.set(bound, (buckets.get(bound) ?? 0) + value);
    } else if (name.startsWith('inlay_slo_')) {
      shares.set(`${name} ${readLabels(labelText)['objective']}`, value);
    } else if (name !== '' && labelText === '') {
      values.set(name, value);
    }
  }
  return {
    atMs,
    requests,
    refused,
    failed,
    byRoute,
    buckets,
    boardRevision: values.get('inlay_board_revision') ?? null,
    poolMax: values.get('inlay_database_pool_max') ?? null,
    objectives: readObjectives(shares),
  };
}

function readObjectives(shares: ReadonlyMap<string, number>): ObjectiveShare[] {
  return [...shares].flatMap(([key, target]) => {
    const [metric, name = ''] = key.split(' ');
    const events = shares.get(`inlay_slo_events_total ${name}`) ?? 0;
    const good = events === 0 ? null : (shares.get(`inlay_slo_good_total ${name}`) ?? 0) / events;
    return metric === 'inlay_slo_target' ? [{ name, target, good }] : [];
  });
}

/** @returns rates between two readings; a process that was restarted in between counts from zero */
export function ratesBetween(before: RequestTotals, after: RequestTotals): RequestRates {
  const seconds = Math.max((after.atMs - before.atMs) / 1000, 0.001);
  const isSame = after.requests >= before.requests;
  const perSecond = (now: number, then: number) => round((isSame ? now - then : now) / seconds);
  const within = new Map(
    [...after.buckets].map(([bound, count]) => [bound, count - (isSame ? (before.buckets.get(bound) ?? 0) : 0)]),
  );
  const busiest = [...after.byRoute]
    .map(([route, count]) => ({ route, perSecond: perSecond(count, before.byRoute.get(route) ?? 0) }))
    .filter((route) => route.perSecond > 0)
    .sort((a, b) => b.perSecond - a.perSecond)
    .slice(0, BUSIEST);
  return {
    perSecond: perSecond(after.requests, before.requests),
    refusedPerSecond: perSecond(after.refused, before.refused),
    failedPerSecond: perSecond(after.failed, before.failed),
    p50Ms: quantileMs(within, 0.5),
    p99Ms: quantileMs(within, 0.99),
    busiest,
  };
}

/** @returns the bound of the bucket that has the quantile, so the result is as coarse as the buckets */
function quantileMs(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  const bound = sorted.find(([, count]) => count >= total * share)?.[0];
  return total === 0 || bound === undefined ? null : round(Math.min(bound, 10) * 1000);
}

function readLabels(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));
}

const round = (value: number): number => Math.round(value * 10) / 10;
