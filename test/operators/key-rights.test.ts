/** What bounds a key besides its scopes: expiry, addresses, the minute it is counted in; and what is remembered of its use. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdmission } from '../../src/operators/admission.ts';
import { hashApiKey, listApiKeys } from '../../src/operators/keys.ts';
import { openRateCounters } from '../../src/operators/rate-counters.ts';
import { startApi, type TestApi } from '../embed/service.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi({ variables: { INLAY_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => api.close());

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('a key that has expired is refused, at once', async () => {
  const operator = await api.newOperator();
  expect((await operator.call('GET', '/api/v1/categories')).status).toBe(200);
  await api.sql`update api_keys set expires_at = clock_timestamp(), created_at = now() - interval '1 day'
    where key_id = ${operator.keyId}`;
  const refused = await operator.call('GET', '/api/v1/categories');
  expect(refused).toMatchObject({ status: 401, body: { error: 'revoked_key', message: 'The API key has expired.' } });
  expect(refused.headers.get('ratelimit-limit')).toBeNull();
});

test('a key that is bound to addresses is refused from others, and that costs no budget', async () => {
  const operator = await api.newOperator();
  await api.sql`update api_keys set allowed_addresses = '{203.0.113.0/24,2001:db8::/32}' where key_id = ${operator.keyId}`;
  const call = (address: string) => operator.call('GET', '/api/v1/categories', from(address));
  for (const address of ['203.0.113.7', '2001:db8::9', '::ffff:203.0.113.8']) {
    expect([address, (await call(address)).status]).toEqual([address, 200]);
  }
  for (const address of ['203.0.114.1', '2001:db9::1', '127.0.0.1']) {
    expect(await call(address), address).toMatchObject({ status: 403, body: { error: 'address_not_allowed' } });
  }
  expect(Number((await call('203.0.113.7')).headers.get('ratelimit-remaining'))).toBe(6000 - 4);
});

test('a request is logged with its key, its operator and its address, refused or not', async () => {
  const operator = await api.newOperator({}, ['orders:read']);
  await operator.call('GET', '/api/v1/orders', from('198.51.100.3'));
  await operator.call('GET', '/api/v1/categories', from('198.51.100.4'));
  await api.call('GET', '/api/v1/categories', from('198.51.100.5'));
  const lines = api.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const of = (address: string) => lines.filter((line) => line.address === address);
  const who = { key: operator.keyId, operator: operator.operatorId };
  expect(of('198.51.100.3')).toEqual([expect.objectContaining({ ...who, status: 200 })]);
  expect(of('198.51.100.4')).toEqual([expect.objectContaining({ ...who, status: 403 })]);
  expect(of('198.51.100.5')).toEqual([expect.objectContaining({ key: null, operator: null, status: 401 })]);
});

test('the last use of a key is kept, by one write for many requests', async () => {
  const own = await startApi({ database: api.database });
  const operator = await own.newOperator();
  const idle = await own.newOperator();
  for (let index = 0; index < 20; index += 1) {
    await operator.call('GET', '/api/v1/categories');
  }
  expect((await listApiKeys(api.sql, operator.operatorId))[0]).toMatchObject({ lastUsedAt: null, lastAddress: null });
  const [before] = await api.sql<[{ xmin: string }]>`select xmin::text from api_keys where key_id = ${operator.keyId}`;
  await own.close();
  const [key] = await listApiKeys(api.sql, operator.operatorId);
  expect(key?.lastAddress).toBe('127.0.0.1');
  expect(Math.abs((key?.lastUsedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
  // what processes remember of a key is not ended by its use
  expect(await api.sql`select xmin::text from api_keys where key_id = ${operator.keyId}`).toEqual([before]);
  expect((await listApiKeys(api.sql, idle.operatorId))[0]?.lastUsedAt).toBeNull();
});

test('a refund goes to the minute that was counted in, not to the one it comes in', async () => {
  const counters = openRateCounters(api.sql, api.context.log);
  const [before, after] = ['2100-05-01T10:00:59Z', '2100-05-01T10:01:01Z'];
  const used = (moment: string) => {
    counters.setClock(new Date(moment));
    return 10 - counters.look('k:key_refund:op_refund', 10).remaining;
  };
  counters.setClock(new Date(before));
  const tenant = { operatorId: 'op_refund', ceiling: 100 };
  const { minute } = counters.count({ subject: 'k:key_refund:op_refund', limit: 10, tenant });
  counters.giveBack('k:key_refund:op_refund', 'op_refund', minute);
  expect(used(before)).toBe(0);
  counters.setClock(new Date(after));
  counters.count({ subject: 'k:key_refund:op_refund', limit: 10, tenant });
  counters.giveBack('k:key_refund:op_refund', 'op_refund', minute);
  expect(used(after)).toBe(1);
  await counters.close();
});

test('a mint that lacks the book scope gets its request back, from the ceiling of its holder too', async () => {
  const holder = await api.newOperator();
  const child = await api.newOperator({ parent_id: holder.operatorId });
  const body = { externalUserId: 'u', operatorBookId: 'book_none' };
  expect((await child.call('POST', '/api/v1/embed-sessions', { body })).status).toBe(403);
  await api.context.counters.flush();
  const counts = await api.sql`select distinct count from rate_counters
    where subject in (${`t:${holder.operatorId}`}, ${`k:${child.keyId}:${child.operatorId}`})`;
  expect(counts).toEqual([{ count: 0n }]);
});

// contract 34.11
test('a client address that is none refuses a key that is bound to addresses, and nobody beside it', async () => {
  const bound = await api.newOperator();
  await api.sql`update api_keys set allowed_addresses = '{203.0.113.0/24}' where key_id = ${bound.keyId}`;
  const others = await Promise.all(Array.from({ length: 12 }, () => api.newOperator()));
  const call = ({ call: by }: typeof bound, address: string) => by('GET', '/api/v1/categories', from(address));
  for (const address of ['unknown', '203.0.113.7, _hidden', 'fe80::1%eth0', '203.0.113.300', '']) {
    const [refused, ...answers] = await Promise.all([
      call(bound, address),
      ...others.flatMap((other, index) => [call(other, '198.51.100.9'), call(other, index % 2 ? address : '')]),
    ]);
    expect([address, refused?.status, refused?.body.error]).toEqual([address, 403, 'address_not_allowed']);
    expect([address, answers.filter(({ status }) => status !== 200)]).toEqual([address, []]);
  }
  // as some proxies report a client: with its port
  expect((await call(bound, '203.0.113.7:4711')).status).toBe(200);
});

test('a use from an address that cannot be read is kept without one, and those of other keys with theirs', async () => {
  const own = await startApi({
    database: api.database,
    variables: { INLAY_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const [hidden, seen] = [await own.newOperator(), await own.newOperator()];
  await hidden.call('GET', '/api/v1/categories', from('unknown'));
  await seen.call('GET', '/api/v1/categories', from('[2001:db8::7]:4711'));
  await own.close();
  const lastUse = async ({ operatorId }: typeof hidden) => (await listApiKeys(api.sql, operatorId))[0];
  expect(await lastUse(hidden)).toMatchObject({ lastUsedAt: expect.any(Date), lastAddress: null });
  expect(await lastUse(seen)).toMatchObject({ lastUsedAt: expect.any(Date), lastAddress: '2001:db8::7' });
});

test('an address that is none is refused for a key that is bound to addresses', async () => {
  const bound = await api.newOperator();
  await api.sql`update api_keys set allowed_addresses = '{203.0.113.0/24}' where key_id = ${bound.keyId}`;
  const other = await api.newOperator();
  const admit = createAdmission(api.sql, api.context.counters);
  const [refused, admitted] = await Promise.all(
    [bound, other].map(({ apiKey }) =>
      admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: [], address: 'fe80::1%eth0' }),
    ),
  );
  expect([refused?.outcome, admitted?.outcome]).toEqual(['address_not_allowed', 'admitted']);
});
