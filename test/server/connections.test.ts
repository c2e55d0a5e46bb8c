/** What one connection and one address may take: floods in one packet, answers that nobody reads, streams out of turn. */
import { readFileSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openReader } from '../stream/reader.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let contractId: string;

beforeAll(async () => {
  service = await openWorld();
  ({ contractId } = await service.openMarket('connections'));
});
afterAll(() => service.close());

interface Talk {
  readonly socket: Socket;
  /** Everything that came so far. */
  readonly text: string;
  readonly closed: boolean;
}

/** Writes everything at once. */
function talk(url: string, requests: string, localAddress = '127.0.0.1'): Talk {
  const { port } = new URL(url);
  let text = '';
  let closed = false;
  const socket = connectSocket({ port: Number(port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  socket.on('close', () => {
    closed = true;
  });
  socket.write(requests);
  return {
    socket,
    get text() {
      return text;
    },
    get closed() {
      return closed;
    },
  };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: inlay\r\n${headers}\r\n`;
const bearer = () => `authorization: Bearer ${service.key}\r\n`;

/** How long quotes take, one after the other, in milliseconds. */
async function quotesFor(ms: number): Promise<number[]> {
  const body = { marketId: contractId, side: 'YES', action: 'buy', stake: 5 };
  const taken: number[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const began = performance.now();
    const { status } = await service.request('POST', '/api/v1/quotes', { user: 'ana', body });
    expect(status).toBe(200);
    taken.push(performance.now() - began);
    await timePasses(20);
  }
  return taken.toSorted((one, other) => one - other);
}

const medianOf = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

test('pages of the frame that one client asks for in one packet hold up no quote of another', async () => {
  await quotesFor(500);
  const errors = vi.spyOn(service.context.log, 'error');
  const packet = Array.from({ length: 2_900 }, () => get('/embed/predictions?operator=demo')).join('');
  const flood = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((address) => talk(service.url, packet, address));
  const taken = await quotesFor(2_000);
  expect(medianOf(taken)).toBeLessThan(700);
  expect(errors.mock.calls).toEqual([]);
  errors.mockRestore();
  await until(
    async () => flood.filter(({ closed }) => !closed).length,
    (open) => open === 0,
  );
}, 60_000);

test('pages that many connections ask for, each for another operator, take one connection of the database', async () => {
  const flood = Array.from({ length: 200 }, (_, index) => {
    const address = `127.0.0.${20 + (index % 4)}`;
    const pages = Array.from({ length: 40 }, (_page, page) => get(`/embed/predictions?operator=none-${index}-${page}`));
    return talk(service.url, pages.join(''), address);
  });
  const busy: number[] = [];
  const looking = (async () => {
    while (flood.some(({ text }) => text.split('Unknown operator').length <= 40)) {
      const [row] = await service.sql<[{ count: number }]>`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%from operators o%' and pid <> pg_backend_pid()`;
      busy.push(row.count);
      await timePasses(5);
    }
  })();
  const taken = await quotesFor(2_000);
  await looking;
  expect(busy.length).toBeGreaterThan(0);
  expect(Math.max(...busy)).toBeLessThanOrEqual(1);
  expect(medianOf(taken)).toBeLessThan(1_000);
  for (const { socket } of flood) {
    socket.destroy();
  }
}, 60_000);

test('a price stream begins when the answers before it on its connection are sent, and nothing follows it', async () => {
  const stream = `/api/v1/stream/prices?contracts=${contractId}`;
  const heard = talk(
    service.url,
    [get('/api/v1/reconciliation', bearer()), get(stream), get(stream), get('/api/health')].join(''),
  );
  await until(
    async () => heard.text,
    (text) => text.includes('event: snapshot'),
  );
  await timePasses(500);
  const heads = heard.text.split('HTTP/1.1 200 OK').slice(1);
  expect(heads).toHaveLength(2);
  expect(heads[0]).toContain('"trialBalance"');
  expect(heads[0]).not.toContain('event:');
  expect(heads[1]).toContain('text/event-stream');
  heard.socket.destroy();
});

// contract 35.11
test('an answer that nobody reads for 30 s ends its connection, and a stream that is read goes on', async () => {
  const answers = Array.from({ length: 10 }, (_, index) =>
    talk(service.url, get('/openapi.json').repeat(30), `127.0.0.${30 + index}`),
  );
  for (const { socket } of answers) {
    socket.pause();
  }
  const reader = await openReader(service.url, `/api/v1/stream/prices?contracts=${contractId}`);
  // the client notices the end of a connection only when it reads what came before, so the system is asked
  await until(
    async () => answers.filter(({ socket }) => isOpenAtServer(socket)).length,
    (left) => left === 0,
    75_000,
  );
  for (const { socket } of answers) {
    socket.resume();
  }
  await until(
    async () => answers.filter(({ closed }) => !closed).length,
    (left) => left === 0,
  );
  expect(answers.every(({ text }) => text.split('HTTP/1.1 200 OK').length - 1 < 30)).toBe(true);
  expect(reader.ended).toBe(false);
  reader.close();
}, 150_000);

const ESTABLISHED = '01';

/** Whether the other end of a client's connection is established, as Linux lists it. */
function isOpenAtServer({ localPort, remotePort }: Socket): boolean {
  const portOf = (address = '') => Number.parseInt(address.split(':').at(-1) ?? '', 16);
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((list) => readFileSync(list, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .some(
      ([, local, remote, state]) =>
        portOf(local) === remotePort && portOf(remote) === localPort && state === ESTABLISHED,
    );
}

// contract 35.11
test('one address has a tenth of the connections, and everybody else is served', async () => {
  const small = await openWorld({
    database: service.database,
    environment: { INLAY_HTTP_CONNECTIONS: '60' },
  });
  const held = Array.from({ length: 60 }, () => talk(small.url, '', '127.0.0.9'));
  await until(
    async () => held.filter(({ closed }) => !closed).length,
    (open) => open === 6,
  );
  expect((await small.request('GET', '/api/health', { key: null })).status).toBe(200);
  held.find(({ closed }) => !closed)?.socket.destroy();
  await until(
    async () => {
      const again = talk(small.url, get('/api/health'), '127.0.0.9');
      await timePasses(100);
      again.socket.destroy();
      return again.text;
    },
    (text) => text.startsWith('HTTP/1.1 200'),
  );
  for (const { socket } of held) {
    socket.destroy();
  }
  await small.close();
});

// contract 35.11
test('the connections of a trusted proxy are not those of one client', async () => {
  const behind = await openWorld({
    database: service.database,
    environment: { INLAY_HTTP_CONNECTIONS: '60', INLAY_TRUSTED_PROXIES: '127.0.0.9' },
  });
  const held = Array.from({ length: 30 }, () => talk(behind.url, get('/api/health'), '127.0.0.9'));
  await until(
    async () => held.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length,
    (answered) => answered === 30,
  );
  for (const { socket } of held) {
    socket.destroy();
  }
  await behind.close();
});

test('a request without Host, and one with an expectation that nobody meets, are refused with a JSON body', async () => {
  const answerTo = (request: string) => {
    const heard = talk(service.url, request);
    return until(
      async () => heard.text,
      (text) => text.endsWith('}'),
    );
  };
  const missing = await answerTo('GET /api/health HTTP/1.1\r\n\r\n');
  expect(missing).toMatch(/^HTTP\/1\.1 400 .*application\/json.*\{"error":"invalid_request","message":"[^"]+"\}$/s);
  const unmet = await answerTo(get('/api/health', 'expect: a miracle\r\n'));
  expect(unmet).toMatch(/^HTTP\/1\.1 400 .*application\/json.*\{"error":"invalid_request","message":"[^"]+"\}$/s);
  expect(await answerTo('GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that asks before it sends a body is told to go on after its key was checked', async () => {
  const ask = (key: string) =>
    talk(
      service.url,
      `PUT /api/v1/users/u/limits HTTP/1.1\r\nhost: inlay\r\nauthorization: Bearer ${key}\r\ncontent-length: 22\r\nexpect: 100-continue\r\n\r\n`,
    );
  const unknown = ask('pk_test_0000000000000000000000000000000000000000');
  await until(
    async () => unknown.text,
    (text) => text.includes('invalid_key'),
  );
  expect(unknown.text).toMatch(/^HTTP\/1\.1 401 /);
  const good = ask(service.key);
  await until(
    async () => good.text,
    (text) => text.startsWith('HTTP/1.1 100 Continue'),
  );
  good.socket.write('{"maxWagerMinor":5000}');
  await until(
    async () => good.text,
    (text) => text.includes('HTTP/1.1 200'),
  );
  for (const { socket } of [unknown, good]) {
    socket.destroy();
  }
});
