/** The HTTP entry point: order of the checks, error bodies, rate headers, bad input, through real HTTP. */
import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/operators/keys.ts';
import { changeOperator } from '../../src/operators/operators.ts';
import { inOneMinute } from '../support/one-minute.ts';
import type { TestResponse } from '../support/tenant.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
});

afterAll(async () => {
  await service.close();
});

const LIMITS = '/api/v1/users/alice/limits';
const RATE_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;

function rateHeadersOf({ headers }: TestResponse): (string | null)[] {
  return RATE_HEADERS.map((name) => headers.get(name));
}

function expectRefusal(response: TestResponse, status: number, error: string): void {
  expect({ status: response.status, error: response.body?.error }).toEqual({ status, error });
  expect(typeof response.body.message).toBe('string');
  expect(response.headers.get('content-type')).toContain('application/json');
}

describe('credentials', () => {
  // contract 34.1, contract 34.2, contract 35.7
  test('no credential, another scheme, an unknown key: 401 without rate headers', async () => {
    const none = await service.request('GET', LIMITS, { key: null });
    expectRefusal(none, 401, 'missing_credentials');
    expect(rateHeadersOf(none)).toEqual([null, null, null]);
    expectRefusal(
      await service.request('GET', LIMITS, { key: null, headers: { authorization: 'Basic abc' } }),
      401,
      'missing_credentials',
    );
    expectRefusal(
      await service.request('GET', LIMITS, { key: null, headers: { authorization: 'Embed ies1.a.b.c' } }),
      401,
      'missing_credentials',
    );
    for (const key of ['nonsense', `pk_test_${'a'.repeat(40)}`, `pk_test_${'a'.repeat(4000)}`, 'pk_test_é']) {
      const unknown = await service.request('GET', LIMITS, { key: Buffer.from(key).toString('latin1') });
      expectRefusal(unknown, 401, 'invalid_key');
      expect(rateHeadersOf(unknown)).toEqual([null, null, null]);
    }
  });

  // contract 34.2
  test('a revoked key is 401 revoked_key without rate headers', async () => {
    const { apiKey, keyId } = await service.issueKey(service.operator);
    expect((await service.request('GET', LIMITS, { key: apiKey })).status).toBe(200);
    await revokeKey(service.sql, keyId);
    const revoked = await service.request('GET', LIMITS, { key: apiKey });
    expectRefusal(revoked, 401, 'revoked_key');
    expect(rateHeadersOf(revoked)).toEqual([null, null, null]);
  });

  // contract 10.11, contract 34.4
  test('a suspended operator is 403 operator_suspended, before scope and body', async () => {
    const operator = await service.createOperator({ slug: 'sleeper', status: 'suspended' });
    const { apiKey } = await service.issueKey(operator, { scopes: [] });
    const refused = await service.request('PUT', LIMITS, { key: apiKey, body: '{' });
    expectRefusal(refused, 403, 'operator_suspended');
  });

  // contract 34.9
  test('the aggregator header: self and children, never revealing whether another exists', async () => {
    const child = await service.createOperator({ slug: 'child', parent: 'demo' });
    const stranger = await service.createOperator({ slug: 'stranger' });
    const acting = (operatorId: string) =>
      service.request('GET', LIMITS, { headers: { 'x-service-operator': operatorId } });
    expect((await acting(service.operator.operatorId)).status).toBe(200);
    expect((await acting(child.operatorId)).status).toBe(200);
    const foreign = await acting(stranger.operatorId);
    const missing = await acting('op_nobody');
    expectRefusal(foreign, 403, 'operator_not_permitted');
    expect(missing.body).toEqual(foreign.body);
    await changeOperator(service.sql, 'child', { status: 'suspended' });
    expectRefusal(await acting(child.operatorId), 403, 'operator_suspended');
  });
});

test('naming an operator that the key may not act for is metered and leaves nothing behind', async () => {
  const { apiKey, keyId } = await service.issueKey(service.operator, { rateLimit: 20 });
  const name = (suffix: number) => `op_${'x'.repeat(12_000)}${suffix}`;
  const acting = (operatorId: string) =>
    service.request('GET', LIMITS, { key: apiKey, headers: { 'x-service-operator': operatorId } });
  const first = await acting(name(0));
  expectRefusal(first, 403, 'operator_not_permitted');
  expect(first.headers.get('ratelimit-limit')).toBe('20');
  const before = Number(first.headers.get('ratelimit-remaining'));
  const second = await acting('op_nobody');
  expectRefusal(second, 403, 'operator_not_permitted');
  // the wall-clock minute may roll between two calls
  expect([before - 1, 19]).toContain(Number(second.headers.get('ratelimit-remaining')));
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => acting(name(index))));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(10);
  for (const answer of refused) {
    expectRefusal(answer, 429, 'rate_limited');
  }
  await service.context.counters.flush();
  const subjects = await service.sql`select subject from rate_counters where subject like ${`k:${keyId}:%`}`;
  expect(new Set(subjects.map(({ subject }) => subject))).toEqual(
    new Set([`k:${keyId}:${service.operator.operatorId}`]),
  );
});

describe('scopes', () => {
  // contract 34.6
  test('a missing scope names what is needed and what is missing, with unconsumed rate headers', async () => {
    const { apiKey } = await service.issueKey(service.operator, { scopes: ['orders:read'], rateLimit: 9 });
    for (let again = 0; again < 2; again += 1) {
      const refused = await service.request('GET', LIMITS, { key: apiKey });
      expectRefusal(refused, 403, 'insufficient_scope');
      expect(refused.body).toMatchObject({ required: ['orders:write'], missing: ['orders:write'] });
      expect(rateHeadersOf(refused).slice(0, 2)).toEqual(['9', '9']);
    }
  });

  // contract 10.11
  test('scope comes before the body', async () => {
    const { apiKey } = await service.issueKey(service.operator, { scopes: ['orders:read'] });
    expectRefusal(await service.request('PUT', LIMITS, { key: apiKey, body: '{"bad' }), 403, 'insufficient_scope');
  });

  // contract 30.1
  test('embed sessions need three scopes together', async () => {
    const { apiKey } = await service.issueKey(service.operator, { scopes: ['orders:write'] });
    const refused = await service.request('POST', '/api/v1/embed-sessions', { key: apiKey, body: {} });
    expectRefusal(refused, 403, 'insufficient_scope');
    expect(refused.body.required.toSorted()).toEqual(['markets:read', 'orders:write', 'quotes:write']);
    expect(refused.body.missing.toSorted()).toEqual(['markets:read', 'quotes:write']);
  });
});

describe('rate limit', () => {
  // contract 35.6, contract 35.8
  test('counts down, then 429 with Retry-After, retryAfterSeconds and the headers', async () => {
    const { apiKey } = await service.issueKey(service.operator, { rateLimit: 3 });
    const refused = await inOneMinute(3, async () => {
      for (const remaining of ['2', '1', '0']) {
        const response = await service.request('GET', LIMITS, { key: apiKey });
        expect(response.status).toBe(200);
        expect(rateHeadersOf(response).slice(0, 2)).toEqual(['3', remaining]);
        expect(Number(response.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
      }
      const answer = await service.request('GET', LIMITS, { key: apiKey });
      expectRefusal(answer, 429, 'rate_limited');
      return answer;
    });
    expect(refused.body.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.body.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retryAfterSeconds));
    expect(rateHeadersOf(refused)).toEqual(['3', '0', String(refused.body.retryAfterSeconds)]);
  });
});

describe('unknown routes and methods', () => {
  // contract 36.5
  test('404 not_found and 405 method_not_allowed with Allow', async () => {
    expectRefusal(await service.request('GET', '/api/v1/nothing'), 404, 'not_found');
    expectRefusal(
      await service.request('GET', '/', { key: null, headers: { accept: 'application/json' } }),
      404,
      'not_found',
    );
    expectRefusal(await service.request('POST', '/api/v1/nothing', { body: '{' }), 404, 'not_found');
    const wrong = await service.request('PATCH', LIMITS, { body: {} });
    expectRefusal(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
    expectRefusal(await service.request('POST', '/api/health'), 405, 'method_not_allowed');
    for (const path of ['orders/ord_1', 'orders/', 'embed-sessions/ses_1', 'embed-sessions/']) {
      const answer = await service.request('POST', `/api/v1/${path}`, { body: {} });
      expectRefusal(answer, 405, 'method_not_allowed');
    }
  });

  // contract 36.5
  test('HEAD is GET without a body, and is refused where a GET changes something or streams', async () => {
    const { contractId } = await service.openMarket('head');
    for (const path of [
      '/api/v1/orders',
      '/api/v1/events',
      '/api/v1/orders/ord_none',
      '/openapi.json',
      '/api/health',
    ]) {
      const get = await service.request('GET', path);
      const head = await service.request('HEAD', path);
      expect([head.status, head.text], path).toEqual([get.status, '']);
      for (const name of ['content-type', 'etag', 'cache-control']) {
        expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name));
      }
    }
    const armed = await service.request('POST', '/api/v1/sandbox/scenarios', {
      body: { kind: 'partial_fill', fillFraction: 0.5 },
    });
    const scenarios = '/api/v1/sandbox/scenarios';
    for (const path of [
      '/api/v1/reconciliation/export?kind=feed',
      `/api/v1/stream/prices?contracts=${contractId}`,
      `${scenarios}?disarm=${armed.body.scenarioId}`,
      '/api/v1/funding/deposits/dep_1',
    ]) {
      const head = await service.request('HEAD', path);
      const methods = path.startsWith(scenarios) ? 'GET, POST' : 'GET';
      expect([head.status, head.text, head.headers.get('allow')], path).toEqual([405, '', methods]);
    }
    expect((await service.request('GET', scenarios)).body.scenarios).toHaveLength(1);
  });

  test('a broken path is 400', async () => {
    const response = await service.request('GET', '/api/v1/users/%E0%A4%A/limits');
    expectRefusal(response, 400, 'invalid_request');
    expectRefusal(await service.request('GET', '/api/v1/users/a%00b/limits'), 400, 'invalid_request');
    expectRefusal(await service.request('GET', '/api/v1/orders?externalUserId=a%00'), 400, 'invalid_request');
    expectRefusal(await service.request('GET', '/api/v1/orders?cursor=%00'), 400, 'invalid_cursor');
  });

  test('an id longer than any id is refused, not looked up', async () => {
    expectRefusal(await service.request('GET', `/api/v1/users/${'a'.repeat(201)}/limits`), 400, 'invalid_request');
    expect([400, 404, 414]).toContain(
      (await service.request('GET', `/api/v1/users/${'a'.repeat(5000)}/limits`)).status,
    );
  });
});

describe('bodies', () => {
  const put = (body: unknown, headers?: Record<string, string>) =>
    service.request('PUT', LIMITS, { body, ...(headers !== undefined && { headers }) });

  test('what is not JSON is invalid_json', async () => {
    for (const body of [
      '{',
      '{"maxWagerMinor": NaN}',
      '{"maxWagerMinor": Infinity}',
      "{'a':1}",
      '\u0000',
      '{"a":1}}',
      'null,',
    ]) {
      expectRefusal(await put(body), 400, 'invalid_json');
    }
    expectRefusal(await put(''), 400, 'invalid_json');
    expectRefusal(await put('   '), 400, 'invalid_json');
  });

  test('bytes that are no UTF-8 are not read as some other text', async () => {
    const withNote = (bytes: number[]) =>
      fetch(`${service.url}${LIMITS}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: Buffer.concat([Buffer.from('{"note": "'), Buffer.from(bytes), Buffer.from('"}')]),
      });
    for (const bytes of [[0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80]]) {
      const response = await withNote(bytes);
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'invalid_json']);
    }
    expect((await withNote([0xef, 0xbf, 0xbd])).status).toBe(200);
  });

  // contract 36.1
  test('what does not validate is invalid_request with detail', async () => {
    for (const body of ['[]', '"text"', '12', 'null', 'true']) {
      expectRefusal(await put(body), 400, 'invalid_request');
    }
    for (const amount of ['1e309', '-1e309', '-5', '1.5', '99999999999999999999999', '"7"', '{}', '0']) {
      const response = await put(`{"maxWagerMinor": ${amount}}`);
      expectRefusal(response, 400, 'invalid_request');
      expect(JSON.stringify(response.body.detail)).toContain('maxWagerMinor');
    }
  });

  test('a prototype cannot be poisoned', async () => {
    for (const body of ['{"__proto__": {"admin": true}}', '{"\\u005f_proto__": {"admin": true}}']) {
      expectRefusal(await put(body), 400, 'invalid_request');
    }
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test('text that the database cannot hold is refused, pairs are not', async () => {
    for (const note of ['a\\u0000b', '\\ud800', '\\udc00x', '\\ud83d\\u0041']) {
      expectRefusal(await put(`{"note": "${note}"}`), 400, 'invalid_request');
    }
    for (const note of ['\\ud83d\\ude00', '\\\\u0000', 'Zürich 🏔']) {
      expect((await put(`{"note": "${note}"}`)).status).toBe(200);
    }
  });

  // contract 36.5
  test('a body over 64 KB is 413, one just below is read', async () => {
    expectRefusal(await put(JSON.stringify({ note: 'x'.repeat(70_000) })), 413, 'payload_too_large');
    expectRefusal(await put(JSON.stringify({ note: 'x'.repeat(60_000) })), 400, 'invalid_request');
    expectRefusal(await put('x'.repeat(20_000_000)), 413, 'payload_too_large');
    expectRefusal(
      await service.request('PUT', LIMITS, { key: null, body: 'x'.repeat(20_000_000) }),
      401,
      'missing_credentials',
    );
    const nested = '['.repeat(30_000) + ']'.repeat(30_000);
    expectRefusal(await put(nested), 400, 'invalid_request');
  });

  test('the content type does not decide what JSON is', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json; charset=utf-8']) {
      expect((await put('{"maxWagerMinor": 100}', { 'content-type': type })).status).toBe(200);
    }
    const odd = await put('{"maxWagerMinor": 100}', { 'content-type': ';;;' });
    expect([200, 400]).toContain(odd.status);
  });

  // contract 10.11
  test('credentials come before the body', async () => {
    expectRefusal(await service.request('PUT', LIMITS, { key: null, body: '{' }), 401, 'missing_credentials');
  });
});

describe('every answer', () => {
  test('carries a request id and safe headers, and no trace of what runs it', async () => {
    const first = await service.request('GET', LIMITS);
    const second = await service.request('GET', LIMITS);
    expect(first.headers.get('x-request-id')).toMatch(/^req_/);
    expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(first.headers.get('x-powered-by')).toBeNull();
  });

  test('what is not HTTP gets a JSON error', async () => {
    const { port } = new URL(service.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write('GET / NOTHTTP\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toContain('400 Bad Request');
    expect(answer).toContain('"error":"invalid_request"');
  });

  test('headers too large are refused', async () => {
    const response = await service.request('GET', LIMITS, { headers: { 'x-large': 'x'.repeat(20_000) } });
    expect(response.status).toBe(431);
    expect(response.body.error).toBe('headers_too_large');
  });
});
