import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi, type TestOperator } from '../embed/service.ts';

let api: TestApi;
let operator: TestOperator;

beforeAll(async () => {
  api = await startApi({ variables: { INLAY_COUNTRY_HEADER: 'X-Country', INLAY_TRUSTED_PROXIES: '127.0.0.1' } });
  operator = await api.newOperator();
});
afterAll(() => api.close());

const empty = {
  jurisdiction: null,
  assertedAt: null,
  assertedSource: null,
  observedCountry: null,
  observedAt: null,
  mismatch: null,
};

describe('jurisdiction assertion', () => {
  // contract 29.2
  test('reading without an assertion: the same keys, nulls, no customer created', async () => {
    const { status, body } = await operator.call('GET', '/api/v1/users/nobody/jurisdiction');
    expect(status).toBe(200);
    expect(body).toEqual({ userId: 'nobody', ...empty });
    const rows = await api.sql`select from customers where external_user_id = 'nobody'`;
    expect(rows.length).toBe(0);
  });

  // contract 29.1
  test('PUT asserts and creates; codes come back in upper case; a later one replaces all of it', async () => {
    const path = '/api/v1/users/player-1/jurisdiction';
    const first = await operator.call('PUT', path, { body: { country: 'us', subdivision: 'nj' } });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      ...empty,
      userId: 'player-1',
      jurisdiction: { country: 'US', subdivision: 'NJ' },
      assertedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      assertedSource: 'api',
    });
    expect((await operator.call('GET', path)).body).toEqual(first.body);
    const second = await operator.call('PUT', path, { body: { country: 'HR' } });
    expect(second.body.jurisdiction).toEqual({ country: 'HR', subdivision: null });
    const third = await operator.call('PUT', path, { body: { country: 'HR', subdivision: null } });
    expect(third.body.jurisdiction).toEqual({ country: 'HR', subdivision: null });
    const changes = await api.sql`select country, subdivision, source, set_by from jurisdiction_changes
      where external_user_id = 'player-1' order by change_no`;
    expect(changes.map((change) => ({ ...change }))).toEqual([
      { country: 'US', subdivision: 'NJ', source: 'api', setBy: operator.keyId },
      { country: 'HR', subdivision: null, source: 'api', setBy: operator.keyId },
      { country: 'HR', subdivision: null, source: 'api', setBy: operator.keyId },
    ]);
  });

  // contract 29.3
  test.each([
    ['no country', {}],
    ['one letter', { country: 'H' }],
    ['three letters', { country: 'HRV' }],
    ['digits', { country: '12' }],
    ['no text', { country: 12 }],
    ['null', { country: null }],
    ['a subdivision of four characters', { country: 'HR', subdivision: 'NJNJ' }],
    ['an empty subdivision', { country: 'HR', subdivision: '' }],
    ['a subdivision that is no text', { country: 'HR', subdivision: 21 }],
  ])('refuses %s as invalid_jurisdiction', async (_name, body) => {
    const answer = await operator.call('PUT', '/api/v1/users/refused/jurisdiction', { body });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_jurisdiction' } });
    const rows = await api.sql`select from customers where external_user_id = 'refused'`;
    expect(rows.length).toBe(0);
  });

  // contract 29.3
  test('any two letters are a country, any one to three letters or digits a subdivision', async () => {
    const path = '/api/v1/users/anywhere/jurisdiction';
    for (const [country, subdivision] of [
      ['ZZ', null],
      ['UK', null],
      ['XK', null],
      ['HR', 'NJ'],
    ]) {
      const answer = await operator.call('PUT', path, { body: { country, subdivision } });
      expect([answer.status, answer.body.jurisdiction], JSON.stringify(answer.body)).toEqual([
        200,
        { country, subdivision },
      ]);
    }
    const enforced = await api.newOperator({ jurisdiction_mode: 'enforced', permitted_countries: ['GB'] });
    await enforced.call('PUT', '/api/v1/users/ann/jurisdiction', { body: { country: 'UK' } });
    const refused = await enforced.call('GET', '/api/v1/events', { headers: { 'x-service-user': 'ann' } });
    expect([refused.status, refused.body.data]).toEqual([200, []]);
  });

  test('a body that is not JSON, and the two scopes', async () => {
    const path = '/api/v1/users/refused/jurisdiction';
    expect((await operator.call('PUT', path, { body: 'HR' })).body.error).toBe('invalid_json');
    const reader = await api.newOperator({}, ['markets:read']);
    expect((await reader.call('GET', path)).status).toBe(200);
    const refused = await reader.call('PUT', path, { body: { country: 'HR' } });
    expect(refused).toMatchObject({ status: 403, body: { error: 'insufficient_scope', missing: ['orders:write'] } });
  });
});

describe('observed country', () => {
  async function embedCall(user: string, headers: Record<string, string>): Promise<void> {
    const { body } = await operator.call('POST', '/api/v1/embed-sessions', { body: { externalUserId: user } });
    const authorization = `Embed ${body.token}`;
    const { status } = await api.call('GET', '/api/embed/session', { headers: { authorization, ...headers } });
    expect(status).toBe(200);
  }
  const read = async (user: string) => (await operator.call('GET', `/api/v1/users/${user}/jurisdiction`)).body;

  // contract 29.2, contract 29.7
  test('comes from the trusted header, and a mismatch needs both halves', async () => {
    await embedCall('seen', { 'x-country': 'br', 'cf-ipcountry': 'US' });
    expect(await read('seen')).toMatchObject({
      observedCountry: 'BR',
      jurisdiction: null,
      mismatch: null,
      observedAt: expect.any(String),
    });
    await operator.call('PUT', '/api/v1/users/seen/jurisdiction', { body: { country: 'HR' } });
    expect((await read('seen')).mismatch).toBe(true);
    await embedCall('seen', { 'x-country': 'HR' });
    expect((await read('seen')).mismatch).toBe(false);
  });

  test('a header that names no country, or none, observes nothing', async () => {
    await embedCall('unseen', { 'x-country': 'T1' });
    await embedCall('unseen', {});
    expect(await read('unseen')).toMatchObject({ observedCountry: null, observedAt: null });
  });
});
