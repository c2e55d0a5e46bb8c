/** The views of `top` behind a key: routes, tenants, prices, deliveries, newest and stuck orders, due work. Pure. */
import { formatMinor } from '../../money/usd.ts';
import { cutMiddle, cutText } from '../terminal/fit-table.ts';
import type { Paint } from '../terminal/paint.ts';
import { withThousands } from '../terminal/thousands.ts';
import type { TopScreen } from './top-input.ts';
import type { TopSample } from './top-sample.ts';
import type { TopViewKey } from './top-views.ts';

const NAME = 24;
const MARGIN = 14;
const TIME = 8;
const ORDER = 12;
const STATUS = 16;
const AMOUNT = 16;
/** Between the cells of a row, and before it. */
const GAPS = 12;
/** A tenant whose orders take longer than this is slow; a price older than this is not quoted. */
const SLOW_MS = 1_000;
const OLD_SECONDS = 15;

type Detail = Exclude<TopViewKey, 'o'>;

/** Lines above the rows, the rows in the order of their names, and lines below. */
interface DetailLines {
  readonly head?: readonly string[];
  readonly rows?: readonly string[];
  readonly notes?: readonly string[];
}

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
        ({ name, waiting }) => `${withThousands(waiting).padStart(10)}  ${cutText(name, width - MARGIN)}`,
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
    ({ route, perSecond }) => `${`${withThousands(perSecond)}/s`.padStart(10)}  ${cutText(route, width - MARGIN)}`,
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
    const amount = formatMinor(order.action === 'buy' ? order.authorizationMinor : order.proceedsMinor);
    return orderRow(order, `${order.action.padEnd(4)} ${withThousands(amount).padStart(AMOUNT - 5)}`, width);
  });
  return rows.length === 0 ? { notes: ['No orders yet.'] } : { rows };
}

/** @param what in a fixed width, what distinguishes the order; what is left goes to the customer and the market */
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

const ms = (value: number | null): string => (value === null ? '-' : `${withThousands(value)} ms`);
