/** What the door makes of whatever a handler throws, and the checks of routes that no other test reaches: on routes of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { refuse } from '../../src/core/errors.ts';
import { buildApp } from '../../src/server/app.ts';
import type { Api } from '../../src/server/http/api.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let app: Api;

beforeAll(async () => {
  service = await openWorld();
  app = await buildApp(service.context);
  const open = { auth: 'none' } as const;
  app.get('/throws', { config: open }, async () => {
    throw new Error('select secret from kalshi_credentials');
  });
  app.get('/throws-nothing', { config: open }, async () => {
    throw undefined;
  });
  app.get('/broken-query', { config: open }, async () => service.context.sql`select nonsense from nowhere`);
  app.get('/unstorable', { config: open }, async () => service.context.sql`select ${'1e999999'}::integer`);
  app.get('/refuses', { config: open }, async () => {
    throw refuse('quote_already_used', undefined, { orderId: 'ord_1' });
  });
  app.get('/bytes', { config: open }, async (_request, reply) =>
    reply.type('application/json').send(Buffer.from('{"a":1}')),
  );
  app.route({
    method: 'POST',
    url: '/sandbox-thing',
    config: {
      auth: 'key',
      scopes: ['orders:write'],
      sandboxOnly: true,
      userHeader: true,
      invalidBody: 'scenario_invalid',
    },
    schema: { body: z.object({ kind: z.literal('partial_fill') }) },
    handler: async () => ({ done: true }),
  });
  app.route({
    method: 'POST',
    url: '/described',
    config: open,
    schema: {
      body: z
        .object({
          place: z.object({ country: z.string() }),
          slippage: z.number().min(0).lt(1),
          side: z.enum(['YES', 'NO']),
          seconds: z.int().min(60).max(3600),
          name: z.string().min(1).max(3),
          locale: z.string().regex(/^[a-z]{2}$/, 'two letters'),
          ids: z.union([z.string(), z.array(z.string())]),
          theme: z.record(z.string().max(2), z.string()),
        })
        .refine(({ name }) => name !== 'two', 'exactly one of name and place'),
    },
    handler: async () => ({ done: true }),
  });
  app.route({
    method: 'POST',
    url: '/optional-body',
    config: open,
    schema: { body: z.strictObject({ note: z.string().optional() }).optional() },
    handler: async ({ body }) => ({ body: body ?? null }),
  });
  await app.ready();
});

afterAll(async () => {
  await app.close();
  await service.close();
});

const get = (url: string) => app.inject({ method: 'GET', url });

// contract 36.4
test('an unexpected error is 500 internal_error, without details', async () => {
  for (const url of ['/throws', '/throws-nothing', '/broken-query']) {
    const response = await get(url);
    expect(response.statusCode, url).toBe(500);
    expect(response.json(), url).toEqual({ error: 'internal_error', message: expect.any(String) });
    expect(response.body).not.toMatch(/select|secret|kalshi|nowhere|at .*\.ts/);
  }
});

test('a value that no schema caught and the database refuses is 400', async () => {
  const response = await get('/unstorable');
  expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_request']);
});

// contract 36.1
test('a refusal carries its status, code, message and fields', async () => {
  const response = await get('/refuses');
  expect(response.statusCode).toBe(409);
  expect(response.json()).toEqual({ error: 'quote_already_used', message: expect.any(String), orderId: 'ord_1' });
});

test('ready bytes pass as they are', async () => {
  expect((await get('/bytes')).body).toBe('{"a":1}');
});

// contract 10.11, contract 32.1, contract 35.7
test('sandbox_only comes after scope and rate, before user header and body; it consumes and shows no budget', async () => {
  const { apiKey, keyId } = await service.issueKey(service.liveOperator);
  const post = (key: string, headers: Record<string, string> = {}, payload = '{') =>
    app.inject({
      method: 'POST',
      url: '/sandbox-thing',
      headers: { authorization: `Bearer ${key}`, ...headers },
      payload,
    });
  const live = await post(apiKey);
  expect([live.statusCode, live.json().error]).toEqual([403, 'sandbox_only']);
  expect(Object.keys(live.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  await service.context.counters.flush();
  const [row] =
    await service.sql`select sum(count)::integer as spent from rate_counters where subject like ${`k:${keyId}:%`}`;
  expect(row?.['spent']).toBe(1);
  const { apiKey: unscoped } = await service.issueKey(service.liveOperator, { scopes: [] });
  expect((await post(unscoped)).json().error).toBe('insufficient_scope');
  expect((await post(service.key)).json().error).toBe('missing_user');
  const user = { 'x-service-user': 'alice', 'content-type': 'application/json' };
  expect((await post(service.key, user)).json().error).toBe('invalid_json');
  expect((await post(service.key, user, '{"kind":"other"}')).json()).toMatchObject({
    error: 'scenario_invalid',
    detail: [{ path: 'kind' }],
  });
  expect((await post(service.key, user, '{"kind":"partial_fill"}')).statusCode).toBe(200);
});

// contract 36.4
test('a refused value is described by what is expected, in words of ours', async () => {
  const good = {
    place: { country: 'DE' },
    slippage: 0.01,
    side: 'YES',
    seconds: 60,
    name: 'one',
    locale: 'en',
    ids: 'a',
    theme: { a: 'b' },
  };
  const describe = async (wrong: object) => {
    const { side: _, ...rest } = good;
    const payload = 'side' in wrong && wrong.side === undefined ? rest : { ...good, ...wrong };
    const { statusCode, ...answer } = await app.inject({ method: 'POST', url: '/described', payload });
    return statusCode === 200 ? null : answer.json().message;
  };
  expect(await describe({})).toBeNull();
  for (const [wrong, words] of [
    [{ place: 'DE' }, 'place: expected an object'],
    [{ place: {} }, 'place.country: missing: expected text'],
    [{ slippage: 1 }, 'slippage: expected less than 1'],
    [{ slippage: '0' }, 'slippage: expected a number'],
    [{ side: 'yes' }, 'side: expected one of YES, NO'],
    [{ side: undefined }, 'side: missing: expected one of YES, NO'],
    [{ seconds: 59 }, 'seconds: expected at least 60'],
    [{ seconds: 60.5 }, 'seconds: expected a whole number'],
    [{ name: '' }, 'name: expected text that is not empty'],
    [{ name: 'four' }, 'name: expected at most 3 characters'],
    [{ locale: 'ENG' }, 'locale: expected two letters'],
    [{ ids: 7 }, 'ids: expected text or a list'],
    [{ theme: { long: 'x' } }, 'theme.long: expected at most 2 characters'],
    [{ theme: [] }, 'theme: expected an object'],
    [{ name: 'two' }, 'exactly one of name and place'],
  ] as const) {
    expect(await describe(wrong)).toBe(words);
  }
});

test('a body may be omitted if the route allows it; a strict route names unknown fields', async () => {
  const post = (payload?: string) =>
    app.inject({
      method: 'POST',
      url: '/optional-body',
      ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }),
    });
  expect((await post()).json()).toEqual({ body: null });
  expect((await post('')).json()).toEqual({ body: null });
  expect((await post('{"note":"a"}')).json()).toEqual({ body: { note: 'a' } });
  const strict = await post('{"note":"a","extra":1}');
  expect(strict.statusCode).toBe(400);
  expect(strict.json().detail).toEqual([{ path: 'extra', message: 'unknown field' }]);
});
