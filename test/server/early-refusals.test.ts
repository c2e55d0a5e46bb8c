/** Quotes that would come too late are refused before the framework sees them, as the framework would refuse them. A real queue, held up by a real lock. */
import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deadlineOf } from '../../src/core/batching/deadline.ts';
import { createClientAddress } from '../../src/core/net/client-address.ts';
import { buildApp } from '../../src/server/app.ts';
import type { Api } from '../../src/server/http/api.ts';
import { listen, type RunningServer } from '../../src/server/listen.ts';
import { seedMarket } from '../support/market.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const QUOTES = '/api/v1/quotes';
/** A query string, which these routes ignore: the framework refuses such a request. */
const THROUGH_FRAMEWORK = `${QUOTES}?through=framework`;
/** Twice what one statement of quotes takes, and two run at once. */
const FILLING = 256;

let service: TestService;
let owner: pg.Client;
let app: Api;
let server: RunningServer;
let quote: string;
/** Requests that the framework has answered. */
let seen = 0;

async function startServer(): Promise<void> {
  app = await buildApp(service.context);
  app.addHook('onSend', async () => {
    seen += 1;
  });
  server = await listen(app, '127.0.0.1', 0);
  // the process knows the key from then on
  expect((await post(QUOTES)).status).toBe(200);
}

beforeAll(async () => {
  service = await startTestService({ environment: { INLAY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  const { contractId } = await seedMarket(service.sql, 'early');
  await service.context.board.refresh();
  quote = JSON.stringify({ marketId: contractId, side: 'YES', action: 'buy', stake: 5 });
  await startServer();
});
afterAll(async () => {
  await server.close();
  await owner.end();
  await service.close();
});

function post(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'x-service-user': 'ana', ...headers },
    body: quote,
  });
}

/** Does the work while nobody gets a quote and more wait than one statement takes. */
async function whileOverloaded(work: () => Promise<void>): Promise<void> {
  const { operator, context } = service;
  const waiting: Promise<unknown>[] = [];
  await owner.query('begin');
  await owner.query('lock table quotes in access exclusive mode');
  try {
    await until(
      async () => {
        for (let count = 0; count < FILLING; count += 1) {
          const user = `u${waiting.length}`;
          waiting.push(service.request('POST', QUOTES, { user, body: JSON.parse(quote) }));
        }
        // those that are on their way count too, until the statements that wait have taken them
        await new Promise((resolve) => setTimeout(resolve, 200));
        return context.trading.retryAfter(
          'quotes',
          operator.operatorId,
          deadlineOf(performance.now(), performance.now()),
        );
      },
      (seconds) => seconds !== undefined,
    );
    await work();
  } finally {
    await owner.query('rollback');
    await Promise.all(waiting);
  }
}

async function facts(response: Response) {
  const { date, 'x-request-id': id, ...headers } = Object.fromEntries(response.headers);
  expect(Date.parse(date ?? '')).toBeGreaterThan(0);
  return { status: response.status, id, headers, text: await response.text() };
}

async function counted(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split('\n').find((one) => /^inlay_http_requests_total\{.*quotes",status="503"/.test(one));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('the answer, the log line and the count are those of the framework, which does not see the request', async () => {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(service.context.log, 'isLevelEnabled').mockReturnValue(true);
  vi.spyOn(service.context.log, 'info').mockImplementation((line: unknown) => {
    lines.push(line as Record<string, unknown>);
  });
  const headers = {
    'x-forwarded-for': '198.51.100.9, 203.0.113.5, 10.1.2.3',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  await whileOverloaded(async () => {
    const [countBefore, seenBefore] = [await counted(), seen];
    const early = await facts(await post(QUOTES, headers));
    expect(seen).toBe(seenBefore);
    const late = await facts(await post(THROUGH_FRAMEWORK, headers));
    expect(seen).toBe(seenBefore + 1);
    const { id, ...answer } = early;
    const { retryAfterSeconds } = JSON.parse(answer.text);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': String(retryAfterSeconds) } });
    expect(answer).toEqual({ status: late.status, headers: late.headers, text: late.text });
    expect([id?.slice(0, -6), id === late.id]).toEqual([late.id?.slice(0, -6), false]);
    const [line, other] = [id, late.id].map((one) => lines.find((line) => line['id'] === one));
    expect(line).toMatchObject({ id, address: '203.0.113.5', status: 503, trace: headers.traceparent.slice(3, 35) });
    expect(line).toEqual({ ...other, id, ms: line?.['ms'] });
    expect(await counted()).toBe(countBefore + 2);
  });
  vi.restoreAllMocks();
  expect((await post(QUOTES)).status).toBe(200);
}, 30_000);

/** Sends the parts of requests one after the other on one connection, each when as many answers have come as stand before it. */
async function converse(parts: readonly [answersBefore: number, text: string][], answers: number): Promise<string[]> {
  const socket: Socket = connectSocket(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (bytes) => {
    received += String(bytes);
  });
  const heard = () => received.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(-3)) ?? [];
  for (const [before, text] of parts) {
    await until(heard, (statuses) => statuses.length >= before, 4_000);
    socket.write(text);
  }
  await until(heard, (statuses) => statuses.length >= answers, 4_000);
  socket.destroy();
  return heard();
}

const head = (lines: string) =>
  `POST ${QUOTES} HTTP/1.1\r\nhost: inlay\r\nauthorization: Bearer ${service.key}\r\nx-service-user: ana\r\n${lines}\r\n`;
const NEXT = 'GET /unknown HTTP/1.1\r\nhost: inlay\r\n\r\n';

test('a connection goes on after a refusal, whatever body is sent with it, but not if the body waits to be asked for', async () => {
  const whole = `${head(`content-length: ${quote.length}\r\n`)}${quote}`;
  const large = 'x'.repeat(200_000);
  await whileOverloaded(async () => {
    const seenBefore = seen;
    // pipelined: the answers come in the order of the requests
    expect(await converse([[0, NEXT + whole + whole + NEXT]], 4)).toEqual(['404', '503', '503', '404']);
    // a body that arrives after its refusal
    const slow = head(`content-length: ${large.length}\r\n`) + large.slice(0, 10);
    expect(
      await converse(
        [
          [0, slow],
          [1, large.slice(10)],
          [1, NEXT],
        ],
        2,
      ),
    ).toEqual(['503', '404']);
    const chunked = `${head('transfer-encoding: chunked\r\n')}5\r\n{"mar`;
    expect(
      await converse(
        [
          [0, chunked],
          [1, '\r\n3\r\nket\r\n0\r\n\r\n'],
          [1, NEXT],
        ],
        2,
      ),
    ).toEqual(['503', '404']);
    const expecting = head(`content-length: ${quote.length}\r\nexpect: 100-continue\r\n`);
    // its body was not asked for, so the connection ends instead
    expect(await converse([[0, expecting]], 1)).toEqual(['503']);
    expect(seen).toBe(seenBefore + 4);
  });
}, 30_000);

test('what is refused for another reason keeps that reason', async () => {
  const cases: [Record<string, string>, number, string][] = [
    [{ authorization: '' }, 401, 'missing_credentials'],
    [{ authorization: 'Bearer nonsense' }, 401, 'invalid_key'],
    [{ authorization: `Bearer pk_test_${'0'.repeat(40)}` }, 401, 'invalid_key'],
    [{ 'x-service-operator': 'op_of_somebody' }, 403, 'operator_not_permitted'],
  ];
  await whileOverloaded(async () => {
    for (const [headers, status, error] of cases) {
      const answer = await post(QUOTES, headers);
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([status, error]);
    }
    const repeated = head(`x-service-user: ben\r\ncontent-length: ${quote.length}\r\n`) + quote;
    expect(await converse([[0, repeated]], 1)).toEqual(['400']);
    expect((await fetch(server.url + QUOTES)).status).toBe(405);
  });
}, 30_000);

test('a process that stops leaves refusals to the framework', async () => {
  await whileOverloaded(async () => {
    const closed = server.close(1_000);
    const seenBefore = seen;
    const { status } = await post(QUOTES);
    expect([status, seen]).toEqual([503, seenBefore + 1]);
    await closed;
  });
  await startServer();
}, 30_000);

test('the address of a client is the first from the end that is no trusted proxy', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', 'fd00::/8']);
  expect(addressOf('10.0.0.1', '198.51.100.1, 203.0.113.1 ,10.9.9.9')).toBe('203.0.113.1');
  expect(addressOf('::ffff:10.0.0.1', '10.1.1.1,, fd00::1')).toBe('10.1.1.1');
  expect(addressOf('192.0.2.1', '203.0.113.1')).toBe('192.0.2.1');
  expect(addressOf('10.0.0.1', undefined)).toBe('10.0.0.1');
  expect(createClientAddress([])('192.0.2.1', '203.0.113.1')).toBe('192.0.2.1');
});
