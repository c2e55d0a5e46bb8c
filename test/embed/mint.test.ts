import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { insertBook } from '../../src/embed/operator-books.ts';
import { DEFAULT_SCOPES } from '../../src/operators/keys.ts';
import { startApi, type TestApi, type TestOperator } from './service.ts';

let api: TestApi;
let operator: TestOperator;

beforeAll(async () => {
  api = await startApi();
  operator = await api.newOperator();
});
afterAll(() => api.close());

const mint = (body: unknown, by: TestOperator = operator) => by.call('POST', '/api/v1/embed-sessions', { body });

describe('mint', () => {
  // contract 30.3, contract 30.5
  test('the least that is asked: defaults, a token, and only a hash of its secret kept', async () => {
    const before = Date.now();
    const { status, headers, body } = await mint({ externalUserId: 'player-1' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      sessionId: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
      token: expect.stringMatching(/^ies1\.[0-9a-f]{12}\.[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}$/),
      tokenType: 'embed_session',
      expiresAt: expect.any(String),
      expiresInSeconds: 900,
      operatorId: operator.operatorId,
      externalUserId: 'player-1',
      origin: null,
      locale: null,
      region: null,
      jurisdiction: null,
      theme: {},
      usage: { requests: 0, limit: 300, resetsAt: expect.stringMatching(/:00\.000Z$/) },
    });
    const expires = Date.parse(body.expiresAt);
    expect(expires).toBeGreaterThanOrEqual(before + 899_000);
    expect(expires).toBeLessThanOrEqual(Date.now() + 901_000);
    const [row] = await api.sql`select * from embed_sessions where session_id = ${body.sessionId}`;
    const secret = body.token.split('.')[2];
    expect(row?.['secretHash']).toEqual(createHash('sha256').update(secret).digest());
    expect(JSON.stringify(row)).not.toContain(secret);
    const customers = await api.sql`select from customers where operator_id = ${operator.operatorId}`;
    expect(customers.length).toBe(1);
  });

  // contract 30.3, contract 30.7
  test('all that can be asked comes back, and the jurisdiction is the customer’s from then on', async () => {
    const { status, body } = await mint({
      externalUserId: 'player-2',
      returnOrigin: 'https://Casino.example/lobby?a=1',
      ttlSeconds: 60,
      locale: 'pt-BR',
      region: 'br',
      jurisdiction: { country: 'br', subdivision: 'SP' },
      theme: { mode: 'dark', radius: 'soft', scale: 1.5, sound: false, '<b>': '"><script>' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      expiresInSeconds: 60,
      origin: 'https://casino.example',
      locale: 'pt-BR',
      region: 'br',
      jurisdiction: { country: 'BR', subdivision: 'SP' },
      theme: { mode: 'dark', radius: 'soft', scale: 1.5, sound: false, '<b>': '"><script>' },
    });
    expect(body).not.toHaveProperty('operatorBookId');
    const asserted = await operator.call('GET', '/api/v1/users/player-2/jurisdiction');
    expect(asserted.body).toMatchObject({
      jurisdiction: { country: 'BR', subdivision: 'SP' },
      assertedSource: 'embed_session',
    });
    await mint({ externalUserId: 'player-2' });
    const kept = await operator.call('GET', '/api/v1/users/player-2/jurisdiction');
    expect(kept.body).toEqual(asserted.body);
  });

  // contract 30.2
  test.each([
    ['no user', {}, 'externalUserId'],
    ['an empty user', { externalUserId: '' }, 'externalUserId'],
    ['a long user', { externalUserId: 'u'.repeat(201) }, 'externalUserId'],
    ['a user that is a number', { externalUserId: 7 }, 'externalUserId'],
    ['an unknown field', { externalUserId: 'u', colour: 'red' }, 'colour'],
    ['a short life', { externalUserId: 'u', ttlSeconds: 59 }, 'ttlSeconds'],
    ['a long life', { externalUserId: 'u', ttlSeconds: 3601 }, 'ttlSeconds'],
    ['half a second', { externalUserId: 'u', ttlSeconds: 60.5 }, 'ttlSeconds'],
    ['a life in words', { externalUserId: 'u', ttlSeconds: '900' }, 'ttlSeconds'],
    ['no language', { externalUserId: 'u', locale: 'e' }, 'locale'],
    ['a locale of another shape', { externalUserId: 'u', locale: 'en_GB' }, 'locale'],
    ['a long locale', { externalUserId: 'u', locale: `en${'-aaaaaaaa'.repeat(4)}` }, 'locale'],
    ['a country of one letter', { externalUserId: 'u', jurisdiction: { country: 'H' } }, 'jurisdiction'],
    ['no country', { externalUserId: 'u', jurisdiction: {} }, 'jurisdiction.country'],
    [
      'a wrong subdivision',
      { externalUserId: 'u', jurisdiction: { country: 'HR', subdivision: 'NJNJ' } },
      'jurisdiction',
    ],
    ['more jurisdiction', { externalUserId: 'u', jurisdiction: { country: 'HR', city: 'Split' } }, 'jurisdiction.city'],
    ['a theme of lists', { externalUserId: 'u', theme: { a: [] } }, 'theme.a'],
    ['a theme of null', { externalUserId: 'u', theme: { a: null } }, 'theme.a'],
    ['a long theme value', { externalUserId: 'u', theme: { a: 'x'.repeat(257) } }, 'theme.a'],
    ['a long theme key', { externalUserId: 'u', theme: { ['k'.repeat(65)]: 1 } }, `theme.${'k'.repeat(65)}`],
    [
      'too many theme keys',
      { externalUserId: 'u', theme: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, i])) },
      'theme',
    ],
    ['an array', [], ''],
    ['text', '"externalUserId"', ''],
  ])('refuses %s', async (_name, body, path) => {
    const answer = await mint(body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(answer.body.detail[0].path).toBe(path);
  });

  // contract 30.2
  test('the largest theme is accepted', async () => {
    const theme = Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`${i}`.padEnd(64, 'k'), 'v'.repeat(256)]));
    expect((await mint({ externalUserId: 'u', theme })).body.theme).toEqual(theme);
  });

  // contract 30.6
  test('bodies that are not JSON or are none', async () => {
    expect((await mint('{"externalUserId":')).body.error).toBe('invalid_json');
    expect((await mint(undefined)).body.error).toBe('invalid_json');
    expect((await mint('{"externalUserId":"u","theme":{"a":"\\u0000"}}')).body.error).toBe('invalid_request');
    expect((await mint('{"externalUserId":"u\\ud800"}')).body.error).toBe('invalid_request');
    expect((await mint('{"externalUserId":"u","theme":{"__proto__":"x"}}')).body.error).toBe('invalid_request');
  });

  // contract 30.2, contract 30.6
  test('origins and regions have codes of their own', async () => {
    for (const returnOrigin of [
      'http://casino.example',
      'https://a:b@casino.example',
      'https://*.example',
      'casino',
      '',
    ]) {
      expect(await mint({ externalUserId: 'u', returnOrigin })).toMatchObject({
        status: 400,
        body: { error: 'invalid_origin' },
      });
    }
    for (const returnOrigin of [1, null]) {
      const refused = await mint({ externalUserId: 'u', returnOrigin });
      expect([refused.status, refused.body.error], 'null').toEqual([400, 'invalid_origin']);
    }
    for (const region of ['BR', 'uk', '', 'global ', 7, null]) {
      expect(await mint({ externalUserId: 'u', region })).toMatchObject({
        status: 400,
        body: { error: 'invalid_region' },
      });
    }
    for (const region of ['global', 'ar', 'br', 'mx', 'cl', 'co', 'pe', 'us', 'eu', 'hr']) {
      expect((await mint({ externalUserId: 'u', region })).body.region).toBe(region);
    }
  });

  test('locales of the shape of BCP-47 are taken, private and registered ones, too', async () => {
    for (const locale of ['en', 'pt-BR', 'x-private', 'i-klingon', 'zh-Hant-TW']) {
      const minted = await mint({ externalUserId: 'u', locale });
      expect([minted.status, minted.body.locale]).toEqual([200, locale]);
    }
  });

  // contract 30.1
  test('three scopes together: the missing ones are named', async () => {
    const weak = await api.newOperator({}, ['markets:read', 'orders:read']);
    expect(await mint({ externalUserId: 'u' }, weak)).toMatchObject({
      status: 403,
      body: {
        error: 'insufficient_scope',
        required: ['markets:read', 'quotes:write', 'orders:write'],
        missing: ['quotes:write', 'orders:write'],
      },
    });
  });
});

describe('operator books', () => {
  let withBooks: TestOperator;
  let bookId: string;
  beforeAll(async () => {
    withBooks = await api.newOperator({ operator_book_enabled: true }, [...DEFAULT_SCOPES, 'operator_book:write']);
    bookId = (await insertBook(api.sql, withBooks.operatorId, 'House specials', ['evt_1', 'evt_2', 'evt_1']))
      .operatorBookId;
  });

  // contract 30.3, contract 30.9
  test('a book is bound and shown', async () => {
    const { status, body } = await mint({ externalUserId: 'a.B_9:x-', operatorBookId: bookId }, withBooks);
    expect(status).toBe(200);
    expect(body.operatorBookId).toBe(bookId);
  });

  // contract 30.8
  test('without the scope it is a scope error, before the shape is looked at', async () => {
    const answer = await mint({ operatorBookId: bookId });
    expect(answer).toMatchObject({
      status: 403,
      body: {
        error: 'insufficient_scope',
        required: ['markets:read', 'quotes:write', 'orders:write', 'operator_book:write'],
        missing: ['operator_book:write'],
      },
    });
    const again = await mint({ operatorBookId: bookId });
    expect(again.headers.get('ratelimit-remaining')).toBe(answer.headers.get('ratelimit-remaining'));
  });

  // contract 30.8
  test('unknown, foreign and capability off are one code', async () => {
    const scopes = [...DEFAULT_SCOPES, 'operator_book:write'];
    const other = await api.newOperator({ operator_book_enabled: true }, scopes);
    const off = await api.newOperator({}, scopes);
    const offBook = await insertBook(api.sql, off.operatorId, 'Off', ['evt_1']);
    const refused = { status: 422, body: { error: 'invalid_operator_book' } };
    expect(await mint({ externalUserId: 'u', operatorBookId: newId('bk') }, withBooks)).toMatchObject(refused);
    expect(await mint({ externalUserId: 'u', operatorBookId: '' }, withBooks)).toMatchObject(refused);
    expect(await mint({ externalUserId: 'u', operatorBookId: bookId }, other)).toMatchObject(refused);
    expect(await mint({ externalUserId: 'u', operatorBookId: offBook.operatorBookId }, off)).toMatchObject(refused);
  });

  // contract 30.8
  test('a book narrows what a user id may be', async () => {
    for (const externalUserId of ['a b', 'ü', 'a/b', 'u'.repeat(129)]) {
      expect(await mint({ externalUserId, operatorBookId: bookId }, withBooks)).toMatchObject({
        status: 422,
        body: { error: 'invalid_external_user_id' },
      });
      expect((await mint({ externalUserId }, withBooks)).status).toBe(200);
    }
    expect((await mint({ externalUserId: 'u'.repeat(128), operatorBookId: bookId }, withBooks)).status).toBe(200);
  });

  // contract 30.6
  test('refusals come in the specified order', async () => {
    const bad: Record<string, unknown> = {
      externalUserId: 'not fit',
      extra: 1,
      returnOrigin: 'http://casino.example',
      region: 'uk',
      operatorBookId: 'bk_none',
    };
    const order = [
      ['extra', 'invalid_request'],
      ['returnOrigin', 'invalid_origin'],
      ['region', 'invalid_region'],
      ['operatorBookId', 'invalid_operator_book'],
    ] as const;
    for (const [field, code] of order) {
      expect((await mint(bad, withBooks)).body.error).toBe(code);
      if (field === 'operatorBookId') {
        bad[field] = bookId;
      } else {
        delete bad[field];
      }
    }
    expect((await mint(bad, withBooks)).body.error).toBe('invalid_external_user_id');
  });
});

// contract 30.6
test('without a usable key the mint is unavailable and writes nothing', async () => {
  const keyless = await startApi({
    secrets: { current: '', previous: [] },
    database: api.database,
  });
  try {
    const poor = await keyless.newOperator();
    const answer = await mint({ externalUserId: 'unminted' }, poor);
    expect(answer).toMatchObject({ status: 503, body: { error: 'embed_unavailable' } });
    expect(answer.headers.get('retry-after')).not.toBeNull();
    const rows = await api.sql`select from customers where external_user_id = 'unminted'`;
    expect(rows.length).toBe(0);
  } finally {
    await keyless.close();
  }
});
