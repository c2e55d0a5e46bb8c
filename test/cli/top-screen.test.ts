/** The live screen of `top` at three widths, held in files, and what it does not count. `npx vitest run test/cli/top-screen.test.ts -u` writes them anew. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ratesBetween, readMetrics, type TopSample } from '../../src/cli/top/top-sample.ts';
import { topScreen } from '../../src/cli/top/top-screen.ts';
import { FIRST_STATE, pressKey, type TopScreen, type TopViewKey } from '../../src/cli/top/top-state.ts';
import { sparkline, topLines } from '../../src/cli/top/top-view.ts';

const plain = (_: unknown, text: string) => text;

function sampleAt(second: number): TopSample {
  const perSecond = Math.round(40 + 30 * Math.sin(second / 6));
  return {
    at: new Date(Date.UTC(2026, 10, 1, 12, 0, second)).toISOString(),
    requests: {
      perSecond,
      refusedPerSecond: 1.5,
      failedPerSecond: 0,
      p50Ms: 5,
      p99Ms: second % 20 === 0 ? 250 : 25,
      busiest: [
        { route: 'GET /api/v1/events', perSecond: perSecond / 2 },
        { route: 'POST /api/v1/orders', perSecond: 4 },
      ],
    },
    apiFault: null,
    objectives: [
      { name: 'orders', target: 0.999, good: 0.9985 },
      { name: 'catalogue', target: 0.999, good: 1 },
    ],
    orders: { lastMinute: 200 + second, open: 3, unknown: 1 },
    feeds: [{ venue: 'paper', connected: true, lagSeconds: second % 5 }],
    workers: { seen: 2, leads: true },
    board: { revision: 812_345, behind: 0 },
    deliveries: { queued: second % 9, delivered: 1234, failed: 2, exhausted: 0, oldestAgeSeconds: 3 },
    jobs: { waiting: 2, running: 1, failed: 0 },
    due: [{ name: 'settlements', waiting: 4 }],
    tenants: [
      { slug: 'lucky-casino', orders: 180 + second, open: 2, unknown: 1, p50Ms: 40, p95Ms: 1200 + second },
      { slug: 'broker', orders: 20, open: 1, unknown: 0, p50Ms: 38, p95Ms: 95 },
    ],
    prices: [
      { venue: 'kalshi', books: 812, medianSeconds: 21.5, oldestSeconds: 94.1 },
      { venue: 'paper', books: 540, medianSeconds: second % 4, oldestSeconds: 6.2 },
    ],
    pool: { active: 2, idle: 8, waiting: 0, max: 100, apiMax: 20 },
    locks: [],
  };
}

const screen = (view: TopViewKey, width: number, height = 50): TopScreen => ({
  samples: Array.from({ length: 240 }, (_, second) => sampleAt(second)),
  trouble: null,
  stuck: [
    {
      orderId: 'ord_01a2046e364c74c38f0f2f09fb10c675',
      slug: 'lucky-casino',
      externalUserId: 'player-17',
      market: 'Will the central bank cut its rate in December?: 50 basis points or more',
      status: 'submitted',
      createdAt: new Date(Date.UTC(2026, 10, 1, 11, 58)),
    },
  ],
  orders: [
    {
      orderId: 'ord_01a2046f000000000f0f2f09fb10c676',
      slug: 'broker',
      externalUserId: 'player-4',
      market: 'Who will win Super Bowl LXI?: Los Angeles Rams',
      status: 'filled',
      action: 'sell',
      authorizationMinor: 0n,
      tradeMinor: 123_556n,
      platformFeeMinor: 60n,
      venueFeeMinor: 40n,
      createdAt: new Date(Date.UTC(2026, 10, 1, 11, 59, 58)),
    },
    {
      orderId: 'ord_01a2046e364c74c38f0f2f09fb10c675',
      slug: 'lucky-casino',
      externalUserId: 'player-17',
      market: 'Will the central bank cut its rate in December?: 50 basis points or more',
      status: 'submitted',
      action: 'buy',
      authorizationMinor: 1_000n,
      tradeMinor: 0n,
      platformFeeMinor: 0n,
      venueFeeMinor: 0n,
      createdAt: new Date(Date.UTC(2026, 10, 1, 11, 58)),
    },
  ],
  state: { ...FIRST_STATE, view },
  history: ['inl_Best_0123456789ABCD  submitted', '', 'What to do next', '  - Wait for the venue.'],
  width,
  height,
});

test.each([80, 120, 200])('the screen of top at %i columns', async (width) => {
  const views = (['o', 'r', 't', 'n', 'p', 'w', 's', 'd'] as const).map((view) =>
    topScreen(screen(view, width), plain).join('\n'),
  );
  const opened = [
    ['r', 'POST /api/v1/orders'],
    ['t', 'lucky-casino'],
    ['p', 'kalshi'],
    ['n', 'ord_01a2046f000000000f0f2f09fb10c676'],
    ['s', 'ord_01a2046e364c74c38f0f2f09fb10c675'],
    ['d', 'settlements'],
  ] as const;
  for (const [view, open] of opened) {
    const at = screen(view, width);
    views.push(topScreen({ ...at, state: { ...at.state, open } }, plain).join('\n'));
  }
  const text = views.join(`\n${'='.repeat(width)}\n`);
  expect(text.split('\n').filter((line) => [...line].length > width)).toEqual([]);
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `top-${width}.txt`));
});

test('arrows choose a row of the view, Enter opens it by its name, Esc closes it, a letter leaves it', () => {
  const names = ['lucky-casino', 'broker'];
  const press = (...keys: string[]) => keys.reduce((state, key) => pressKey(state, key, names), FIRST_STATE);
  expect(press('t', 'down', 'down', 'down')).toMatchObject({ view: 't', chosen: 1, open: null });
  expect(press('t', 'down', 'enter')).toMatchObject({ open: 'broker' });
  expect(press('t', 'down', 'enter', 'down', 'down', 'up')).toMatchObject({ open: 'broker', above: 1 });
  expect(press('t', 'down', 'enter', 'back')).toMatchObject({ view: 't', chosen: 1, open: null });
  expect(press('t', 'enter', 'p')).toEqual({ ...FIRST_STATE, view: 'p' });
  expect(pressKey({ ...FIRST_STATE, view: 's' }, 'enter', [])).toMatchObject({ open: null });
  const unchanged = press('t');
  expect(pressKey(unchanged, 'x', names)).toBe(unchanged);
});

test('a long history scrolls, and its end can be seen', () => {
  const at = screen('s', 80, 12);
  const history = Array.from({ length: 30 }, (_, line) => `line ${line}`);
  const lines = (above: number) =>
    topScreen({ ...at, history, state: { ...at.state, open: 'ord_1', above } }, plain).join('\n');
  expect(lines(0)).toContain('line 0\n');
  expect(lines(0)).not.toContain('line 29');
  expect(lines(99)).toContain('line 29\n');
  expect(lines(99).split('\n').length).toBe(11);
});

test('a worker that no longer reads the venues is seen at once', () => {
  const sample = { ...sampleAt(1), workers: { seen: 1, leads: false } };
  const [line = ''] = topLines(sample, plain).filter((text) => text.startsWith('workers'));
  expect(line).toBe('workers     1 seen, none reads the venues: inlay doctor');
});

test('a terminal of few lines keeps the line of keys', () => {
  const lines = topScreen(screen('o', 80, 12), plain);
  expect(lines.length).toBe(11);
  expect(lines.at(-1)).toContain('q quit');
});

test('while the database gives no readings the last one stays, below what it waits for', () => {
  const why = 'it waits for pid 4711, inlay_owner, since 18 s (psql, on journal)';
  const well = topScreen(screen('o', 80, 20), plain);
  const lines = topScreen({ ...screen('o', 80, 20), trouble: { seconds: 1_203, why } }, plain);
  expect(lines.slice(0, 3)).toEqual(['The database has not answered for 1,203 s', why, '']);
  expect(lines.slice(3, 8)).toEqual(well.slice(0, 5));
  expect([lines.length, lines.at(-1)]).toEqual([well.length, well.at(-1)]);
  const silent = topScreen({ ...screen('o', 80), samples: [], trouble: { seconds: 3, why: null } }, plain);
  expect(silent).toEqual(['The database has not answered for 3 s', '', '', expect.stringContaining('q quit')]);
});

test('the holder of a lock is named below the sessions of the database', () => {
  const locks = [{ held: 'pid 4711, inlay_owner, since 18 s (on customers)', waiters: 3 }];
  const lines = topLines({ ...sampleAt(1), locks }, plain);
  expect(lines.at(-1)).toBe('            3 for pid 4711, inlay_owner, since 18 s (on customers)');
});

test('a sparkline ends with the newest value and is scaled to the highest', () => {
  expect(sparkline([0, 1, 2, 4, 7], 5)).toBe('▁▂▃▅█');
  expect(sparkline([9, 9, 0, null, 7], 3)).toBe('▁ █');
  expect(sparkline([0, 0], 4)).toBe('▁▁');
});

test('what top asks of the service is not counted', () => {
  const counted = (own: number, others: number) =>
    readMetrics(
      [
        `inlay_http_requests_total{method="GET",route="/metrics",status="200"} ${own}`,
        `inlay_http_requests_total{method="GET",route="/api/v1/events",status="200"} ${others}`,
        `inlay_http_request_duration_seconds_bucket{le="0.005",method="GET",route="/metrics"} ${own}`,
      ].join('\n'),
      own * 1000,
    );
  const rates = ratesBetween(counted(1, 10), counted(2, 12));
  expect(rates).toMatchObject({ perSecond: 2, p50Ms: null, busiest: [{ route: 'GET /api/v1/events', perSecond: 2 }] });
});
