/** How a figure of `top` has changed, as one line of blocks beside what it is now. Pure. */
import type { Paint } from '../terminal/paint.ts';

const BARS = '▁▂▃▄▅▆▇█';
const LABEL = 12;
const FIGURES = 22;
const NARROWEST = 10;

/**
 * @param values oldest first; null leaves a gap
 * @param width characters; the newest values are shown
 */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const shown = values.slice(-width);
  const highest = Math.max(0, ...shown.map((value) => value ?? 0));
  return shown
    .map((value) => {
      if (value === null) {
        return ' ';
      }
      const step = highest === 0 ? 0 : Math.round((value / highest) * (BARS.length - 1));
      return BARS[step] ?? '';
    })
    .join('');
}

/** @param width of the whole line. @param figure what it is now, with its unit */
export function sparkRow(
  name: string,
  values: readonly (number | null)[],
  figure: string,
  width: number,
  paint: Paint,
): string {
  const room = Math.max(NARROWEST, width - LABEL - FIGURES);
  return `${paint('bold', name.padEnd(LABEL))}${paint('cyan', sparkline(values, room).padEnd(room))}  ${figure}`;
}
