/** What ends a session besides itself: its key, its customer, its operator. And who may mint one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey, revokeKey, rotateKey } from '../../src/operators/keys.ts';
import { findOperator } from '../../src/operators/operators.ts';
import type { RunCommand } from '../support/run-command.ts';
import { startApi, type TestApi, type TestOperator } from './service.ts';

let api: TestApi;
let inlay: RunCommand;

beforeAll(async () => {
  api = await startApi();
  inlay = await api.commands();
});
afterAll(() => api.close());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const mintWith = (key: string, externalUserId = 'player') =>
  api.call('POST', '/api/v1/embed-sessions', { body: { externalUserId }, headers: bearer(key) });
const mint = async (by: TestOperator, user?: string): Promise<string> => (await mintWith(by.apiKey, user)).body.token;
const stateOf = async (token: string) => {
  const { status, body } = await api.call('GET', '/api/embed/session', {
    headers: { authorization: `Embed ${token}` },
  });
  return status === 200 ? 'works' : body.error;
};

// contract 30.12
test('revoking a key ends the sessions that it minted, and no others', async () => {
  const operator = await api.newOperator();
  const other = await issueKey(api.sql, (await findOperator(api.sql, operator.operatorId)) as never);
  const [own, others] = [await mint(operator), (await mintWith(other.apiKey)).body.token];
  expect([await stateOf(own), await stateOf(others)]).toEqual(['works', 'works']);
  await revokeKey(api.sql, operator.keyId);
  expect([await stateOf(own), await stateOf(others)]).toEqual(['session_revoked', 'works']);
});

// contract 30.12
test('the sessions of a key end when it expires', async () => {
  const operator = await api.newOperator();
  const token = await mint(operator);
  expect(await stateOf(token)).toBe('works');
  await api.sql`update api_keys set expires_at = clock_timestamp() where key_id = ${operator.keyId}`;
  expect([(await mintWith(operator.apiKey)).status, await stateOf(token)]).toEqual([401, 'session_revoked']);
});

test('the sessions of a rotated key live as long as its grace', async () => {
  const operator = await api.newOperator();
  const token = await mint(operator);
  await rotateKey(api.sql, operator.keyId, 3600);
  expect(await stateOf(token)).toBe('works');
  await revokeKey(api.sql, operator.keyId);
  expect(await stateOf(token)).toBe('session_revoked');
});

test('all sessions of a customer, of an operator', async () => {
  const operator = await api.newOperator();
  const foreign = await mint(await api.newOperator());
  const [one, two, three] = [await mint(operator, 'one'), await mint(operator, 'one'), await mint(operator, 'three')];
  const ofOne = await inlay(
    ...([
      'embed-sessions',
      'revoke-all',
      '--operator',
      operator.operatorId,
      '--user',
      'one',
      '--yes',
      '--json',
    ] as const),
  );
  expect(ofOne.json).toEqual({ operatorId: operator.operatorId, externalUserId: 'one', revoked: 2 });
  expect([await stateOf(one), await stateOf(two), await stateOf(three)]).toEqual([
    'session_revoked',
    'session_revoked',
    'works',
  ]);
  const rest = await inlay('embed-sessions', 'revoke-all', '--operator', operator.operatorId, '--yes', '--json');
  expect(rest.json.revoked).toBe(1);
  expect([await stateOf(three), await stateOf(foreign)]).toEqual(['session_revoked', 'works']);
});

test('a key of the mint scope mints and ends sessions and does nothing else', async () => {
  const operator = await api.newOperator({}, ['embed_sessions:mint']);
  const minted = await mintWith(operator.apiKey);
  expect(minted.status).toBe(200);
  for (const [method, path] of [
    ['GET', '/api/v1/events'],
    ['GET', '/api/v1/orders'],
    ['POST', '/api/v1/quotes'],
  ] as const) {
    expect((await operator.call(method, path)).body.error, path).toBe('insufficient_scope');
  }
  const ended = await operator.call('DELETE', `/api/v1/embed-sessions/${minted.body.sessionId}`);
  expect(ended.status).toBe(200);
  // without it, the three scopes of the contract are needed together
  const partial = await api.newOperator({}, ['markets:read', 'quotes:write', 'orders:read']);
  expect((await mintWith(partial.apiKey)).body).toMatchObject({
    error: 'insufficient_scope',
    required: ['markets:read', 'quotes:write', 'orders:write'],
    missing: ['orders:write'],
  });
});

test('keys issue says that minting gives more than the scopes of the key', async () => {
  const operator = await api.newOperator();
  const said = 'A session can trade for its customer and read all data of that customer';
  const issue = (...flags: string[]) => inlay('keys', 'issue', '--operator', operator.operatorId, ...flags);
  expect((await issue()).stderr).toContain(said);
  expect((await issue('--scope', 'embed_sessions:mint')).stderr).toContain(said);
  expect((await issue('--scope', 'orders:write')).stderr).not.toContain(said);
});

test('keys issue takes an expiry and addresses, keys list shows them', async () => {
  const operator = await api.newOperator();
  const issue = (...flags: string[]) => inlay('keys', 'issue', '--operator', operator.operatorId, ...flags, '--json');
  const { json } = await issue(
    '--expires',
    '2099-01-01',
    '--allow-address',
    '203.0.113.0/24,2001:db8::1',
    '--label',
    'b',
  );
  const list = await inlay('keys', 'list', '--operator', operator.operatorId, '--json');
  expect(list.json.keys.find(({ keyId }: { keyId: string }) => keyId === json.keyId)).toMatchObject({
    expiresAt: '2099-01-01T00:00:00.000Z',
    allowedAddresses: ['203.0.113.0/24', '2001:db8::1/128'],
    lastUsedAt: null,
    lastAddress: null,
  });
  for (const address of ['203.0.113.7/24', '203.0.113.0/33', 'everywhere', '1.2.3', '::1/129', '10/8']) {
    const refused = await issue('--allow-address', address);
    expect([address, refused.exitCode, refused.json.error]).toEqual([address, 2, 'invalid_request']);
  }
  expect((await issue('--expires', '2020-01-01')).json.error).toBe('invalid_request');
  // a successor is bound as its key was
  const rotated = await inlay('keys', 'rotate', json.keyId, '--yes', '--json');
  const again = await inlay('keys', 'list', '--operator', operator.operatorId, '--json');
  expect(again.json.keys.find(({ keyId }: { keyId: string }) => keyId === rotated.json.keyId)).toMatchObject({
    expiresAt: '2099-01-01T00:00:00.000Z',
    allowedAddresses: ['203.0.113.0/24', '2001:db8::1/128'],
  });
});
