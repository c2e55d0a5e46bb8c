/** How long nothing was acknowledged around an event, and the figures of many events. */
import { percentile } from '../../bench/measure.ts';
import type { Acknowledged } from './load.ts';

export interface Observed {
  readonly kind: string;
  readonly gapMs: number;
  /** From the event until all three nodes followed one leader again. */
  readonly wholeMs: number;
}

/**
 * The longest time between two acknowledgements of one operator, from the last before `from` to the first after `to`.
 * @returns milliseconds
 */
export function longestGap(acknowledged: readonly Acknowledged[], from: number, to: number): number {
  const operators = Map.groupBy(
    acknowledged.filter(({ live }) => !live),
    ({ operator }) => operator,
  );
  return Math.max(...[...operators.values()].map((own) => gapOf(own, from, to)));
}

function gapOf(acknowledged: readonly Acknowledged[], from: number, to: number): number {
  const times = acknowledged.map(({ at }) => at);
  const first = Math.max(
    0,
    times.findLastIndex((at) => at <= from),
  );
  const last = times.findIndex((at) => at >= to);
  const around = times.slice(first, last === -1 ? undefined : last + 1);
  return around.slice(1).reduce((longest, at, index) => Math.max(longest, at - (around[index] ?? at)), 0);
}

/**
 * An event after which service or cluster did not recover, and one that the time did not suffice for, is a fault: its gap has no end.
 * @param failed why events were not measured
 * @returns one line for each fault; empty if all were measured
 */
export function findUnmeasured(asked: number, measured: number, failed: readonly string[]): string[] {
  const missing = asked - measured - failed.length;
  return [
    ...failed.map((because) => `not measured: ${because}`),
    ...(missing > 0 ? [`${missing} of ${asked} events did not fit into the time; see --minutes`] : []),
  ];
}

/** A table in Markdown: one line for each kind, and one for all. */
export function tableOf(observed: readonly Observed[]): string {
  const kinds = [...new Set(observed.map(({ kind }) => kind))];
  const line = (name: string, some: readonly Observed[]) => {
    const gaps = some.map(({ gapMs }) => gapMs);
    const whole = percentile(
      some.map(({ wholeMs }) => wholeMs),
      0.5,
    );
    const seconds = [Math.min(...gaps), percentile(gaps, 0.5), percentile(gaps, 0.99), Math.max(...gaps), whole];
    return `| ${name} | ${some.length} | ${seconds.map((ms) => (ms / 1000).toFixed(1)).join(' | ')} |`;
  };
  return [
    '| event | times | gap: least, s | median, s | p99, s | longest, s | whole again: median, s |',
    '|---|---|---|---|---|---|---|',
    ...kinds.map((kind) =>
      line(
        kind,
        observed.filter((one) => one.kind === kind),
      ),
    ),
    line('all', observed),
  ].join('\n');
}
