/** The live screen of `top`: what it was, as sparklines, over what it is. Pure; one of four views, chosen by a key. */
import type { listStuck } from '../../trading/orders/find-orders.ts';
import { cutText } from './fit-table.ts';
import type { Paint } from './paint.ts';
import type { TopSample } from './top-sample.ts';
import { topLines } from './top-view.ts';

export const TOP_VIEWS = { o: 'overview', r: 'routes', s: 'stuck orders', d: 'due work' } as const;
export type TopViewKey = keyof typeof TOP_VIEWS;

type StuckOrder = Awaited<ReturnType<typeof listStuck>>[number];

export interface TopScreen {
  /** Oldest first, at least one. */
  readonly samples: readonly TopSample[];
  readonly stuck: readonly Pick<StuckOrder, 'orderId' | 'slug' | 'externalUserId' | 'status' | 'createdAt'>[];
  readonly view: TopViewKey;
  /** Characters in a line of the terminal. */
  readonly width: number;
}

const LABEL = 12;
const BARS = '▁▂▃▄▅▆▇█';
const NARROWEST_SPARK = 10;
const FIGURES = 22;

export function topScreen(screen: TopScreen, paint: Paint): string[] {
  const now = screen.samples.at(-1);
  if (now === undefined) {
    return [];
  }
  const lines = screen.view === 'o' ? overview(screen, now, paint) : detail(screen, now, paint);
  return [...lines, '', paint('dim', keyLine(screen.view))];
}

function overview({ samples, width, stuck }: TopScreen, now: TopSample, paint: Paint): string[] {
  const spark = (name: string, values: readonly (number | null)[], figure: string) => {
    const room = Math.max(NARROWEST_SPARK, width - LABEL - FIGURES);
    return `${paint('bold', name.padEnd(LABEL))}${paint('cyan', sparkline(values, room).padEnd(room))}  ${figure}`;
  };
  const { requests, orders, deliveries } = now;
  const lag = (sample: TopSample) => Math.max(0, ...sample.feeds.map(({ lagSeconds }) => lagSeconds ?? 0));
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
    spark(
      'deliveries',
      samples.map((one) => one.deliveries.queued),
      `${deliveries.queued} owed`,
    ),
    ...rest,
    ...(stuck.length === 0 ? [] : ['', paint('red', `${stuck.length} stuck: press s`)]),
  ];
}

function detail({ view, stuck, width }: TopScreen, now: TopSample, paint: Paint): string[] {
  const title = (text: string) => [paint('bold', text), ''];
  switch (view) {
    case 'r':
      return [
        ...title('Busiest routes'),
        ...(now.requests?.busiest ?? []).map(
          ({ route, perSecond }) => `${`${perSecond}/s`.padStart(10)}  ${cutText(route, width - LABEL)}`,
        ),
        ...((now.requests?.busiest.length ?? 0) === 0 ? ['No requests since the last reading.'] : []),
      ];
    case 's':
      return [
        ...title('Orders of unknown outcome, oldest first'),
        ...stuck.map(({ orderId, slug, externalUserId, status, createdAt }) =>
          cutText(`${createdAt.toISOString().slice(0, 19)}Z  ${orderId}  ${slug}/${externalUserId}  ${status}`, width),
        ),
        ...(stuck.length === 0 ? ['None.'] : ['', '"inlay orders lookup ORDER" says what to do.']),
      ];
    default:
      return [
        ...title('Work that is due'),
        ...now.due.map(({ name, waiting }) => `${String(waiting).padStart(10)}  ${cutText(name, width - LABEL)}`),
      ];
  }
}

function keyLine(shown: TopViewKey): string {
  const names = Object.entries(TOP_VIEWS).map(([key, name]) => (key === shown ? `[${key} ${name}]` : `${key} ${name}`));
  return `${names.join('  ')}  q quit  Ctrl-C ends.`;
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
