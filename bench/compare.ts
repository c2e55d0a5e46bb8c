/** `--compare FILE`: each row beside the same row of an earlier run, so that a change of speed is a line in a review. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Result } from './results.ts';

const EARLIER = z.object({
  started: z.string(),
  rows: z.array(z.object({ key: z.string(), ratio: z.number().nullable(), spread: z.number().nullable().optional() })),
});
type Earlier = z.infer<typeof EARLIER>;

/** @throws Error if the file is not one that `--save` or `--json` wrote. */
export function readEarlier(file: string): Earlier {
  return EARLIER.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** A change counts only if it is larger than how far the rounds of either run lie apart. */
export function compareRuns(earlier: Earlier, results: readonly Result[]): string {
  const before = new Map(earlier.rows.map((row) => [row.key, row]));
  const lines = results.map(({ key, ratio, spread, better }) => {
    const old = before.get(key);
    if (ratio === null || old === undefined || old.ratio === null) {
      return `${key.padEnd(20)} not in both runs`;
    }
    const change = ratio / old.ratio - 1;
    const noise = Math.max(spread ?? 0, old.spread ?? 0);
    const verdict =
      Math.abs(change) <= noise ? 'within noise' : change > 0 === (better === 'higher') ? 'better' : 'worse';
    const percent = `${change >= 0 ? '+' : ''}${(change * 100).toFixed(0)} %`;
    return `${key.padEnd(20)} ${old.ratio.toFixed(2).padStart(7)} -> ${ratio.toFixed(2).padEnd(7)} ${percent.padStart(7)}  ${verdict}`;
  });
  return [`against the run of ${earlier.started}`, ...lines].join('\n');
}
