/** The price of an outcome over the last day, as a small line in the list. It is read when its card comes into view. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogueEvent, Outcome, PriceHistory } from '../../wire/catalogue.ts';
import { useLoading } from '../loading.ts';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { changeOf } from '../views/chart-change.ts';

const WIDTH = 300;
const HEIGHT = 32;
/** A line that moves by less is drawn as calm as it is. */
const LEAST_SPAN = 0.06;

interface SparkProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
}

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
    const y = HEIGHT / 2 - ((price - middle) / span) * HEIGHT;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const tone = change > 0 ? 'change yes-text' : change < 0 ? 'change no-text' : 'change';
  return (
    <>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path class={tone} d={`M${steps.join('L')}`} />
      </svg>
      {change !== 0 && (
        <span class={tone}>{t('change_1d', { n: `${change > 0 ? '▲' : '▼'} ${Math.abs(change)}` })}</span>
      )}
    </>
  );
}
