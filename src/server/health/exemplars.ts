/**
 * The last sampled trace of each bucket of a histogram. prom-client keeps exemplars only in a registry that cannot be read as plain text
 * as well. There are at most as many as buckets: labels are methods and routes.
 */
import type { Clock } from '../../core/clock.ts';

export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  /** Seconds since 1970. */
  readonly at: number;
}

export interface Exemplars {
  /** @param bounds of the histogram's buckets, ascending */
  keep(
    histogram: string,
    labels: Readonly<Record<string, string>>,
    bounds: readonly number[],
    value: number,
    traceId: string,
  ): void;
  /** @param labels of a sample of `_bucket`, `le` included */
  find(histogram: string, labels: Readonly<Partial<Record<string, string | number>>>): Exemplar | undefined;
}

export function createExemplars(clock: Clock): Exemplars {
  const kept = new Map<string, Exemplar>();
  return {
    keep(histogram, labels, bounds, value, traceId) {
      const le = bounds.find((bound) => value <= bound) ?? '+Inf';
      kept.set(keyOf(histogram, { ...labels, le }), { traceId, value, at: clock.now().getTime() / 1000 });
    },
    find: (histogram, labels) => kept.get(keyOf(histogram, labels)),
  };
}

function keyOf(histogram: string, labels: Readonly<Partial<Record<string, string | number>>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return `${histogram} ${pairs.sort().join(' ')}`;
}
