/** The lines of a chart on a canvas, with a crosshair, the last value at the end of each line, a level and marked moments. */
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { clockTime, day, probability } from '../format.ts';
import { namesThatFit, timeSteps } from '../parts/chart-lines.ts';
import { look } from '../theme.ts';

const HEIGHT = 210;
/** Half the width of a label, in pixels. */
const HALF_A_NAME = 28;
/** The least distance between two values at the ends of lines, in pixels. */
const END_GAP = 15;
/** The least distance between the names of two marks, in pixels. */
const MARK_GAP = 8;
const END_DOT = 8;

/** The vertical axis. */
interface Scale {
  readonly format: (value: number) => string;
  readonly range: (low: number, high: number) => [number, number];
  /** Width of its labels, in pixels. */
  readonly room: number;
  /** Width of the values at the ends of the lines, in pixels; 0 leaves them out. */
  readonly endRoom: number;
}

/** The probability of an outcome. */
const CHANCES: Scale = { format: (value) => probability(value), range: around, room: 44, endRoom: 44 };

interface Line {
  readonly contractId: string;
  readonly label: string;
  /** Unix seconds and value, oldest first. */
  readonly points: readonly (readonly [number, number, ...unknown[]])[];
}

interface PlotProps {
  readonly series: readonly Line[];
  /** CSS colours by contract. */
  readonly colours: ReadonlyMap<string, string>;
  /** The moment below the pointer in Unix seconds, or null. */
  readonly onPoint: (second: number | null) => void;
  readonly scale?: Scale;
  /** First and last moment of the time axis in Unix seconds; by default those of the lines. */
  readonly span?: readonly [number, number];
  /** A dashed line across, with its name. */
  readonly level?: { readonly value: number; readonly label: string } | null;
  /** Moments that are named above the lines, in Unix seconds, oldest first. */
  readonly marks?: readonly { readonly at: number; readonly label: string }[];
}

export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<{ readonly chart: uPlot; readonly join: typeof uPlot.join } | null>(null);
  const shown = useRef(props);
  shown.current = props;
  const { series, colours, span, level, marks } = props;
  const worn = look.value;
  const drawn = `${worn} ${series.map(({ contractId }) => `${contractId} ${colours.get(contractId)}`).join()}`;
  useEffect(() => {
    const element = place.current;
    if (element === null) {
      return;
    }
    let left = false;
    const resize = new ResizeObserver(() =>
      plot.current?.chart.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    void import('uplot').then(({ default: Plotter }) => {
      if (left) {
        return;
      }
      const { join } = Plotter;
      plot.current = {
        chart: new Plotter(optionsFor(element, shown), dataOf(join, shown.current.series), element),
        join,
      };
      resize.observe(element);
    });
    return () => {
      left = true;
      resize.disconnect();
      plot.current?.chart.destroy();
      plot.current = null;
    };
  }, [drawn]);
  useEffect(() => {
    const { current } = plot;
    current?.chart.setData(dataOf(current.join, series));
  }, [series, span?.[0], span?.[1], level?.value, marks]);
  return <div class="plot" ref={place} aria-hidden="true" />;
}

function dataOf(join: typeof uPlot.join, series: PlotProps['series']): uPlot.AlignedData {
  return join(series.map(({ points }) => [points.map(([at]) => at), points.map(([, value]) => value)]));
}

/** @param shown read again with each drawing, because the lines grow while they are looked at */
function optionsFor(element: HTMLElement, shown: { readonly current: PlotProps }): uPlot.Options {
  const style = getComputedStyle(element);
  const { series, colours, scale = CHANCES } = shown.current;
  const alone = series.length === 1;
  const shades = series.map(({ contractId }) => hexOf(element, colours.get(contractId) ?? ''));
  const font = `600 12px ${style.fontFamily}`;
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
    padding: [10, scale.endRoom || END_DOT, 0, 0],
    scales: {
      x: { range: (_, low, high) => [...(shown.current.span ?? [low, high])] },
      y: { range: (_, low, high) => (shown.current.scale ?? CHANCES).range(low ?? 0, high ?? 1) },
    },
    hooks: {
      setCursor: [
        ({ cursor: { idx }, data }) => shown.current.onPoint(typeof idx === 'number' ? (data[0][idx] ?? null) : null),
      ],
      drawAxes: [(plot) => drawLevel(plot, shown.current.level ?? null, style.color)],
      draw: [
        (plot) =>
          writeLevel(plot, shown.current.level ?? null, { colour: style.color, ground: groundOf(element) }, font),
        (plot) => writeMarks(plot, shown.current.marks ?? [], style.color, font),
        (plot) => writeEnds(plot, shown.current.series, shades, scale, font),
      ],
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 90,
        incrs: (_plot, _axis, from, to) => [...timeSteps(to - from).steps],
        values: (plot, at) => {
          const { min, max } = plot.scales['x'] ?? {};
          const nameOf = timeSteps((max ?? 0) - (min ?? 0)).clock ? clockTime : day;
          const right = plot.bbox.width / window.devicePixelRatio + scale.endRoom;
          // A label that would be cut off at an edge is omitted.
          return at.map((second) => {
            const x = plot.valToPos(second, 'x');
            return x < HALF_A_NAME || x > right - HALF_A_NAME ? '' : nameOf(second * 1000);
          });
        },
      },
      { ...axis, side: 3, size: scale.room, space: 34, values: (_, all) => all.map(scale.format) },
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

/** A dashed line across the chart, behind the lines. */
function drawLevel(plot: uPlot, level: PlotProps['level'], colour: string): void {
  if (level === null || level === undefined) {
    return;
  }
  const { ctx, bbox } = plot;
  const y = plot.valToPos(level.value, 'y', true);
  ctx.save();
  ctx.strokeStyle = colour;
  dash(ctx, window.devicePixelRatio, [bbox.left, y], [bbox.left + bbox.width, y]);
  ctx.restore();
}

/** The name of the level at the right end, which the lines reach last. It has a ground of its own, so that it can be read there too. */
function writeLevel(
  plot: uPlot,
  level: PlotProps['level'],
  { colour, ground }: { readonly colour: string; readonly ground: string },
  font: string,
): void {
  if (level === null || level === undefined) {
    return;
  }
  onCanvas(plot, font, ({ ctx, bbox }, scale) => {
    const right = bbox.left + bbox.width;
    const bottom = plot.valToPos(level.value, 'y', true) - 4 * scale;
    const width = ctx.measureText(level.label).width + 8 * scale;
    ctx.fillStyle = ground;
    ctx.fillRect(right - width, bottom - 16 * scale, width, 16 * scale);
    ctx.fillStyle = colour;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    ctx.fillText(level.label, right - 4 * scale, bottom - 8 * scale);
  });
}

/** The colour behind the chart. */
function groundOf(element: HTMLElement): string {
  return getComputedStyle(element.closest('.chart') ?? element).backgroundColor;
}

/** A dashed line at each moment. A moment whose name would touch the one before it is left out. */
function writeMarks(plot: uPlot, marks: NonNullable<PlotProps['marks']>, colour: string, font: string): void {
  onCanvas(plot, font, ({ ctx, bbox }, scale) => {
    ctx.strokeStyle = colour;
    ctx.fillStyle = colour;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'center';
    const names = marks
      .map(({ at, label }) => ({ label, x: plot.valToPos(at, 'x', true), width: ctx.measureText(label).width }))
      .filter(({ x }) => x >= bbox.left);
    for (const { label, x } of namesThatFit(names, MARK_GAP * scale)) {
      dash(ctx, scale, [x, bbox.top + 14 * scale], [x, bbox.top + bbox.height]);
      ctx.fillText(label, x, bbox.top);
    }
  });
}

function dash(ctx: CanvasRenderingContext2D, scale: number, from: [number, number], to: [number, number]): void {
  ctx.setLineDash([4 * scale, 4 * scale]);
  ctx.lineWidth = scale;
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

/** Writes the last value beside the end of each line; values that would overlap are moved apart. */
function writeEnds(
  plot: uPlot,
  series: PlotProps['series'],
  shades: readonly string[],
  { format, endRoom }: Scale,
  font: string,
): void {
  const ends = series
    .map(({ points }, index) => ({ end: points.at(-1), shade: shades[index] ?? '' }))
    .flatMap(({ end, shade }) => (end === undefined ? [] : [{ at: end[0], value: end[1], shade }]))
    .map((end) => ({ ...end, y: plot.valToPos(end.value, 'y', true) }))
    .sort((a, b) => a.y - b.y);
  onCanvas(plot, font, ({ ctx, bbox }, scale) => {
    ctx.textBaseline = 'middle';
    let above = Number.NEGATIVE_INFINITY;
    for (const { at, value, shade, y } of ends) {
      const textAt = Math.max(y, above + END_GAP * scale);
      above = textAt;
      ctx.fillStyle = shade;
      ctx.beginPath();
      ctx.arc(plot.valToPos(at, 'x', true), y, 4 * scale, 0, 2 * Math.PI);
      ctx.fill();
      if (endRoom > 0) {
        ctx.fillText(format(value), bbox.left + bbox.width + 8 * scale, textAt);
      }
    }
  });
}

function onCanvas(plot: uPlot, font: string, write: (plot: uPlot, scale: number) => void): void {
  const scale = window.devicePixelRatio;
  plot.ctx.save();
  plot.ctx.font = font.replace('12px', `${12 * scale}px`);
  plot.ctx.textAlign = 'left';
  write(plot, scale);
  plot.ctx.restore();
}

/** The range of the axis with a margin, within 0 to 1. */
function around(from: number, to: number): [number, number] {
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
