/** How far a line has moved in its period, and its value at a moment. Pure. */
import type { PriceHistory } from '../../wire/catalogue.ts';

type Points = PriceHistory['data']['series'][number]['points'];

/** Whole percentage points from the first point to the last, or to the one at `until`; null without two points. */
export function changeOf(points: Points, until: number | null = null): number | null {
  const [first] = points;
  const last = until === null ? points.at(-1) : pointAt(points, until);
  if (first === undefined || last === undefined || points.length < 2) {
    return null;
  }
  return Math.round(last[1] * 100) - Math.round(first[1] * 100);
}

/** The last point that is not after the moment, in Unix seconds. */
export function pointAt(points: Points, second: number): Points[number] | undefined {
  return points.findLast(([at]) => at <= second) ?? points[0];
}
