/** The output of `top`: lines of at most 80 columns, redrawn by ink on a terminal, otherwise printed once. */
import type { Paint } from '../terminal/paint.ts';
import { withThousands } from '../terminal/thousands.ts';
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
  ];
}

const ms = (value: number | null): string => (value === null ? '-' : `${withThousands(value)} ms`);

/** Rounded down, so that 100 % means all. */
const percent = (share: number): string => `${Math.floor(share * 1_000) / 10}%`;
