/** Two small lines without axes: the price of an outcome over the last day, and the course of a profit. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogueEvent, Outcome, PriceHistory } from '../../wire/catalogue.ts';
import { call, useLoading } from '../service.ts';
import { plural, t } from '../texts/texts.ts';
import { changeOf } from './chart-lines.ts';

const WIDTH = 300;
const PATH_HEIGHT = 60;

/**
 * A line of profit, with a second line at zero.
 * @param points from left to right, at least two: a position, such as a moment, and the profit there
 */
export function ProfitPath({ points }: { readonly points: readonly (readonly [number, number])[] }) {
  const profits = points.map(([, profit]) => profit);
  const top = Math.max(0, ...profits);
  const height = top - Math.min(0, ...profits) || 1;
  const start = points[0]?.[0] ?? 0;
  const length = (points.at(-1)?.[0] ?? 0) - start || 1;
  const y = (profit: number) => Math.round(((top - profit) / height) * PATH_HEIGHT * 10) / 10;
  const drawn = points.map(([place, profit]) => `${Math.round(((place - start) / length) * WIDTH)} ${y(profit)}`);
  return (
    <svg viewBox={`0 -2 ${WIDTH} ${PATH_HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="zero" d={`M0 ${y(0)} H${WIDTH}`} />
      {drawn.length > 1 && <path d={`M${drawn.join('L')}`} />}
    </svg>
  );
}

const SPARK_HEIGHT = 32;
/** The height of the line stands for at least this change of the price, so that a small change does not look like a large one. */
const LEAST_SPAN = 0.06;

interface SparkProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
}

/** The price of an outcome over the last day, as a small line in the list. It is loaded when its card comes into view. */
export function Spark(props: SparkProps) {
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSignal(false);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        isSeen.value = true;
        watch.disconnect();
      }
    });
    if (place.current !== null) {
      watch.observe(place.current);
    }
    return () => watch.disconnect();
  }, []);
  return (
    <div class="spark" ref={place}>
      {isSeen.value && <Line {...props} />}
    </div>
  );
}

function Line({ event, outcome }: SparkProps) {
  const path = `/events/${encodeURIComponent(event.id)}/history?range=1d&contracts=${outcome.id}`;
  const { state } = useLoading((signal) => call<PriceHistory>(path, { signal }), [path]);
  const points = state.value.data?.data.series[0]?.points ?? [];
  const change = changeOf(points);
  const [first, last] = [points[0], points.at(-1)];
  if (change === null || first === undefined || last === undefined) {
    return null;
  }
  const prices = points.map(([, price]) => price);
  const middle = (Math.max(...prices) + Math.min(...prices)) / 2;
  const span = Math.max(LEAST_SPAN, Math.max(...prices) - Math.min(...prices));
  const length = Math.max(1, last[0] - first[0]);
  const steps = points.map(([at, price]) => {
    const x = ((at - first[0]) / length) * WIDTH;
    const y = SPARK_HEIGHT / 2 - ((price - middle) / span) * SPARK_HEIGHT;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const tone = change > 0 ? 'change yes-text' : change < 0 ? 'change no-text' : 'change';
  return (
    <>
      <svg
        viewBox={`0 -2 ${WIDTH} ${SPARK_HEIGHT + 4}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path class={tone} d={`M${steps.join('L')}`} />
      </svg>
      {change !== 0 && <span class={tone}>{t('change_1d', { n: changeText(change) })}</span>}
    </>
  );
}

/** @param points percentage points */
export function changeText(points: number): string {
  const size = Math.abs(points);
  return `${points > 0 ? '▲' : points < 0 ? '▼' : '±'} ${plural('points', size, String(size))}`;
}
