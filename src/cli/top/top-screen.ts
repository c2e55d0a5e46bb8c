/** The live screen of `top`: the overview with sparklines, a view or an open row, above the line of keys. Pure. */
import { withThousands } from '../../core/plain-words.ts';
import type { Paint } from '../terminal/printable.ts';
import { cutText } from '../terminal/table.ts';
import type { TopSample } from './top-sample.ts';
import { rowNames, TOP_VIEWS, type TopScreen, type TopViewKey } from './top-state.ts';
import { drawRow, sparkRow, topDetail, topLines } from './top-view.ts';

const SLUG = 10;
/** Width from which the keys have room for a wider gap. */
const ROOMY = 90;
/** An empty line, the line of keys, and the line of the cursor. */
const KEY_LINES = 3;

export function topScreen(screen: TopScreen, paint: Paint): string[] {
  const { samples, trouble, state, width, height } = screen;
  const now = samples.at(-1);
  const keys = ['', paint('dim', keyLine(state.view, width))];
  const head =
    trouble === null
      ? []
      : [
          `The database has not answered for ${withThousands(trouble.seconds)} s`,
          ...(trouble.why === null ? [] : [cutText(trouble.why, width)]),
          '',
        ].map((line) => paint('red', line));
  if (now === undefined) {
    return [...head, ...keys];
  }
  return [...head, ...reading(screen, now, Math.max(1, height - KEY_LINES - head.length), paint), ...keys];
}

/** @param room in lines */
function reading(screen: TopScreen, now: TopSample, room: number, paint: Paint): string[] {
  const { state } = screen;
  if (state.open !== null) {
    const [title = '', ...lines] = [
      `${TOP_VIEWS[state.view]}: ${state.open}`,
      '',
      ...drawRow(screen, state.open, paint),
    ];
    const hint = paint('dim', 'Esc closes it, arrows scroll.');
    const above = Math.max(0, Math.min(state.above, lines.length + 2 - room));
    return [paint('bold', title), ...lines.slice(above, above + room - 2), hint];
  }
  const rows = rowNames(state.view, now, screen);
  const hint = rows.length === 0 ? [] : ['', paint('dim', 'Arrows choose a row, Enter opens it.')];
  const lines = state.view === 'o' ? overview(screen, now, paint) : topDetail(state.view, screen, now, paint);
  // the line of keys, which follows, is always there
  return [...lines.slice(0, Math.max(1, room - hint.length)), ...hint];
}

function overview({ samples, width, stuck }: TopScreen, now: TopSample, paint: Paint): string[] {
  const spark = (name: string, values: readonly (number | null)[], figure: string) =>
    sparkRow(name, values, figure, width, paint);
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
      withThousands(requests?.perSecond ?? '-'),
    ),
    spark(
      'p99',
      samples.map((one) => one.requests?.p99Ms ?? null),
      `${withThousands(requests?.p99Ms ?? '-')} ms`,
    ),
    spark(
      'orders/min',
      samples.map((one) => one.orders.lastMinute),
      withThousands(orders.lastMinute),
    ),
    spark('feed lag', samples.map(lag), `${withThousands(lag(now))} s`),
    spark('price age', samples.map(priceAge), `${withThousands(priceAge(now) ?? '-')} s median`),
    spark(
      'slowest p95',
      samples.map(slowest),
      `${withThousands(slowest(now) ?? '-')} ms ${cutText(now.tenants[0]?.slug ?? '', SLUG)}`.trimEnd(),
    ),
    spark(
      'deliveries',
      samples.map((one) => one.deliveries.queued),
      `${withThousands(deliveries.queued)} owed`,
    ),
    ...rest,
    ...(stuck.length === 0 ? [] : ['', paint('red', `${stuck.length} stuck: press s`)]),
  ];
}

function keyLine(shown: TopViewKey, width: number): string {
  const names = Object.entries(TOP_VIEWS).map(([key, name]) => (key === shown ? `[${key} ${name}]` : `${key} ${name}`));
  return [...names, 'q quit'].join(width < ROOMY ? ' ' : '  ');
}
