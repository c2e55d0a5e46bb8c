/** The views of `top` behind a key: routes, tenants, prices, deliveries, stuck orders, due work. Pure. */
import { cutText } from './fit-table.ts';
import type { Paint } from './paint.ts';
import type { TopSample } from './top-sample.ts';
import type { TopScreen, TopViewKey } from './top-views.ts';

const NAME = 24;
const MARGIN = 12;
/** A tenant whose orders take longer than this is slow; a price older than this is not quoted. */
const SLOW_MS = 1_000;
const OLD_SECONDS = 15;

export function topDetail(view: Exclude<TopViewKey, 'o'>, { stuck, width }: TopScreen, now: TopSample, paint: Paint) {
  const views: Record<typeof view, () => string[]> = {
    r: () => routes(now, width),
    t: () => tenants(now, paint),
    p: () => prices(now, paint),
    w: () => deliveries(now, paint),
    s: () => stuckOrders(stuck, width),
    d: () => now.due.map(({ name, waiting }) => `${String(waiting).padStart(10)}  ${cutText(name, width - MARGIN)}`),
  };
  return [paint('bold', TITLES[view]), '', ...views[view]()];
}

const TITLES: Readonly<Record<Exclude<TopViewKey, 'o'>, string>> = {
  r: 'Busiest routes',
  t: 'Tenants by the time that their orders take, slowest first, last minute',
  p: 'Age of prices by venue',
  w: 'Webhook deliveries and objectives',
  s: 'Orders of unknown outcome, oldest first',
  d: 'Work that is due',
};

function routes({ requests }: TopSample, width: number): string[] {
  const lines = (requests?.busiest ?? []).map(
    ({ route, perSecond }) => `${`${perSecond}/s`.padStart(10)}  ${cutText(route, width - MARGIN)}`,
  );
  return lines.length === 0 ? ['No requests since the last reading.'] : lines;
}

function tenants({ tenants: measured }: TopSample, paint: Paint): string[] {
  if (measured.length === 0) {
    return ['No orders in the last minute.'];
  }
  const columns = (name: string, ...values: string[]) =>
    `${cutText(name, NAME).padEnd(NAME)}${values.map((value) => value.padStart(10)).join('')}`;
  return [
    paint('dim', columns('tenant', 'orders', 'open', 'unknown', 'p50', 'p95')),
    ...measured.map(({ slug, orders, open, unknown, p50Ms, p95Ms }) => {
      const line = columns(slug, String(orders), String(open), String(unknown), ms(p50Ms), ms(p95Ms));
      return unknown > 0 || (p95Ms ?? SLOW_MS + 1) > SLOW_MS ? paint('red', line) : line;
    }),
  ];
}

function prices({ prices: measured }: TopSample, paint: Paint): string[] {
  if (measured.length === 0) {
    return ['No venue has sent a book.'];
  }
  return measured.map(({ venue, books, medianSeconds, oldestSeconds }) => {
    const line = `${cutText(venue, NAME).padEnd(NAME)}${books} books, median ${medianSeconds ?? '-'} s, oldest ${oldestSeconds ?? '-'} s`;
    return (medianSeconds ?? OLD_SECONDS + 1) > OLD_SECONDS ? paint('red', line) : line;
  });
}

function deliveries({ deliveries: owed, objectives }: TopSample, paint: Paint): string[] {
  const line = (name: string, value: string) => `${name.padEnd(NAME)}${value}`;
  const share = (value: number) => `${Math.floor(value * 100_000) / 1_000} %`;
  return [
    line('owed', `${owed.queued}, the oldest for ${Math.round(owed.oldestAgeSeconds)} s`),
    line('acknowledged', String(owed.delivered)),
    line('failed attempts', String(owed.failed)),
    owed.exhausted > 0 ? paint('red', line('given up', String(owed.exhausted))) : line('given up', '0'),
    ...(objectives.length === 0 ? [] : ['', paint('dim', line('objective', 'good, and how much should be'))]),
    ...objectives.map(({ name, target, good }) => {
      const text = line(cutText(name, NAME - 1), `${good === null ? '-' : share(good)} of ${share(target)}`);
      return (good ?? 1) < target ? paint('red', text) : text;
    }),
  ];
}

function stuckOrders(stuck: TopScreen['stuck'], width: number): string[] {
  return stuck.length === 0
    ? ['None.']
    : [
        ...stuck.map(({ orderId, slug, externalUserId, status, createdAt }) =>
          cutText(`${createdAt.toISOString().slice(0, 19)}Z  ${orderId}  ${slug}/${externalUserId}  ${status}`, width),
        ),
        '',
        '"inlay orders lookup ORDER" says what to do.',
      ];
}

const ms = (value: number | null): string => (value === null ? '-' : `${value} ms`);
