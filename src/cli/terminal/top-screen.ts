/** The live screen of `top`: what it was, as sparklines, over what it is. Pure; one of four views, chosen by a key. */
import { cutText } from './fit-table.ts';
import type { Paint } from './paint.ts';
import { topDetail } from './top-details.ts';
import type { TopSample } from './top-sample.ts';
import { topLines } from './top-view.ts';
import { TOP_VIEWS, type TopScreen, type TopViewKey } from './top-views.ts';

const LABEL = 12;
const SLUG = 10;
const BARS = '▁▂▃▄▅▆▇█';
const NARROWEST_SPARK = 10;
const FIGURES = 22;
/** An empty one, the keys, and the line of the cursor. */
const KEY_LINES = 3;

export function topScreen(screen: TopScreen, paint: Paint): string[] {
  const now = screen.samples.at(-1);
  if (now === undefined) {
    return [];
  }
  const lines = screen.view === 'o' ? overview(screen, now, paint) : topDetail(screen.view, screen, now, paint);
  // the line of keys is always there
  return [...lines.slice(0, Math.max(1, screen.height - KEY_LINES)), '', paint('dim', keyLine(screen.view))];
}

function overview({ samples, width, stuck }: TopScreen, now: TopSample, paint: Paint): string[] {
  const spark = (name: string, values: readonly (number | null)[], figure: string) => {
    const room = Math.max(NARROWEST_SPARK, width - LABEL - FIGURES);
    return `${paint('bold', name.padEnd(LABEL))}${paint('cyan', sparkline(values, room).padEnd(room))}  ${figure}`;
  };
  const { requests, orders, deliveries } = now;
  const lag = (sample: TopSample) => Math.max(0, ...sample.feeds.map(({ lagSeconds }) => lagSeconds ?? 0));
  const priceAge = (sample: TopSample) =>
    sample.prices.reduce<number | null>((most, { medianSeconds }) => Math.max(most ?? 0, medianSeconds ?? 0), null);
  const slowest = (sample: TopSample) => sample.tenants[0]?.p95Ms ?? null;
  const [head = '', ...rest] = topLines(now, paint);
  return [
    head,
    '',
    spark(
      'requests/s',
      samples.map((one) => one.requests?.perSecond ?? null),
      String(requests?.perSecond ?? '-'),
    ),
    spark(
      'p99',
      samples.map((one) => one.requests?.p99Ms ?? null),
      `${requests?.p99Ms ?? '-'} ms`,
    ),
    spark(
      'orders/min',
      samples.map((one) => one.orders.lastMinute),
      String(orders.lastMinute),
    ),
    spark('feed lag', samples.map(lag), `${lag(now)} s`),
    spark('price age', samples.map(priceAge), `${priceAge(now) ?? '-'} s median`),
    spark(
      'slowest p95',
      samples.map(slowest),
      `${slowest(now) ?? '-'} ms ${cutText(now.tenants[0]?.slug ?? '', SLUG)}`.trimEnd(),
    ),
    spark(
      'deliveries',
      samples.map((one) => one.deliveries.queued),
      `${deliveries.queued} owed`,
    ),
    ...rest,
    ...(stuck.length === 0 ? [] : ['', paint('red', `${stuck.length} stuck: press s`)]),
  ];
}

function keyLine(shown: TopViewKey): string {
  const names = Object.entries(TOP_VIEWS).map(([key, name]) => (key === shown ? `[${key} ${name}]` : `${key} ${name}`));
  return `${names.join('  ')}  q quit`;
}

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
