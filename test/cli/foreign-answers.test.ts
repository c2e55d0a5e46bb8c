/** The partner's commands against what is not Inlay: one clear line and exit 1, never the words of a programmer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandRunner, type RunCommand } from '../support/run-command.ts';

let run: RunCommand;
let server: Server;
let answer: RequestListener;
let url: string;
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'inlay-foreign-'));
  writeFileSync(join(folder, 'theirs.csv'), 'orderId,debit\nord_1,10.00\n');
  run = await commandRunner({
    INLAY_API_URL: url,
    INLAY_API_KEY: 'pk_test_x',
    // login keeps a profile there
    XDG_CONFIG_HOME: folder,
    NO_COLOR: '1',
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const COMMANDS: readonly string[][] = [
  ['', 'categories'],
  ['', 'quote', 'ctr_x', 'yes', '--stake', '10', '--user', 'ana'],
  ['', 'order', 'qt_x', '--client-order-id', 'c1', '--user', 'ana'],
  ['', 'buy', 'ctr_x', 'yes', '--stake', '10', '--user', 'ana', '--yes'],
  ['', 'conformance'],
  ['', 'login', '--api-key', 'pk_test_y'],
  ['events', 'list'],
  ['events', 'show', 'evt_x'],
  ['orders', 'list', '--all'],
  ['orders', 'show', 'ord_x'],
  ['orders', 'confirm-reserve', 'ord_x'],
  ['orders', 'cancel', 'ord_x', '--yes'],
  ['positions', 'list'],
  ['positions', 'show', 'pos_x'],
  ['settlements', 'list'],
  ['embed-sessions', 'mint', '--user', 'ana'],
  ['embed-sessions', 'revoke', 'ies_x', '--yes'],
  ['limits', 'get', 'ana'],
  ['limits', 'set', 'ana', '--max-wager', '1.00'],
  ['limits', 'clear', 'ana', '--yes'],
  ['jurisdiction', 'get', 'ana'],
  ['jurisdiction', 'set', 'ana', 'HR'],
  ['sandbox', 'balance', 'ana'],
  ['sandbox', 'ledger', 'ana'],
  ['sandbox', 'fund', 'ana'],
  ['sandbox', 'resolve', 'pos_x', 'win', '--yes'],
  ['sandbox/scenarios', 'list'],
  ['sandbox/scenarios', 'arm', '--fill-fraction', '0.5'],
  ['feed', 'tail'],
  ['reconciliation', 'show'],
  ['reconciliation', 'export', '--kind', 'orders'],
  ['reconciliation', 'compare', '--theirs', 'THEIRS'],
];

const json = (status: number, body: unknown): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};
const page = (status: number): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><p>Log in</p>');
  };
};
/** The outer shape of every list at once, with nothing in it that a command reads. */
const HOLLOW = Object.fromEntries(
  ['data', 'orders', 'positions', 'settlements', 'entries', 'items', 'scenarios', 'findings'].map((name) => [
    name,
    [{}],
  ]),
);

const FOREIGN: readonly (readonly [string, RequestListener, RegExp])[] = [
  ['a web page', page(200), / answered 200 with a web page, which is not an answer of Inlay\.$/],
  ['a web page of a proxy whose service is away', page(502), / answered 502 with a web page, which is not/],
  ['JSON of something else', json(200, { hello: 'world' }), / answered 200 with JSON, which is not/],
  ['a list', json(200, [1, 2]), / answered 200 with JSON, which is not/],
  ['nothing', json(200, null), / answered 200 with JSON, which is not/],
  ['another program that does not know the path', json(404, { detail: 'Not Found' }), / answered 404 with JSON/],
  ['lists of other things', json(200, { ...HOLLOW, orders: [null], entries: ['x'] }), /not an answer of Inlay|cannot/],
];

describe.each(FOREIGN)('%s', (_what, listener, line) => {
  test.each(COMMANDS.map((words) => [words.slice(0, 2).join(' ').trim(), words] as const))(
    '%s',
    async (_name, words) => {
      answer = listener;
      const [topic = '', command = '', ...argv] = words.map((word) =>
        word === 'THEIRS' ? join(folder, 'theirs.csv') : word,
      );
      const { exitCode, stdout, stderr } = await run(topic, command, ...argv);
      expect([exitCode, stdout]).toEqual([1, '']);
      const [said = '', next, ...rest] = stderr.trimEnd().split('\n');
      expect(said).toMatch(/^unexpected_answer: /);
      expect(said).toMatch(line);
      expect([next, rest]).toEqual([expect.stringContaining('Check that the URL is that of an Inlay service'), []]);
    },
  );
});

test('an answer that is found out where it is used may be a fault of the command: LOG_LEVEL=debug shows where', async () => {
  answer = json(200, { data: [{ id: 'evt_x' }], pagination: {} });
  const quiet = await run('events', 'list');
  expect(quiet.stderr).toMatch(/^unexpected_answer: .* cannot read\.\nCheck that the URL .* shows where\.\n$/);
  process.env['LOG_LEVEL'] = 'debug';
  try {
    expect((await run('events', 'list')).stderr).toContain('TypeError: ');
  } finally {
    delete process.env['LOG_LEVEL'];
  }
});

test('prices watch wants a stream', async () => {
  for (const listener of [page(200), json(200, {}), page(502)]) {
    answer = listener;
    const { exitCode, stderr } = await run('prices', 'watch', 'ctr_x', '--count', '1');
    expect([exitCode, stderr.startsWith('unexpected_answer: ')]).toEqual([1, true]);
  }
});

test('a scenario bails out at a page, and judges JSON as it is', async () => {
  const file = join(folder, 'one.yaml');
  writeFileSync(file, 'name: One\nsteps:\n  - { name: a, buy: { contract: c, side: yes, stake: 1, user: u } }\n');
  answer = page(200);
  const bailed = await run('sandbox', 'run', file);
  expect(bailed.exitCode).toBe(1);
  expect(bailed.stdout).toMatch(/Bail out! .* answered 200 with a web page/);
  answer = json(200, { hello: 1 });
  expect((await run('sandbox', 'run', file)).exitCode).toBe(0);
});

test('with --json it is one document, and an answer that breaks off is a service that does not answer', async () => {
  answer = page(200);
  const told = await run('orders', 'list', '--json');
  expect([told.exitCode, Object.keys(told.json), told.json.error]).toEqual([
    1,
    ['error', 'message'],
    'unexpected_answer',
  ]);
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"orders": [', () => response.destroy());
  };
  const cut = await run('orders', 'list');
  expect([cut.exitCode, cut.stderr.split('\n')[0]]).toEqual([1, `service_unreachable: ${url} ended its answer early.`]);
});

describe('a minute whose requests are spent', () => {
  /** Refuses every second request, and says to wait a second. */
  const sparing = (
    pages: (cursor: string | null) => unknown,
  ): { listener: RequestListener; refusals: () => number } => {
    let asked = 0;
    let refused = 0;
    return {
      refusals: () => refused,
      listener: (request, response) => {
        asked += 1;
        if (asked % 2 === 0) {
          refused += 1;
          json(429, { error: 'rate_limited', message: 'Too many requests.', retryAfterSeconds: 1 })(request, response);
          return;
        }
        json(200, pages(new URL(request.url ?? '', url).searchParams.get('cursor')))(request, response);
      },
    };
  };
  const ITEM_IDS: Readonly<Record<string, string>> = { orders: 'orderId', positions: 'positionId' };
  const paged = (name: string) => (cursor: string | null) => {
    const place = Number(cursor ?? 0);
    const isLast = place === 2;
    return {
      [name]: [{ id: `x${place}`, [ITEM_IDS[name] ?? 'id']: `x${place}` }],
      count: 1,
      hasMore: !isLast,
      nextCursor: isLast ? null : String(place + 1),
    };
  };

  test.each([
    ['orders', 'orders', 'list', '--all'],
    ['positions', 'positions', 'list', '--all'],
    ['settlements', 'settlements', 'list', '--all'],
    ['entries', 'sandbox', 'ledger', 'ana', '--all'],
  ])('%s are read to the end', async (name, topic, command, ...argv) => {
    const { listener, refusals } = sparing(paged(name));
    answer = listener;
    const { exitCode, json: read, stderr } = await run(topic, command, ...argv, '--json');
    expect([exitCode, read[name].map(({ id }: { id: string }) => id)]).toEqual([0, ['x0', 'x1', 'x2']]);
    expect([refusals(), stderr.match(/Rate limited; continuing in 1 s\./g)?.length]).toEqual([2, 2]);
  });

  test('an export and a comparison begin when they may', async () => {
    for (const argv of [
      ['export', '--kind', 'orders'],
      ['compare', '--theirs', join(folder, 'theirs.csv'), '--map', 'debit=operatorMoney.actualDebit'],
    ]) {
      let asked = 0;
      answer = (request, response) => {
        asked += 1;
        if (asked === 1) {
          // as a proxy in front would refuse it
          response.writeHead(429, { 'retry-after': '1', 'content-type': 'text/html' }).end('slow down');
          return;
        }
        const header = { kind: 'orders', format: 'csv', rows: 1, from: null, to: '2026-11-21T00:00:00Z', totals: {} };
        response.writeHead(200, { 'content-type': 'text/csv', 'x-export': JSON.stringify(header) });
        response.end('orderId,operatorMoney.actualDebit\nord_1,10.00\n');
        request.resume();
      };
      const [command = '', ...rest] = argv;
      const { exitCode, stderr } = await run('reconciliation', command, ...rest);
      expect([exitCode, asked], stderr).toEqual([0, 2]);
      expect(stderr).toContain('Rate limited; continuing in 1 s.');
    }
  });

  test('is not waited for longer than two minutes, nor where a single thing is asked for', async () => {
    answer = json(429, { error: 'rate_limited', message: 'Too many requests.', retryAfterSeconds: 900 });
    const long = await run('orders', 'list', '--all');
    expect([long.exitCode, long.stderr.split('\n')[0]]).toEqual([7, 'rate_limited: Too many requests.']);
    answer = json(429, { error: 'rate_limited', message: 'Too many requests.', retryAfterSeconds: 1 });
    expect((await run('orders', 'show', 'ord_x')).exitCode).toBe(7);
  });
});
