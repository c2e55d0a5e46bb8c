import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetEndedSessions } from '../../src/embed/sessions.ts';
import { inOneMinute } from '../support/one-minute.ts';
import { startApi, type TestApi, type TestOperator } from './service.ts';

const SECRETS = { current: 'the secret of these tests', previous: [] };
const SESSION = '/api/embed/session';

let api: TestApi;
let operator: TestOperator;

beforeAll(async () => {
  api = await startApi({ secrets: SECRETS });
  operator = await api.newOperator({ presentation: { mode: 'dark' } as never });
});
afterAll(() => api.close());

async function mint(extra: Record<string, unknown> = {}, by: TestOperator = operator) {
  const body = { externalUserId: 'player', ...extra };
  return (await by.call('POST', '/api/v1/embed-sessions', { body })).body;
}

const present = (token: string, headers: Record<string, string> = {}, method = 'GET', at: TestApi = api) =>
  at.call(method, SESSION, { headers: { authorization: `Embed ${token}`, ...headers } });

describe('a session at work', () => {
  // contract 30.4
  test('reads itself, without its token', async () => {
    const minted = await mint({ locale: 'es', theme: { accent: '#0a0' } });
    const { status, headers, body } = await present(minted.token);
    expect(status).toBe(200);
    const { token, tokenType, expiresInSeconds, usage, ...facts } = minted;
    expect(body).toMatchObject({ ...facts, operator: { mode: 'sandbox', presentation: { mode: 'dark' } } });
    expect(body).not.toHaveProperty('token');
    expect(body.expiresInSeconds).toBeLessThanOrEqual(900);
    expect(body.usage).toMatchObject({ requests: 1, limit: 300 });
    expect(body.displayRates).toEqual([{ currency: 'USD', rate: 1, setAt: null }]);
    expect(headers.get('ratelimit-limit')).toBe('300');
    expect((await present(minted.token)).body.usage.requests).toBe(2);
  });

  // contract 30.11
  test('no credentials, another scheme, and an API key are not a token', async () => {
    expect((await api.call('GET', SESSION)).body.error).toBe('missing_credentials');
    const { token } = await mint();
    const bearer = await api.call('GET', SESSION, { headers: { authorization: `Bearer ${token}` } });
    expect(bearer).toMatchObject({ status: 401, body: { error: 'missing_credentials' } });
    expect(await present(operator.apiKey)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const partner = await api.call('GET', '/api/v1/users/x/limits', { headers: { authorization: `Bearer ${token}` } });
    expect(partner).toMatchObject({ status: 401, body: { error: 'invalid_key' } });
  });

  test('a changed token is refused, whichever part was changed', async () => {
    const { token } = await mint();
    for (let index = 0; index < token.length; index += 7) {
      const letter = token[index] === 'A' ? 'B' : 'A';
      const answer = await present(token.slice(0, index) + letter + token.slice(index + 1));
      expect(answer, `place ${index}`).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    }
  });

  // contract 30.11
  test('a token in a query string is refused, in the header or not', async () => {
    const { token } = await mint();
    const authorization = `Embed ${token}`;
    for (const query of [
      `?token=${token}`,
      '?token=',
      '?Token=x',
      '?tok%65n=x',
      `?a=${token}`,
      `?x=1&access_token=y`,
    ]) {
      const answer = await api.call('GET', `${SESSION}${query}`, { headers: { authorization } });
      expect(answer, query).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expect((await api.call('GET', `${SESSION}${query}`)).status).toBe(400);
    }
    expect((await api.call('GET', `${SESSION}?search=series1.5`, { headers: { authorization } })).status).toBe(200);
  });

  // contract 30.12
  test('an expired session', async () => {
    const { token, sessionId } = await mint();
    await api.sql`update embed_sessions set created_at = now() - interval '2 h', expires_at = now() - interval '1 s'
      where session_id = ${sessionId}`;
    expect(await present(token)).toMatchObject({ status: 401, body: { error: 'session_expired' } });
  });

  test('is remembered as expired for a week, then forgotten', async () => {
    const [recent, old] = [await mint(), await mint()];
    const age = (id: string, span: string) => api.sql`update embed_sessions
      set created_at = now() - interval '30 days', expires_at = now() - ${span}::interval where session_id = ${id}`;
    await age(recent.sessionId, '6 days');
    await age(old.sessionId, '8 days');
    expect(await forgetEndedSessions(api.sql)).toBe(1);
    expect((await present(recent.token)).body.error).toBe('session_expired');
    expect((await present(old.token)).body.error).toBe('invalid_token');
  });

  // contract 28.12
  test('a suspended customer and a suspended operator', async () => {
    const other = await api.newOperator();
    const { token } = await mint({}, other);
    await api.sql`update customers set status = 'suspended' where operator_id = ${other.operatorId}`;
    expect(await present(token)).toMatchObject({ status: 403, body: { error: 'user_suspended' } });
    await api.sql`update operators set status = 'suspended' where operator_id = ${other.operatorId}`;
    expect(await present(token)).toMatchObject({ status: 403, body: { error: 'operator_suspended' } });
  });

  test('a rotated secret keeps sessions until it is taken away', async () => {
    const { token } = await mint();
    const { database } = api;
    const rotated = await startApi({ secrets: { current: 'a newer secret', previous: [SECRETS.current] }, database });
    const forgotten = await startApi({ secrets: { current: 'a newer secret', previous: [] }, database });
    try {
      expect((await present(token, {}, 'GET', rotated)).status).toBe(200);
      expect((await present(token, {}, 'GET', forgotten)).body.error).toBe('invalid_token');
    } finally {
      await rotated.close();
      await forgotten.close();
    }
  });
});

describe('revocation', () => {
  const revoke = (id: string, by: TestOperator = operator) => by.call('DELETE', `/api/v1/embed-sessions/${id}`);

  // contract 30.10, contract 30.12
  test('ends the session at once, answers the same on repeat', async () => {
    const { token, sessionId } = await mint();
    expect((await present(token)).status).toBe(200);
    const first = await revoke(sessionId);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ sessionId, revokedAt: expect.stringMatching(/Z$/) });
    expect(await present(token)).toMatchObject({ status: 401, body: { error: 'session_revoked' } });
    expect((await revoke(sessionId)).body).toEqual(first.body);
    const raced = await mint();
    const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(raced.sessionId)));
    expect(new Set(answers.map(({ body }) => body.revokedAt)).size).toBe(1);
  });

  // contract 30.10
  test('an unknown and a foreign session are the same', async () => {
    const { token, sessionId } = await mint();
    const other = await api.newOperator();
    const foreign = await revoke(sessionId, other);
    expect(foreign).toMatchObject({ status: 404, body: { error: 'session_not_found' } });
    for (const id of ['ses_none', 'a'.repeat(300)]) {
      expect((await revoke(id)).body).toEqual(foreign.body);
    }
    expect((await present(token)).status).toBe(200);
    const reader = await api.newOperator({}, ['markets:read']);
    expect((await revoke(sessionId, reader)).body.error).toBe('insufficient_scope');
  });
});

describe('origin binding', () => {
  // contract 30.13
  test('the bound origin, the service and reads without an origin; no other origin', async () => {
    const { token } = await mint({ returnOrigin: 'https://casino.example' });
    const bound = await present(token, { origin: 'https://casino.example' });
    expect(bound.status).toBe(200);
    expect(bound.headers.get('access-control-allow-origin')).toBe('https://casino.example');
    expect((await present(token)).status).toBe(200);
    expect((await present(token, { origin: api.url })).status).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'http://casino.example', 'https://casino.example:444']) {
      const answer = await present(token, { origin });
      expect(answer, origin).toMatchObject({ status: 403, body: { error: 'origin_not_allowed' } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('the own origin is the configured one, whatever Host says', async () => {
    const { token } = await mint({ returnOrigin: 'https://casino.example' });
    const { hostname, port } = new URL(api.url);
    const callAs = (to: string, host: string, origin: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host, origin, authorization: `Embed ${token}` };
        const call = httpRequest({ hostname, port: to, path: SESSION, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        call.on('error', reject);
        call.end();
      });
    // a page that rebinds its name to our address names itself in both headers
    expect(await callAs(port, 'evil.example', 'https://evil.example')).toBe(403);
    expect(await callAs(port, `evil.example:${port}`, `http://evil.example:${port}`)).toBe(403);
    expect(await callAs(port, 'evil.example', api.url)).toBe(200);
    expect(await callAs(port, 'markets.example', 'https://markets.example')).toBe(403);
    const { database } = api;
    const variables = { INLAY_PUBLIC_URL: 'https://markets.example/embed, https://second.example' };
    const configured = await startApi({ database, variables, secrets: SECRETS });
    const other = new URL(configured.url).port;
    expect(await callAs(other, 'anything.example', 'https://markets.example')).toBe(200);
    expect(await callAs(other, 'anything.example', 'https://second.example')).toBe(200);
    expect(await callAs(other, 'anything.example', 'https://evil.example')).toBe(403);
    await configured.close();
  });

  test('a preflight says what may be sent, and an unbound session accepts any origin', async () => {
    const preflight = await api.call('OPTIONS', SESSION, { headers: { origin: 'https://casino.example' } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const { token } = await mint();
    expect((await present(token, { origin: 'https://anyone.example' })).status).toBe(200);
  });
});

describe('rates', () => {
  // contract 35.4
  test('300 a minute and no more, each session for itself', async () => {
    const [first, second] = [await mint(), await mint()];
    await inOneMinute(8, async () => {
      const answers = await Promise.all(Array.from({ length: 310 }, () => present(first.token)));
      expect(answers.filter(({ status }) => status === 200).length).toBe(300);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBe(10);
      expect(refused[0]?.body).toMatchObject({ error: 'rate_limited', retryAfterSeconds: expect.any(Number) });
      expect(refused[0]?.headers.get('retry-after')).toBe(String(refused[0]?.body.retryAfterSeconds));
      expect((await present(second.token)).status).toBe(200);
    });
  });

  // contract 35.4, contract 35.8
  test('the tenant ceiling holds over sessions and keys, and a child spends its holder’s', async () => {
    const holder = await api.newOperator({ rate_ceiling: 20 });
    const child = await api.newOperator({ parent_id: holder.operatorId });
    const asChild = { headers: { 'x-service-operator': child.operatorId } };
    await inOneMinute(8, async () => {
      const minted = await holder.call('POST', '/api/v1/embed-sessions', { ...asChild, body: { externalUserId: 'u' } });
      expect(minted.body.operatorId).toBe(child.operatorId);
      const answers = await Promise.all(Array.from({ length: 30 }, () => present(minted.body.token)));
      expect(answers.filter(({ status }) => status === 200).length).toBe(19);
      const byKey = await holder.call('GET', '/api/v1/users/u/jurisdiction');
      expect(byKey).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    });
  });

  test('a refused token counts against nothing', async () => {
    const minted = await mint();
    await present(`${minted.token}x`);
    await present(minted.token, { origin: 'https://anyone.example' });
    expect((await present(minted.token)).body.usage.requests).toBe(2);
  });
});

test('no token and no secret is ever logged or shown in an error', async () => {
  const { token, sessionId } = await mint();
  const [, , secret, mac] = token.split('.');
  await present(token);
  await api.call('GET', `${SESSION}?token=${token}`);
  const answers = [await present(`${token}x`), await present(token, { origin: 'null' })];
  await operator.call('DELETE', `/api/v1/embed-sessions/${sessionId}`);
  answers.push(await present(token), await api.call('GET', `${SESSION}?token=${token}`));
  const text = api.logged.join('\n') + JSON.stringify(answers.map(({ body }) => body));
  expect(api.logged.length).toBeGreaterThan(0);
  for (const hidden of [secret, mac, SECRETS.current, operator.apiKey]) {
    expect(text).not.toContain(hidden);
  }
});
