/** The chart of a printed statement: gross and net revenue by day as columns, or of the largest customers or markets as bars. Pure. */
import { html, type Markup } from '../../core/markup.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import type { RevenueRow } from '../revenue/fetch-revenue.ts';
import { withThousands } from '../terminal/thousands.ts';

/** What one column or bar shows, in cents. */
interface Point {
  readonly name: string;
  readonly ggr: bigint;
  readonly ngr: bigint;
}

const WIDTH = 640;
const HEIGHT = 150;
const LEFT = 74;
const BASE = 14;
const MOST_BARS = 12;
const BAR_ROW = 22;
const NAME_WIDTH = 190;
const AMOUNT_WIDTH = 86;
const LONGEST_NAME = 34;

/**
 * @param nameOf the day, customer or market of a row; rows of one name are added up
 * @returns nothing for fewer than two names, of which a chart would say no more than the table
 */
export function revenueChart(
  rows: readonly RevenueRow[],
  isByDay: boolean,
  nameOf: (row: RevenueRow) => string,
): Markup | null {
  const points = sumByName(rows, nameOf);
  return points.length < 2 ? null : isByDay ? columns(points) : bars(points);
}

function sumByName(rows: readonly RevenueRow[], nameOf: (row: RevenueRow) => string): Point[] {
  const byName = Map.groupBy(rows, nameOf);
  return [...byName].map(([name, own]) => ({
    name,
    ggr: sumMinor(own.map((row) => parseMinor(row.ggr))),
    ngr: sumMinor(own.map((row) => parseMinor(row.ngr))),
  }));
}

function columns(points: readonly Point[]): Markup {
  const days = points.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const amounts = days.flatMap(({ ggr, ngr }) => [ggr, ngr]);
  const [lowest, highest] = [least([0n, ...amounts]), most([0n, ...amounts])];
  const span = highest === lowest ? 1n : highest - lowest;
  const y = (cents: bigint) => (Number(highest - cents) / Number(span)) * HEIGHT;
  const step = (WIDTH - LEFT) / days.length;
  const column = (cents: bigint, place: number, series: 'gross' | 'net') => {
    const x = LEFT + step * (place + (series === 'gross' ? 0.1 : 0.5));
    const [top, bottom] = cents < 0n ? [y(0n), y(cents)] : [y(cents), y(0n)];
    return html`<rect class="${series}" x="${x.toFixed(1)}" y="${top.toFixed(1)}" width="${(step * 0.4).toFixed(1)}" height="${(bottom - top).toFixed(1)}"/>`;
  };
  const marks = [...new Set([highest, 0n, lowest])];
  const ends = [days[0]?.name ?? '', days.at(-1)?.name ?? ''];
  return figure(
    `Gross and net revenue from ${ends[0]} to ${ends[1]}`,
    HEIGHT + BASE + 4,
    html`${marks.map((cents) => html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(cents).toFixed(1)}" y2="${y(cents).toFixed(1)}"/><text class="end" x="${LEFT - 6}" y="${(y(cents) + 3).toFixed(1)}">${dollars(cents)}</text>`)}
${days.map(({ ggr, ngr }, place) => html`${column(ggr, place, 'gross')}${column(ngr, place, 'net')}`)}
<text x="${LEFT}" y="${HEIGHT + BASE}">${ends[0]}</text><text class="end" x="${WIDTH}" y="${HEIGHT + BASE}">${ends[1]}</text>`,
  );
}

function bars(points: readonly Point[]): Markup {
  const largest = points.toSorted((one, other) => Number(sizeOf(other.ggr) - sizeOf(one.ggr))).slice(0, MOST_BARS);
  const highest = most([1n, ...largest.flatMap(({ ggr, ngr }) => [sizeOf(ggr), sizeOf(ngr)])]);
  const room = WIDTH - NAME_WIDTH - AMOUNT_WIDTH;
  const bar = (cents: bigint, y: number, series: 'gross' | 'net') => {
    const length = (Number(sizeOf(cents)) / Number(highest)) * room;
    return html`<rect class="${series}${cents < 0n ? ' loss' : ''}" x="${NAME_WIDTH}" y="${y}" width="${length.toFixed(1)}" height="8"/>`;
  };
  const rows = largest.map(({ name, ggr, ngr }, place) => {
    const y = place * BAR_ROW;
    return html`<text class="end" x="${NAME_WIDTH - 6}" y="${y + 12}">${shortened(name)}</text>${bar(ggr, y + 1, 'gross')}${bar(ngr, y + 9, 'net')}<text class="end" x="${WIDTH}" y="${y + 12}">${dollars(ggr)}</text>`;
  });
  const left = points.length - largest.length;
  const rest = left === 0 ? '' : `, ${withThousands(left)} smaller ones are only in the table`;
  return figure(
    `Gross and net revenue, the largest first, losses in red${rest}`,
    largest.length * BAR_ROW,
    html`${rows}`,
  );
}

function figure(caption: string, height: number, drawing: Markup): Markup {
  return html`<figure><svg viewBox="0 -8 ${WIDTH} ${height + 12}" role="img" aria-label="${caption}">${drawing}</svg>
<figcaption><span class="key gross"></span>Gross <span class="key net"></span>Net. ${caption}.</figcaption></figure>`;
}

const sizeOf = (cents: bigint) => (cents < 0n ? -cents : cents);
const least = (values: readonly bigint[]) => values.reduce((low, value) => (value < low ? value : low));
const most = (values: readonly bigint[]) => values.reduce((high, value) => (value > high ? value : high));
const dollars = (cents: bigint) => withThousands(formatMinor(cents));

function shortened(name: string): string {
  const letters = [...name];
  return letters.length <= LONGEST_NAME ? name : `${letters.slice(0, LONGEST_NAME - 1).join('')}…`;
}
