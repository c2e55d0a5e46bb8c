/** The lines of a chart on a canvas, with a crosshair and the last value at the end of each line. */
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { PriceHistory } from '../../wire/price-history.ts';
import { clockTime, day, probability } from '../format.ts';
import { look } from '../theme.ts';
import { timeSteps } from './chart-times.ts';

type Series = PriceHistory['data']['series'];

const HEIGHT = 210;
/** Pixels to the left of the middle of a label. */
const HALF_A_NAME = 28;
/** Room for the last values, and the least distance between two of them. */
const END_ROOM = 44;
const END_GAP = 15;

interface PlotProps {
  readonly series: Series;
  /** CSS colours by contract. */
  readonly colours: ReadonlyMap<string, string>;
  /** The moment below the pointer in Unix seconds, or null. */
  readonly onPoint: (second: number | null) => void;
}

export function Plot({ series, colours, onPoint }: PlotProps) {
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
      plot = new Plotter(optionsFor(element, { series, colours, onPoint }), Plotter.join(series.map(tableOf)), element);
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

function optionsFor(element: HTMLElement, { series, colours, onPoint }: PlotProps): uPlot.Options {
  const style = getComputedStyle(element);
  const alone = series.length === 1;
  const { steps, clock } = timeSteps(spanOf(series));
  const nameOf = clock ? clockTime : day;
  const shades = series.map(({ contractId }) => hexOf(element, colours.get(contractId) ?? ''));
  const axis = {
    stroke: style.color,
    font: `12px ${style.fontFamily}`,
    ticks: { show: false },
    grid: { stroke: style.borderTopColor, width: 1 },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9, fill: (_, index) => shades[index - 1] ?? '' },
    },
    padding: [10, END_ROOM, 0, 0],
    scales: { y: { range: (_, low, high) => around(low, high) } },
    hooks: {
      setCursor: [({ cursor: { idx }, data }) => onPoint(typeof idx === 'number' ? (data[0][idx] ?? null) : null)],
      draw: [(plot) => writeEnds(plot, series, shades, `600 12px ${style.fontFamily}`)],
    },
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
      { ...axis, side: 3, size: 44, space: 34, values: (_, all) => all.map((value) => probability(value)) },
    ],
    series: [
      {},
      ...series.map(({ label }, index) => {
        const colour = shades[index] ?? '';
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

/** Writes the last value beside the end of each line; values that would overlap are moved apart. */
function writeEnds(plot: uPlot, series: Series, shades: readonly string[], font: string): void {
  const { ctx, bbox } = plot;
  const scale = window.devicePixelRatio;
  const ends = series
    .map(({ points }, index) => ({ value: points.at(-1)?.[1] ?? 0, shade: shades[index] ?? '' }))
    .map((end) => ({ ...end, y: plot.valToPos(end.value, 'y', true) }))
    .sort((a, b) => a.y - b.y);
  ctx.save();
  ctx.font = font.replace('12px', `${12 * scale}px`);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  let above = Number.NEGATIVE_INFINITY;
  for (const { value, shade, y } of ends) {
    const at = Math.max(y, above + END_GAP * scale);
    above = at;
    ctx.fillStyle = shade;
    ctx.beginPath();
    ctx.arc(bbox.left + bbox.width, y, 4 * scale, 0, 2 * Math.PI);
    ctx.fill();
    ctx.fillText(probability(value), bbox.left + bbox.width + 8 * scale, at);
  }
  ctx.restore();
}

/** The range of the axis with a margin, within 0 to 1. */
function around(low: number | null, high: number | null): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1];
  const room = Math.max(0.02, (to - from) * 0.15);
  return [Math.max(0, from - room), Math.min(1, to + room)];
}

/** A CSS colour in the hexadecimal form that a canvas accepts. */
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
