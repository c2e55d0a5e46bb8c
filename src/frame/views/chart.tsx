/** The price history of an event's outcomes as lines. The library is loaded when a chart is first shown. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import type { PriceHistory } from '../../wire/price-history.ts';
import { clockTime, day, dayAndTime, probability } from '../format.ts';
import { useLoading } from '../loading.ts';
import { call } from '../service.ts';
import { t } from '../texts/texts.ts';
import { look, presentation } from '../theme.ts';
import { seriesColours } from '../trading/series-colours.ts';
import { HISTORY_RANGES, type HistoryRange, timeSteps } from './chart-times.ts';

type Series = PriceHistory['data']['series'];

const HEIGHT = 190;
/** Pixels to the left of the middle of a label. */
const HALF_A_NAME = 28;

export function Chart({ event, outcomes }: { readonly event: CatalogueEvent; readonly outcomes: readonly Outcome[] }) {
  const range = useSignal<HistoryRange>('1d');
  const ids = outcomes.map(({ id }) => id).join(',');
  const { locale } = presentation.value;
  const path = `/events/${encodeURIComponent(event.id)}/history?range=${range.value}&contracts=${ids}&locale=${locale}`;
  const { state, again } = useLoading((signal) => call<PriceHistory>(path, { signal }), [event.id, path]);
  const { data, failed, busy } = state.value;
  const colours = seriesColours(outcomes);
  const series = (data?.data.series ?? []).filter(({ points }) => points.length > 1);
  return (
    <figure class="chart" aria-label={t('chart')}>
      <div class="chart-head">
        <ul class="legend">
          {event.kind !== 'binary' &&
            outcomes.map((outcome, index) => (
              <li key={outcome.id}>
                <i class="dot" style={{ background: colours[index] }} />
                {outcome.label}
              </li>
            ))}
        </ul>
        <div class="ranges" role="group" aria-label={t('range')}>
          {HISTORY_RANGES.map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={range.value === name}
              onClick={() => {
                range.value = name;
              }}
            >
              {t(`range_${name}`)}
            </button>
          ))}
        </div>
      </div>
      {series.length > 0 ? (
        <Plot series={series} colours={new Map(outcomes.map(({ id }, index) => [id, colours[index] ?? '']))} />
      ) : failed !== null ? (
        <div class="chart-empty">
          <p>{t('chartFailed')}</p>
          <button type="button" class="link" onClick={again}>
            {t('tryAgain')}
          </button>
        </div>
      ) : (
        <div class={busy ? 'chart-empty skeleton' : 'chart-empty'}>{!busy && <p>{t('chartEmpty')}</p>}</div>
      )}
      <figcaption class="unseen">{series.map(summary).join(' ')}</figcaption>
    </figure>
  );
}

interface PlotProps {
  readonly series: Series;
  /** CSS colours by contract. */
  readonly colours: ReadonlyMap<string, string>;
}

function Plot({ series, colours }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const worn = look.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) {
      return;
    }
    let plot: uPlot | undefined;
    let left = false;
    const resize = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    void import('uplot').then(({ default: Plotter }) => {
      if (left) {
        return;
      }
      plot = new Plotter(optionsFor(element, series, colours), Plotter.join(series.map(tableOf)), element);
      resize.observe(element);
    });
    return () => {
      left = true;
      resize.disconnect();
      plot?.destroy();
    };
  }, [series, worn]);
  return <div class="plot" ref={place} aria-hidden="true" />;
}

function tableOf({ points }: Series[number]): uPlot.AlignedData {
  return [points.map(([at]) => at), points.map(([, price]) => price)];
}

function optionsFor(element: HTMLElement, series: Series, colours: PlotProps['colours']): uPlot.Options {
  const style = getComputedStyle(element);
  const ink = style.color;
  const grid = style.borderTopColor;
  const alone = series.length === 1;
  const { steps, clock } = timeSteps(spanOf(series));
  const nameOf = clock ? clockTime : day;
  const axis = {
    stroke: ink,
    font: `12px ${style.fontFamily}`,
    ticks: { show: false },
    grid: { stroke: grid, width: 1 },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 4, 0, 0],
    scales: { y: { range: (_, low, high) => around(low, high) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 90,
        incrs: [...steps],
        // A label that would be cut off at the left edge is omitted.
        values: (plot, at) =>
          at.map((second) => (plot.valToPos(second, 'x') < HALF_A_NAME ? '' : nameOf(second * 1000))),
      },
      { ...axis, side: 1, size: 48, space: 34, values: (_, all) => all.map((value) => probability(value)) },
    ],
    series: [
      {},
      ...series.map(({ contractId, label }) => {
        const colour = hexOf(element, colours.get(contractId) ?? '');
        return {
          label,
          stroke: colour,
          width: 2,
          spanGaps: true,
          points: { show: false },
          ...(alone && { fill: `${colour}1c` }),
        };
      }),
    ],
  };
}

/** The range of the axis with a margin, within 0 to 1. */
function around(low: number | null, high: number | null): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1];
  const room = Math.max(0.02, (to - from) * 0.15);
  return [Math.max(0, from - room), Math.min(1, to + room)];
}

/** The colour of the style sheet in the hexadecimal form that a canvas accepts. */
function hexOf(element: HTMLElement, colour: string): string {
  const probe = document.createElement('i');
  probe.style.color = colour;
  element.append(probe);
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
  probe.remove();
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Seconds from the oldest point to the newest. */
function spanOf(series: Series): number {
  const ends = series.flatMap(({ points }) => [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0]);
  return Math.max(...ends) - Math.min(...ends);
}

/** The chart as text, for screen readers. */
function summary({ label, points }: Series[number]): string {
  const values = points.map(([, price]) => price);
  const [from, to] = [values[0], values.at(-1)];
  const since = points[0] === undefined ? '' : `${dayAndTime(points[0][0] * 1000)}. `;
  const text = t('chartSummary', {
    label,
    from: probability(from),
    to: probability(to),
    low: probability(Math.min(...values)),
    high: probability(Math.max(...values)),
  });
  return since + text;
}
