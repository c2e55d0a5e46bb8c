/** A line of profit: above zero is up. */

const WIDTH = 300;
const HEIGHT = 60;

/** @param points from left to right, at least two: a place, such as a moment, and the profit there */
export function ProfitPath({ points }: { readonly points: readonly (readonly [number, number])[] }) {
  const profits = points.map(([, profit]) => profit);
  const top = Math.max(0, ...profits);
  const height = top - Math.min(0, ...profits) || 1;
  const start = points[0]?.[0] ?? 0;
  const length = (points.at(-1)?.[0] ?? 0) - start || 1;
  const y = (profit: number) => Math.round(((top - profit) / height) * HEIGHT * 10) / 10;
  const drawn = points.map(([place, profit]) => `${Math.round(((place - start) / length) * WIDTH)} ${y(profit)}`);
  return (
    <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="zero" d={`M0 ${y(0)} H${WIDTH}`} />
      {drawn.length > 1 && <path d={`M${drawn.join('L')}`} />}
    </svg>
  );
}
