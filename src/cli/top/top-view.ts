/** The parts of the output of `top`: the overview, the view behind each key, an open row, and sparklines. Pure. */
import { withThousands } from '../../core/plain-words.ts';
import { proceedsOf } from '../../money/blocks.ts';
import { formatMinor } from '../../money/usd.ts';
import type { Paint } from '../terminal/printable.ts';
import { cutMiddle, cutText } from '../terminal/table.ts';
import type { TopSample } from './top-sample.ts';
import type { TopScreen, TopViewKey } from './top-state.ts';

const LABEL = 12;
const MOST_ROUTES = 5;

/** The overview, of at most 80 columns, which is also what `top` prints off a terminal. */
export function topLines(sample: TopSample, paint: Paint): string[] {
  const { requests, objectives, orders, feeds, workers, board, deliveries, jobs, due, pool, locks } = sample;
  const line = (name: string, text: string) => `${paint('bold', name.padEnd(LABEL))}${text}`;
  const bad = (isBad: boolean, text: string) => (isBad ? paint('red', text) : text);
  return [
    `${paint('bold', 'inlay top')}  ${sample.at.slice(0, 19)}Z`,
    '',
    line(
      'requests',
      requests === null
        ? bad(true, sample.apiFault ?? 'the API does not answer')
        : `${withThousands(requests.perSecond)}/s, refused ${withThousands(requests.refusedPerSecond)}/s, ${bad(requests.failedPerSecond > 0, `failed ${withThousands(requests.failedPerSecond)}/s`)}, p50 ${ms(requests.p50Ms)}, p99 ${ms(requests.p99Ms)}`,
    ),
    ...(requests?.busiest.slice(0, MOST_ROUTES) ?? []).map(
      ({ route, perSecond }) =>
        `${' '.repeat(LABEL)}${`${withThousands(perSecond)}/s`.padStart(9)}  ${route.slice(0, 56)}`,
    ),
    ...(objectives.length === 0
      ? []
      : [
          line(
            'objectives',
            objectives
              .map(({ name, target, good }) =>
                bad((good ?? 1) < target, `${name} ${good === null ? '-' : percent(good)}`),
              )
              .join(', '),
          ),
        ]),
    line(
      'orders',
      `${withThousands(orders.lastMinute)} in the last minute, ${withThousands(orders.open)} open, ${bad(orders.unknown > 0, `${withThousands(orders.unknown)} of unknown outcome`)}`,
    ),
    ...(feeds.length === 0 ? [line('feeds', bad(true, 'no venue was ever connected'))] : []),
    ...feeds.map(({ venue, connected, lagSeconds }, index) =>
      line(
        index === 0 ? 'feeds' : '',
        `${venue}: ${bad(!connected, connected ? 'connected' : 'not connected')}, ${bad((lagSeconds ?? 99) > 5, `${withThousands(lagSeconds ?? '-')} s since its last message`)}`,
      ),
    ),
    line(
      'workers',
      `${bad(workers.seen === 0, `${withThousands(workers.seen)} seen`)}, ${bad(!workers.leads, workers.leads ? 'one reads the venues' : 'none reads the venues: inlay doctor')}`,
    ),
    line('board', `revision ${withThousands(board.revision)}, the API is ${withThousands(board.behind ?? '-')} behind`),
    line(
      'deliveries',
      `${withThousands(deliveries.queued)} owed, oldest ${withThousands(Math.round(deliveries.oldestAgeSeconds))} s, ${withThousands(deliveries.delivered)} done, ${withThousands(deliveries.failed)} failed tries, ${bad(deliveries.exhausted > 0, `${withThousands(deliveries.exhausted)} given up`)}`,
    ),
    line(
      'jobs',
      `${withThousands(jobs.waiting)} waiting, ${withThousands(jobs.running)} running, ${bad(jobs.failed > 0, `${withThousands(jobs.failed)} failed`)}`,
    ),
    ...due
      .filter(({ waiting }) => waiting > 0)
      .map(({ name, waiting }) => `${' '.repeat(LABEL)}${withThousands(waiting).padStart(9)}  ${name}`),
    line(
      'database',
      `${withThousands(pool.active)} active, ${withThousands(pool.idle)} idle of ${withThousands(pool.max)}, ${bad(pool.waiting > 0, `${withThousands(pool.waiting)} wait for a lock`)}`,
    ),
    ...locks.map(({ held, waiters }) => bad(true, `${' '.repeat(LABEL)}${withThousands(waiters)} for ${held}`)),
  ];
}

const ms = (value: number | null): string => (value === null ? '-' : `${withThousands(value)} ms`);

/** The share is rounded down, so that 100 % means all. */
const percent = (share: number): string => `${Math.floor(share * 1_000) / 10}%`;

const ROW_MARGIN = 2;

/**
 * An open row: how its figures have changed, or the history of an order.
 * @param name of the row, which may be gone by now
 */
export function drawRow(screen: TopScreen, name: string, paint: Paint): string[] {
  const { samples, stuck, state, history, width } = screen;
  const line = (label: string, unit: string, read: (sample: TopSample) => number | null | undefined) => {
    const values = samples.map((sample) => read(sample) ?? null);
    const now = values.at(-1) ?? null;
    return sparkRow(label, values, now === null ? '-' : `${withThousands(now)}${unit}`, width - ROW_MARGIN, paint);
  };
  switch (state.view) {
    case 'r':
      return [
        line('requests/s', '/s', ({ requests }) => {
          const found = requests?.busiest.find(({ route }) => route === name);
          return requests === null ? null : (found?.perSecond ?? 0);
        }),
      ];
    case 't': {
      const of = (sample: TopSample) => sample.tenants.find(({ slug }) => slug === name);
      const own = stuck.filter(({ slug }) => slug === name);
      return [
        line('orders/min', '', (sample) => of(sample)?.orders ?? 0),
        line('open', '', (sample) => of(sample)?.open ?? 0),
        line('unknown', '', (sample) => of(sample)?.unknown ?? 0),
        line('p50', ' ms', (sample) => of(sample)?.p50Ms),
        line('p95', ' ms', (sample) => of(sample)?.p95Ms),
        ...(own.length === 0 ? [] : ['', paint('red', `${own.length} stuck: press s`)]),
        '',
        `"inlay operators show ${name}" shows its settings and its money.`,
      ];
    }
    case 'p': {
      const of = (sample: TopSample) => sample.prices.find(({ venue }) => venue === name);
      return [
        line('books', '', (sample) => of(sample)?.books),
        line('median age', ' s', (sample) => of(sample)?.medianSeconds),
        line('oldest', ' s', (sample) => of(sample)?.oldestSeconds),
        line('feed lag', ' s', (sample) => sample.feeds.find(({ venue }) => venue === name)?.lagSeconds),
      ];
    }
    case 'd':
      return [line('waiting', '', (sample) => sample.due.find((due) => due.name === name)?.waiting ?? 0)];
    case 'n':
    case 's':
      return history.length === 0 ? ['Reading its history.'] : [...history];
    case 'o':
    case 'w':
      return [];
  }
}

const NAME = 24;
const LIST_MARGIN = 14;
const TIME = 8;
const ORDER = 12;
const STATUS = 16;
const AMOUNT = 16;
/** Characters between the cells of a row, and before it. */
const GAPS = 12;
/** A tenant whose orders take longer than this is slow; a price older than this is not quoted. */
const SLOW_MS = 1_000;
const OLD_SECONDS = 15;

type Detail = Exclude<TopViewKey, 'o'>;

/** Lines above the rows, the rows in the order of `rowNames`, and lines below. */
interface DetailLines {
  readonly head?: readonly string[];
  readonly rows?: readonly string[];
  readonly notes?: readonly string[];
}

/** The view behind a key, with a mark before the chosen row. */
export function topDetail(
  view: Detail,
  { stuck, orders, state, width }: TopScreen,
  now: TopSample,
  paint: Paint,
): string[] {
  const views: Record<Detail, () => DetailLines> = {
    r: () => routes(now, width),
    t: () => tenants(now, paint),
    n: () => newestOrders(orders, width),
    p: () => prices(now, paint),
    w: () => ({ notes: deliveries(now, paint) }),
    s: () => stuckOrders(stuck, width),
    d: () => ({
      rows: now.due.map(
        ({ name, waiting }) => `${withThousands(waiting).padStart(10)}  ${cutText(name, width - LIST_MARGIN)}`,
      ),
    }),
  };
  const { head = [], rows = [], notes = [] } = views[view]();
  const chosen = Math.min(state.chosen, rows.length - 1);
  return [
    paint('bold', TITLES[view]),
    '',
    ...head.map((line) => `  ${line}`),
    ...rows.map((line, place) => `${place === chosen ? paint('cyan', '›') : ' '} ${line}`),
    ...notes,
  ];
}

const TITLES: Readonly<Record<Detail, string>> = {
  r: 'Busiest routes',
  t: 'Tenants by the time that their orders take, slowest first, last minute',
  n: 'Newest orders of all tenants',
  p: 'Age of prices by venue',
  w: 'Webhook deliveries and objectives',
  s: 'Orders of unknown outcome, oldest first',
  d: 'Work that is due',
};

function routes({ requests }: TopSample, width: number): DetailLines {
  const rows = (requests?.busiest ?? []).map(
    ({ route, perSecond }) => `${`${withThousands(perSecond)}/s`.padStart(10)}  ${cutText(route, width - LIST_MARGIN)}`,
  );
  return rows.length === 0 ? { notes: ['No requests since the last reading.'] } : { rows };
}

function tenants({ tenants: measured }: TopSample, paint: Paint): DetailLines {
  if (measured.length === 0) {
    return { notes: ['No orders in the last minute.'] };
  }
  const columns = (name: string, ...values: string[]) =>
    `${cutText(name, NAME).padEnd(NAME)}${values.map((value) => value.padStart(10)).join('')}`;
  return {
    head: [paint('dim', columns('tenant', 'orders', 'open', 'unknown', 'p50', 'p95'))],
    rows: measured.map(({ slug, orders, open, unknown, p50Ms, p95Ms }) => {
      const counts = [orders, open, unknown].map(withThousands);
      const line = columns(slug, ...counts, ms(p50Ms), ms(p95Ms));
      return unknown > 0 || (p95Ms ?? SLOW_MS + 1) > SLOW_MS ? paint('red', line) : line;
    }),
  };
}

function prices({ prices: measured }: TopSample, paint: Paint): DetailLines {
  if (measured.length === 0) {
    return { notes: ['No venue has sent a book.'] };
  }
  const rows = measured.map(({ venue, books, medianSeconds, oldestSeconds }) => {
    const [median, oldest] = [medianSeconds, oldestSeconds].map((age) => withThousands(age ?? '-'));
    const line = `${cutText(venue, NAME).padEnd(NAME)}${withThousands(books)} books, median ${median} s, oldest ${oldest} s`;
    return (medianSeconds ?? OLD_SECONDS + 1) > OLD_SECONDS ? paint('red', line) : line;
  });
  return { rows };
}

function deliveries({ deliveries: owed, objectives }: TopSample, paint: Paint): string[] {
  const line = (name: string, value: string) => `${name.padEnd(NAME)}${value}`;
  const share = (value: number) => `${Math.floor(value * 100_000) / 1_000} %`;
  return [
    line('owed', `${withThousands(owed.queued)}, the oldest for ${withThousands(Math.round(owed.oldestAgeSeconds))} s`),
    line('acknowledged', withThousands(owed.delivered)),
    line('failed attempts', withThousands(owed.failed)),
    owed.exhausted > 0 ? paint('red', line('given up', withThousands(owed.exhausted))) : line('given up', '0'),
    ...(objectives.length === 0 ? [] : ['', paint('dim', line('objective', 'good, and how much should be'))]),
    ...objectives.map(({ name, target, good }) => {
      const text = line(cutText(name, NAME - 1), `${good === null ? '-' : share(good)} of ${share(target)}`);
      return (good ?? 1) < target ? paint('red', text) : text;
    }),
  ];
}

function stuckOrders(stuck: TopScreen['stuck'], width: number): DetailLines {
  if (stuck.length === 0) {
    return { notes: ['None.'] };
  }
  const rows = stuck.map((order) => orderRow(order, cutText(order.orderId, ORDER), width));
  return { rows, notes: ['', '"inlay orders lookup ORDER" says what to do.'] };
}

function newestOrders(orders: TopScreen['orders'], width: number): DetailLines {
  const rows = orders.map((order) => {
    const amount = formatMinor(order.action === 'buy' ? order.authorizationMinor : proceedsOf(order));
    return orderRow(order, `${order.action.padEnd(4)} ${withThousands(amount).padStart(AMOUNT - 5)}`, width);
  });
  return rows.length === 0 ? { notes: ['No orders yet.'] } : { rows };
}

/** @param what distinguishes the order, in a fixed width; the customer and the market share the rest of the line */
function orderRow(
  { slug, externalUserId, market, status, createdAt }: TopScreen['stuck'][number],
  what: string,
  width: number,
): string {
  const left = Math.max(0, width - TIME - what.length - STATUS - GAPS);
  const customer = Math.floor(left / 2);
  return [
    createdAt.toISOString().slice(11, 19),
    what,
    cutMiddle(`${slug}/${externalUserId}`, customer).padEnd(customer),
    cutText(status, STATUS).padEnd(STATUS),
    cutText(market ?? '', left - customer),
  ]
    .join('  ')
    .trimEnd();
}

const BARS = '▁▂▃▄▅▆▇█';

const FIGURES = 22;
const NARROWEST = 10;

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

/** A line that shows how a figure has changed. @param figure its value now, with its unit. @param width of the whole line, in characters */
export function sparkRow(
  name: string,
  values: readonly (number | null)[],
  figure: string,
  width: number,
  paint: Paint,
): string {
  const room = Math.max(NARROWEST, width - LABEL - FIGURES);
  return `${paint('bold', name.padEnd(LABEL))}${paint('cyan', sparkline(values, room).padEnd(room))}  ${figure}`;
}
