/** The output of `top`: lines of at most 80 columns, redrawn by ink on a terminal, otherwise printed once. */
import type { Paint } from './paint.ts';
import type { TopSample } from './top-sample.ts';

const LABEL = 12;
const MOST_ROUTES = 5;

export function topLines(sample: TopSample, paint: Paint): string[] {
  const { requests, objectives, orders, feeds, workers, board, deliveries, jobs, due, pool } = sample;
  const line = (name: string, text: string) => `${paint('bold', name.padEnd(LABEL))}${text}`;
  const bad = (isBad: boolean, text: string) => (isBad ? paint('red', text) : text);
  return [
    `${paint('bold', 'inlay top')}  ${sample.at.slice(0, 19)}Z`,
    '',
    line(
      'requests',
      requests === null
        ? bad(true, 'the API does not answer')
        : `${requests.perSecond}/s, refused ${requests.refusedPerSecond}/s, ${bad(requests.failedPerSecond > 0, `failed ${requests.failedPerSecond}/s`)}, p50 ${ms(requests.p50Ms)}, p99 ${ms(requests.p99Ms)}`,
    ),
    ...(requests?.busiest.slice(0, MOST_ROUTES) ?? []).map(
      ({ route, perSecond }) => `${' '.repeat(LABEL)}${`${perSecond}/s`.padStart(9)}  ${route.slice(0, 56)}`,
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
      `${orders.lastMinute} in the last minute, ${orders.open} open, ${bad(orders.unknown > 0, `${orders.unknown} of unknown outcome`)}`,
    ),
    ...(feeds.length === 0 ? [line('feeds', bad(true, 'no venue was ever connected'))] : []),
    ...feeds.map(({ venue, connected, lagSeconds }, index) =>
      line(
        index === 0 ? 'feeds' : '',
        `${venue}: ${bad(!connected, connected ? 'connected' : 'not connected')}, ${bad((lagSeconds ?? 99) > 5, `${lagSeconds ?? '-'} s since its last message`)}`,
      ),
    ),
    line(
      'workers',
      `${bad(workers.seen === 0, `${workers.seen} seen`)}, ${bad(!workers.leads, workers.leads ? 'one reads the venues' : 'none reads the venues: inlay doctor')}`,
    ),
    line('board', `revision ${board.revision}, the API is ${board.behind ?? '-'} behind`),
    line(
      'deliveries',
      `${deliveries.queued} owed, oldest ${Math.round(deliveries.oldestAgeSeconds)} s, ${deliveries.delivered} done, ${deliveries.failed} failed tries, ${bad(deliveries.exhausted > 0, `${deliveries.exhausted} given up`)}`,
    ),
    line('jobs', `${jobs.waiting} waiting, ${jobs.running} running, ${bad(jobs.failed > 0, `${jobs.failed} failed`)}`),
    ...due
      .filter(({ waiting }) => waiting > 0)
      .map(({ name, waiting }) => `${' '.repeat(LABEL)}${String(waiting).padStart(9)}  ${name}`),
    line(
      'database',
      `${pool.active} active, ${pool.idle} idle of ${pool.max}, ${bad(pool.waiting > 0, `${pool.waiting} wait for a lock`)}`,
    ),
  ];
}

const ms = (value: number | null): string => (value === null ? '-' : `${value} ms`);

/** Rounded down, so that 100 % means all. */
const percent = (share: number): string => `${Math.floor(share * 1_000) / 10}%`;
