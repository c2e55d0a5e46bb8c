/** `inlay/client`: its answers are typed, webhooks are verified, facts of the feed are handed on once, and an operator built on it agrees with the report. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { ApiError, createClient, ServiceUnreachable } from '../../src/client/create-client.ts';
import { FeedGap, type FeedState, type FollowOptions, followFeed } from '../../src/client/follow-feed.ts';
import type { FeedItem, Quote } from '../../src/client/shapes.ts';
import { verifyWebhook, WebhookRejected } from '../../src/client/verify-webhook.ts';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import { type RunningService, startRunningService } from '../cli/running-service.ts';
import { until } from '../support/until.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let running: RunningService;
beforeAll(async () => {
  running = await startRunningService();
});
afterAll(() => running.close());

const clientOf = (apiKey = running.service.key) => createClient({ baseUrl: running.service.url, apiKey });

test('answers are typed, refusals are one error with its code and request, silence is an error of its own', async () => {
  const quote = await clientOf().post('/api/v1/quotes', {
    user: 'čedo',
    body: { marketId: running.market.contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  expectTypeOf(quote).toEqualTypeOf<Quote>();
  expect(quote.operatorMoney?.authorizationAmount).toBe('10.00');
  const refused = await clientOf('pk_test_wrong')
    .get('/api/v1/categories')
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'invalid_key', status: 401, requestId: expect.stringMatching(/^req_/) });
  const none = await clientOf()
    .get('/api/v1/orders/{id}', { path: { id: 'no/such?order' } })
    .catch((error: unknown) => error);
  expect(none).toMatchObject({ code: 'unknown_order', status: 404, retryable: false });
  expect(new ApiError(429, undefined, { error: 'rate_limited', retryAfterSeconds: 3 })).toMatchObject({
    retryable: true,
    retryAfterSeconds: 3,
  });
  // what stands between may answer in its own words
  expect([502, 403].map((status) => new ApiError(status, undefined, undefined).retryable)).toEqual([true, false]);
  const away = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'x' });
  await expect(away.get('/api/v1/categories')).rejects.toBeInstanceOf(ServiceUnreachable);
});

test('a redirect takes neither customer nor body to another origin', async () => {
  const heard: (string | undefined)[] = [];
  const elsewhere = createServer((request, response) => {
    heard.push(request.url);
    response.end('{}');
  });
  const redirecting = createServer((_request, response) => {
    const { port } = elsewhere.address() as AddressInfo;
    response.writeHead(307, { location: `http://127.0.0.1:${port}/taken` }).end();
  });
  for (const server of [elsewhere, redirecting]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const { port } = redirecting.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'pk_test_x' });
  const body = { marketId: 'ctr_x', side: 'YES', action: 'buy', stake: 10 } as const;
  await expect(client.post('/api/v1/quotes', { user: 'ana', body })).rejects.toThrow(
    `http://127.0.0.1:${port} answered 307 with a redirect, which is not an answer of Inlay.`,
  );
  expect(heard).toEqual([]);
  elsewhere.close();
  redirecting.close();
});

test('what the document does not describe does not compile', () => {
  const client = clientOf();
  // never called: the compiler is what is asked
  const wrong = () => [
    // @ts-expect-error no such path
    client.get('/api/v1/nothing'),
    // @ts-expect-error the path takes no post
    client.post('/api/v1/categories'),
    // @ts-expect-error the id is missing
    client.get('/api/v1/orders/{id}'),
    // @ts-expect-error the customer is missing
    client.post('/api/v1/quotes', { body: { marketId: 'ctr_x', side: 'YES', action: 'buy' } }),
    // @ts-expect-error a side is YES or NO
    client.post('/api/v1/quotes', { user: 'ana', body: { marketId: 'ctr_x', side: 'MAYBE', action: 'buy' } }),
    // @ts-expect-error no such parameter
    client.get('/api/v1/orders', { query: { nothing: 1 } }),
  ];
  expect(wrong).toBeTypeOf('function');
});

describe('webhooks', () => {
  const secret = 'whsec_of_a_test';
  const body = '{"id":"dlv_1","type":"order.rejected","dedupeKey":"k","createdAt":"2026-11-21T00:00:00Z","data":{}}';
  const now = new Date('2026-11-21T12:00:00Z');
  const at = (seconds: number) => signatureHeader(secret, Math.floor(now.getTime() / 1000) + seconds, body);

  test('a good one gives its event', () => {
    expect(verifyWebhook({ body, signature: at(-299), secret, now })).toMatchObject({ dedupeKey: 'k' });
  });

  test('others say why', () => {
    const reasons = [
      { signature: undefined, body },
      { signature: 'v1=1', body },
      { signature: at(-301), body },
      { signature: at(301), body },
      { signature: at(0), body: `${body} ` },
    ].map((delivery) => {
      try {
        return verifyWebhook({ ...delivery, secret, now });
      } catch (error) {
        return error instanceof WebhookRejected ? error.reason : error;
      }
    });
    expect(reasons).toEqual(['missing', 'malformed', 'too_old', 'in_the_future', 'mismatch']);
  });
});

describe('the feed', () => {
  const order = async (user: string) => {
    const bought = await running.json('buy', running.market.contractId, 'yes', '--stake', '5', '--user', user, '--yes');
    expect(bought.code).toBe(0);
  };

  test('each fact is passed on once, also if its cursor could not be stored', { tags: 'proof' }, async () => {
    await order('feed-1');
    const seen: number[] = [];
    let kept: FeedState & { sequence: number } = { cursor: null, sequence: 0 };
    const failing = followFeed(clientOf(), {
      from: kept,
      apply: () => {
        throw new Error('the disk is full');
      },
    });
    await expect(failing).rejects.toThrow('the disk is full');
    const apply = (facts: readonly { sequence: number }[], state: FeedState) => {
      seen.push(...facts.map((fact) => fact.sequence));
      kept = { cursor: state.cursor, sequence: state.sequence ?? 0 };
    };
    await followFeed(clientOf(), { from: kept, apply });
    await order('feed-2');
    // an older cursor beside the newer number: the facts between are skipped
    await followFeed(clientOf(), { from: { cursor: null, sequence: kept.sequence }, apply });
    expect(seen).toEqual(seen.map((_, index) => index + 1));
    expect(seen.length).toBe(kept.sequence);
  });

  test('a filter leaves numbers out, and a cursor alone is a place to begin', async () => {
    await order('feed-3');
    const read = async (options: Partial<FollowOptions>) => {
      const seen: FeedItem[] = [];
      const from = { cursor: null, sequence: 0 };
      const state = await followFeed(clientOf(), { from, apply: (facts) => void seen.push(...facts), ...options });
      return { seen, state };
    };
    const filtered = await read({ types: ['order.filled', 'ledger.posted'], externalUserId: 'feed-3' });
    expect([...new Set(filtered.seen.map(({ type }) => type))].sort()).toEqual(['ledger.posted', 'order.filled']);
    expect(filtered.state.sequence).toBeNull();
    const whole = await read({});
    const { cursor = null } = whole.seen[2] ?? {};
    const rest = await read({ from: { cursor, sequence: null } });
    expect(rest.seen.map(({ id }) => id)).toEqual(whole.seen.slice(3).map(({ id }) => id));
    expect(rest.state).toEqual(whole.state);
  });

  test('at the end of the feed a request waits for the next fact, and ends with the signal', async () => {
    const seen: FeedItem[] = [];
    const stop = new AbortController();
    const following = followFeed(clientOf(), {
      from: { cursor: null, sequence: 0 },
      once: false,
      // no second request would come in the time of this test
      pollMs: 600_000,
      signal: stop.signal,
      apply: (facts) => void seen.push(...facts),
    });
    await order('feed-4');
    await until(async () => expect(seen.some(({ externalUserId }) => externalUserId === 'feed-4')).toBe(true));
    const before = seen.length;
    await order('feed-5');
    await until(async () => expect(seen.length).toBeGreaterThan(before));
    stop.abort();
    expect((await following).sequence).toBe(seen.length);
  });

  test('a service that is away, or out of requests, is waited for', { tags: 'proof' }, async () => {
    const answers = [
      [503, { error: 'service_unavailable', message: 'away' }],
      [429, { error: 'rate_limited', message: 'enough', retryAfterSeconds: 1 }],
      [200, { items: [{ id: 'a', sequence: 1 }], nextCursor: 'c', hasMore: false }],
    ] as const;
    let asked = 0;
    const server = createServer((_request, response) => {
      const [status, body] = answers[Math.min(asked, answers.length - 1)] ?? [500, {}];
      asked += 1;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const waits: unknown[] = [];
    const stop = new AbortController();
    const state = await followFeed(client, {
      from: { cursor: null, sequence: 0 },
      apply: () => stop.abort(),
      once: false,
      signal: stop.signal,
      onWait: (why, seconds) => waits.push([(why as ApiError).code, seconds]),
    });
    expect(waits).toEqual([
      ['service_unavailable', 2],
      ['rate_limited', 1],
    ]);
    expect(state).toEqual({ cursor: 'c', sequence: 1 });
    asked = 0;
    const once = followFeed(client, { from: state, apply: () => {} });
    await expect(once).rejects.toMatchObject({ code: 'service_unavailable' });
    server.close();
  });

  test('a missing number stops it', async () => {
    const holes = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const items = [1, 3].map((sequence) => ({ id: `fact-${sequence}`, sequence }));
      response.end(JSON.stringify({ items, nextCursor: 'c', hasMore: false }));
    });
    await new Promise<void>((resolve) => holes.listen(0, '127.0.0.1', resolve));
    const client = createClient({ baseUrl: `http://127.0.0.1:${(holes.address() as AddressInfo).port}` });
    let applied = 0;
    const apply = () => {
      applied += 1;
    };
    const read = followFeed(client, { from: { cursor: null, sequence: 0 }, apply });
    await expect(read).rejects.toBeInstanceOf(FeedGap);
    expect(applied).toBe(0);
    holes.close();
  });
});
