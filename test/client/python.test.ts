/**
 * `inlay.py`, the client in Python: nothing is done twice, numbers are exact, webhooks are verified as the specification says, and an item
 * of the feed is handed over once for each commit, wherever the program ends.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import { runProgram } from '../support/process.ts';
import { hasPython } from '../support/python-operator.ts';
import { openWorld, type World } from '../support/world.ts';

const CLIENT = join(projectRoot, 'fixtures', 'operator-python');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-python-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BEGIN = `import json, os, sys
from inlay import *
import inlay
from inlay import InlayError, NoAnswer, Refused, FeedGap, FeedReader, Service, WebhookRejected
def fails(kind, call, *args, **named):
    try:
        call(*args, **named)
    except kind as error:
        return [type(error).__name__, getattr(error, "code", None), getattr(error, "status", None), getattr(error, "request_id", None)]
    return None
`;

/** @returns what the program printed, as JSON */
async function python(program: string, env: Record<string, string> = {}) {
  const { stdout, stderr, code } = await runProgram('python3', ['-B', '-c', BEGIN + program], {
    cwd: CLIENT,
    env: { ...env, NO_PROXY: '127.0.0.1' },
  });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

interface Heard {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (status: number, error: string, headers: Record<string, string> = {}) =>
  json(status, { error, message: 'In words.' }, { 'x-request-id': 'req_1', ...headers });
const lost: Answer = (response) => response.destroy();
const badGateway: Answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
const done = json(200, { done: true });

/** A service that answers as it is told. @param answer of each request, and how often the same one was heard before */
async function served(
  answer: (request: Heard, before: number) => Answer,
  use: (url: string, heard: readonly Heard[]) => Promise<void>,
) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const { method = '', url = '', headers } = request;
    const one = { at: Date.now(), method, url, headers, body: Buffer.concat(chunks).toString() };
    const before = heard.filter((other) => nameOf(other) === nameOf(one)).length;
    heard.push(one);
    answer(one, before)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const nameOf = ({ method, url, body }: Heard) => `${method} ${url} ${body}`;
const open = (url: string) => `service = Service(${JSON.stringify(url)}, "pk_test_x", timeout=5)\n`;

/** @returns what each call failed with; they are made side by side, since they wait */
const failures = (url: string, calls: readonly string[]) =>
  python(`${open(url)}from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(20) as pool:
    print(json.dumps([one.result() for one in [${calls.map((call) => `pool.submit(fails, InlayError, ${call})`).join(', ')}]]))`);

describe.skipIf(!hasPython)('requests', () => {
  // contract 10.2
  test('an order without an answer is sent again, the same text under the same clientOrderId', async () => {
    const answers = [lost, badGateway, refusal(503, 'service_unavailable'), done];
    await served(
      (_, before) => answers[before] ?? done,
      async (url, heard) => {
        const order = '{"quoteId": "quo_1", "clientOrderId": "č-1", "maxSlippage": Decimal("0.030")}';
        expect(await python(`${open(url)}print(to_json(service.post("/orders", ${order}, user="čedo")))`)).toEqual({
          done: true,
        });
        expect(heard.length).toBe(4);
        expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
        expect(JSON.parse(heard[0]?.body ?? '')).toEqual({ quoteId: 'quo_1', clientOrderId: 'č-1', maxSlippage: 0.03 });
        expect(heard[0]?.body).toContain('0.030');
        expect(heard[0]?.url).toBe('/api/v1/orders');
        expect(heard[0]?.headers).toMatchObject({
          authorization: 'Bearer pk_test_x',
          'content-type': 'application/json',
          'x-service-user': Buffer.from('čedo').toString('latin1'),
        });
      },
    );
  });

  test('without an answer only that is sent again which cannot be done twice', async () => {
    const times = {
      'service.get, "/orders/ord_1"': 4,
      'service.put, "/users/ana/limits", {}': 4,
      'service.delete, "/embed-sessions/ses_1"': 4,
      'service.post, "/orders/ord_1/confirm-reserve"': 4,
      'service.post, "/orders/ord_1/cancel"': 4,
      'service.post, "/sandbox/resolutions", {}': 4,
      'service.post, "/webhook-deliveries/dlv_1/resend"': 4,
      'service.post, "/quotes", {}': 1,
      'service.post, "/embed-sessions", {}': 1,
      'service.post, "/funding/deposit-address", {}': 1,
      'service.post, "/orders/ord_1/anything-else"': 1,
    };
    await served(
      () => lost,
      async (url, heard) => {
        const failed = await failures(url, Object.keys(times));
        expect(new Set(failed.map(String))).toEqual(new Set(['NoAnswer,service_unreachable,,']));
        const count = (call: string) => heard.filter(({ url: path }) => call.includes(`"${path.slice(7)}"`)).length;
        expect(Object.keys(times).map((call) => [call, count(call)])).toEqual(Object.entries(times));
      },
    );
  });

  test('a temporary status is repeated for the calls of which the guide says so', async () => {
    const always = [408, 429, 500, 502, 503, 504];
    const repeated: Readonly<Record<string, readonly number[]>> = {
      'service.get, "/events"': always,
      'service.put, "/users/ana/limits", {}': always,
      'service.post, "/orders", {"clientOrderId": "1"}': always,
      'service.post, "/webhook-deliveries/dlv_1/resend"': always,
      'service.post, "/quotes", {}': [429, 503],
      'service.post, "/embed-sessions", {}': [429, 503],
      'service.post, "/sandbox/scenarios", {}': [429],
      'service.post, "/funding/deposit-address", {}': [429],
    };
    for (const status of [...always, 400, 409, 422]) {
      await served(
        () => refusal(status, status === 429 ? 'rate_limited' : 'of_a_test'),
        async (url, heard) => {
          await failures(url, Object.keys(repeated));
          const count = (call: string) => heard.filter(({ url: path }) => call.includes(`"${path.slice(7)}"`)).length;
          expect(Object.keys(repeated).map((call) => [status, call, count(call)])).toEqual(
            Object.entries(repeated).map(([call, statuses]) => [status, call, statuses.includes(status) ? 4 : 1]),
          );
        },
      );
    }
  });

  test('reports each wait before it begins', async () => {
    await served(
      (_, before) => (before === 0 ? refusal(429, 'rate_limited', { 'retry-after': '1' }) : done),
      async (url) => {
        const program = `waits = []
service = Service(${JSON.stringify(url)}, "pk_test_x", on_wait=lambda error, seconds: waits.append([error.code, 1 < seconds < 2]))
service.get("/events")
print(json.dumps(waits))`;
        expect(await python(program)).toEqual([['rate_limited', true]]);
      },
    );
  });

  test('what may have been carried out is no refusal, and a refusal is not repeated', async () => {
    const answers: readonly (readonly [Answer, readonly (string | number | null)[], number])[] = [
      [refusal(409, 'price_moved'), ['Refused', 'price_moved', 409, 'req_1'], 1],
      [refusal(404, 'unknown_order'), ['Refused', 'unknown_order', 404, 'req_1'], 1],
      [refusal(500, 'internal_error'), ['NoAnswer', 'internal_error', 500, 'req_1'], 4],
      [badGateway, ['NoAnswer', 'unexpected_answer', 502, null], 4],
      [json(200, []), ['NoAnswer', 'unexpected_answer', 200, null], 4],
      [(response) => response.end('<p>Log in</p>'), ['NoAnswer', 'unexpected_answer', 200, null], 4],
    ];
    await served(
      ({ body }) => answers[Number(JSON.parse(body).clientOrderId)]?.[0] ?? done,
      async (url, heard) => {
        const calls = answers.map((_, index) => `service.post, "/orders", {"clientOrderId": "${index}"}, user="ana"`);
        expect(await failures(url, calls)).toEqual(answers.map(([, failed]) => failed));
        const count = (index: number) =>
          heard.filter(({ body }) => JSON.parse(body).clientOrderId === `${index}`).length;
        expect(answers.map((_, index) => count(index))).toEqual(answers.map(([, , times]) => times));
      },
    );
  });

  // contract 35.8
  test('a request that was refused for the rate waits as long as it was told, whatever it is', async () => {
    const answers: Readonly<Record<string, readonly Answer[]>> = {
      '/api/v1/quotes': [refusal(429, 'rate_limited', { 'retry-after': '1' }), done],
      '/api/v1/events': [refusal(429, 'rate_limited', { 'retry-after': '600' })],
      '/api/v1/embed-sessions': [(response) => response.writeHead(429).end()],
    };
    await served(
      ({ url }, before) => answers[url]?.[before] ?? answers[url]?.at(-1) ?? done,
      async (url, heard) => {
        const calls = ['service.post, "/quotes", {}', 'service.get, "/events"', 'service.post, "/embed-sessions", {}'];
        expect(await failures(url, calls)).toEqual([
          null,
          ['Refused', 'rate_limited', 429, 'req_1'],
          ['Refused', 'rate_limited', 429, null],
        ]);
        const times = (path: string) => heard.filter((one) => one.url === path).map(({ at }) => at);
        const [first = 0, second = 0] = times('/api/v1/quotes');
        expect(second - first).toBeGreaterThanOrEqual(1000);
        expect([times('/api/v1/events').length, times('/api/v1/embed-sessions').length]).toEqual([1, 4]);
      },
    );
  });

  test('a redirect takes neither the key nor the customer to another place', async () => {
    await served(
      () => done,
      async (elsewhere, taken) => {
        const redirect =
          (status: number): Answer =>
          (response) =>
            response.writeHead(status, { location: `${elsewhere}/taken` }).end();
        await served(
          ({ url }) => redirect(Number(url.slice(-3))),
          async (url) => {
            const statuses = [301, 302, 303, 307, 308];
            const calls = statuses.flatMap((status) => [
              `service.post, "/${status}", {}, user="ana"`,
              `service.get, "/${status}"`,
            ]);
            const failed = statuses.flatMap((status) => Array(2).fill(['NoAnswer', 'unexpected_answer', status, null]));
            expect(await failures(url, calls)).toEqual(failed);
          },
        );
        expect(taken).toEqual([]);
      },
    );
  });

  test('lists are read to their end, wherever they have their cursor', async () => {
    const first = '/api/v1/events?tradable=true&limit=2&search=a+b';
    const answers: Readonly<Record<string, Answer>> = {
      [first]: json(200, { data: [1, 2], pagination: { total: 3, nextCursor: 'a+b', hasMore: true } }),
      [`${first}&cursor=a%2Bb`]: json(200, { data: [3], pagination: { total: 3, nextCursor: null, hasMore: false } }),
      '/api/v1/orders': json(200, { orders: [4], count: 1, nextCursor: 'c', hasMore: true }),
      '/api/v1/orders?cursor=c': json(200, { orders: [], count: 0, nextCursor: 'c', hasMore: false }),
      '/api/v1/categories': json(200, { data: [5], totalEvents: 1 }),
    };
    await served(
      ({ url }) => answers[url] ?? refusal(404, 'not_found'),
      async (url, heard) => {
        const events = 'service.items("/events", tradable=True, limit=2, search="a b", category=None)';
        expect(
          await python(`${open(url)}print([*${events}, *service.items("/orders"), *service.items("/categories")])`),
        ).toEqual([1, 2, 3, 4, 5]);
        expect(heard.map((one) => one.url)).toEqual(Object.keys(answers));
      },
    );
  });
});

describe.skipIf(!hasPython)('numbers', () => {
  test('are read and written as they stand in the JSON, and never pass through a float', async () => {
    const text = '{"q": 25.669291, "n": 12345678901234567890, "x": 0.1000000000000000055511151231257827}';
    const [exact, written, refused] = await python(`value = parse(${JSON.stringify(text)})
refused = [fails(TypeError, to_json, {"stake": 10.1}), fails(TypeError, to_json, Decimal("NaN")),
fails(ValueError, parse, '{"a": NaN}'), fails(ValueError, cents, "9.185"), fails(ValueError, micros, "0.0000001")]
print(json.dumps([[to_json(value), micros(value["q"]), [type(one).__name__ for one in value.values()]],
[cents("9.18"), cents("-0.01"), cents(3), dollars(918), dollars(-1), dollars(0),
to_json([True, None, "č\\"", {"a": (1, Decimal("1E+2"))}]), in_path("a/b č")], [one[0] for one in refused]]))`);
    expect(exact).toEqual([text, 25_669_291, ['Decimal', 'int', 'Decimal']]);
    expect(written).toEqual([
      918,
      -1,
      300,
      '9.18',
      '-0.01',
      '0.00',
      '[true, null, "\\u010d\\"", {"a": [1, 100]}]',
      'a%2Fb%20%C4%8D',
    ]);
    // a float, or what is no number, is refused before it is sent
    expect(refused).toEqual(['TypeError', 'TypeError', 'ValueError', 'ValueError', 'ValueError']);
  });
});

describe.skipIf(!hasPython)('webhooks', () => {
  type Delivery = readonly [secret: string, signature: string | null, body: string, now: number];
  /** @returns the event of each, or why it was refused */
  const verify = (deliveries: readonly Delivery[]) =>
    python(
      `def verified(secret, signature, body, now):
    try:
        return verify_webhook(secret, signature, body.encode(), now)
    except WebhookRejected as reason:
        return str(reason)
print(json.dumps([verified(*one) for one in json.loads(os.environ["GIVEN"])]))`,
      { GIVEN: JSON.stringify(deliveries) },
    );
  const secret = 'whsec_test';
  const body = '{"id":"evn_1"}';
  const t = 1_750_000_000;
  const given = `t=${t},v1=aad69a715081040e61f12f8a02f357dabb0d81dd27b2d13501c2ccfbc9eb3a04`;

  // contract 27.3, 27.4
  test('are accepted with the signature of the guide, for 300 seconds on both sides', async () => {
    expect(signatureHeader(secret, t, body)).toBe(given);
    const several = `t=${t}, v1=00, v1=${given.split('v1=')[1]?.toUpperCase()}`;
    const judged = await verify([
      ...[t - 300, t, t + 300].map((now) => [secret, given, body, now] as const),
      [secret, several, body, t],
      [secret, given, body, t - 301],
      [secret, given, body, t + 301],
    ]);
    const event = { id: 'evn_1' };
    const late = expect.stringContaining('too old');
    expect(judged).toEqual([event, event, event, event, late, late]);
  });

  test('are refused with another signature, body, secret or time, and without one', async () => {
    const foreign: readonly Delivery[] = [
      ['whsec_other', given, body, t],
      [secret, given, `${body} `, t],
      [secret, given.replace(`t=${t}`, `t=${t + 1}`), body, t],
      [secret, `t=${t},v1=č`, body, t],
    ];
    const malformed = [null, '', 'v1=00', `t=${t}`, 't=-1,v1=00', 't=१,v1=00', 'nonsense'];
    const judged = await verify([
      ...foreign,
      ...malformed.map((header) => [secret, header, body, t] as const),
      [secret, signatureHeader(secret, t, 'not JSON'), 'not JSON', t],
    ]);
    expect(judged).toEqual([
      ...foreign.map(() => expect.stringContaining('not that of the body')),
      ...malformed.map(() => expect.stringContaining('missing or malformed')),
      expect.stringContaining('not JSON'),
    ]);
  });
});

describe.skipIf(!hasPython)('the feed reader', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    const market = await world.openMarket('rain');
    for (const user of ['ana', 'bruno']) {
      await world.buy(market, user);
    }
    await world.resolve(market, 'YES');
  });
  afterAll(() => world.close());

  /** @param file of the state @param options further arguments of the reader */
  const reading = (file: string, program: string, options = '') =>
    python(`service = Service(${JSON.stringify(world.url)}, ${JSON.stringify(world.key)})
file = ${JSON.stringify(join(folder, file))}
def begin():
    return FeedReader(service, file${options})
def read(reader):
    return [item["sequence"] for item in reader]
reader = begin()
inlay.FEED_PAGE = 3
${program}`);

  // contract 21.5
  test('hands an item over once for each commit, also after the program has ended without one', async () => {
    // the fourth item is handed over, and the process ends before it is committed
    const ended = await reading(
      'once.json',
      `seen = []
for item in reader:
    seen.append(item["sequence"])
    if len(seen) == 4:
        print(seen, flush=True)
        os._exit(0)
    reader.commit()`,
    );
    expect(ended).toEqual([1, 2, 3, 4]);
    const [again, repeated, committed, later] = await reading(
      'once.json',
      `first, second = read(reader), read(reader)
reader.commit()
third = read(reader)
reader.commit()
print(json.dumps([first, second, third, read(begin())]))`,
    );
    expect(again.length).toBeGreaterThan(8);
    expect(again).toEqual(Array.from(again, (_, index) => index + 4));
    expect([repeated, committed, later]).toEqual([again, [], []]);
  });

  test('has the old place or the new one wherever writing it fails, and begins again from there', async () => {
    const outcomes = await reading(
      'crash.json',
      `def crash(*args, **named):
    raise SystemError("the machine stops")
def attempt(step):
    reader = begin()
    item = next(iter(reader))
    before = open(file).read() if os.path.exists(file) else None
    whole = getattr(os, step)
    setattr(os, step, crash)
    failed = fails(SystemError, reader.commit)
    setattr(os, step, whole)
    after = open(file).read() if os.path.exists(file) else None
    with open(file + ".next", "w") as torn:
        torn.write('{"cursor": "half')
    reader = begin()
    again = next(iter(reader))
    reader.commit()
    return [failed is not None, before == after, item["sequence"] == again["sequence"], again["sequence"]]
print(json.dumps([attempt(step) for step in ("open", "fdopen", "fsync", "replace")]))`,
    );
    expect(outcomes).toEqual([1, 2, 3, 4].map((sequence) => [true, true, true, sequence]));
    expect(JSON.parse(readFileSync(join(folder, 'crash.json'), 'utf8'))).toEqual({
      cursor: expect.any(String),
      sequence: 4,
      apiUrl: world.url,
      filter: { types: [], externalUserId: null },
    });
  });

  test('notices a missing item, and hands nothing over after it', async () => {
    const items = [1, 2, 4].map((sequence) => ({ sequence, cursor: `c${sequence}` }));
    await served(
      () => json(200, { items, nextCursor: 'c4', hasMore: false }),
      async (url) => {
        const read = `reader = FeedReader(service, ${JSON.stringify(join(folder, 'gap.json'))})
seen = []
def read():
    for item in reader:
        seen.append(item["sequence"])
        reader.commit()
print(json.dumps([fails(FeedGap, read)[0], seen]))`;
        expect(await python(open(url) + read)).toEqual(['FeedGap', [1, 2]]);
      },
    );
  });

  test('reads only what was asked for, and takes no file of another service or for other items', async () => {
    const outcomes = await reading(
      'filter.json',
      `items = [[item["type"], item["externalUserId"]] for item in reader]
reader.commit()
other = Service("http://127.0.0.1:9", "x")
print(json.dumps([items, read(begin()), fails(ValueError, FeedReader, service, file)[0],
fails(ValueError, FeedReader, other, file, types=["position.settled"], user="ana")[0]]))`,
      ', types=["position.settled"], user="ana"',
    );
    expect(outcomes).toEqual([[['position.settled', 'ana']], [], 'ValueError', 'ValueError']);
  });
});
