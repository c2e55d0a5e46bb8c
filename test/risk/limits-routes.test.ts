import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi, type TestOperator } from '../embed/service.ts';

let api: TestApi;
let operator: TestOperator;

beforeAll(async () => {
  api = await startApi();
  operator = await api.newOperator({ max_wager_minor: 5000, period_stake_minor: 100_000, period_hours: 24 });
});
afterAll(() => api.close());

const none = { maxWagerMinor: null, periodStakeMinor: null, periodHours: null };
const rung = { maxWagerMinor: 5000, periodStakeMinor: 100_000, periodHours: 24 };
const bound = { stakeMinor: 100_000, hours: 24, rung: 'operator' };

async function customers(id: string): Promise<number> {
  const rows =
    await api.sql`select from customers where operator_id = ${operator.operatorId} and external_user_id = ${id}`;
  return rows.length;
}

describe('customer limits', () => {
  // contract 28.7, contract 28.9
  test('reading an unknown customer answers nulls and creates no customer', async () => {
    const { status, body } = await operator.call('GET', '/api/v1/users/nobody/limits');
    expect(status).toBe(200);
    expect(body).toEqual({
      externalUserId: 'nobody',
      account: { ...none, note: null },
      operator: rung,
      effective: { maxWagerMinor: 5000, maxWagerRung: 'operator', periods: [bound] },
    });
    expect(await customers('nobody')).toBe(0);
  });

  // contract 28.1, contract 28.4, contract 28.6
  test('PUT creates the customer, replaces the whole level, and is recorded with the key that sent it', async () => {
    const path = '/api/v1/users/player-1/limits';
    const first = await operator.call('PUT', path, {
      body: { maxWagerMinor: 1000, periodStakeMinor: 20_000, periodHours: 168, note: 'asked by the player' },
    });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      externalUserId: 'player-1',
      account: { maxWagerMinor: 1000, periodStakeMinor: 20_000, periodHours: 168, note: 'asked by the player' },
      operator: rung,
      effective: {
        maxWagerMinor: 1000,
        maxWagerRung: 'account',
        periods: [bound, { stakeMinor: 20_000, hours: 168, rung: 'account' }],
      },
    });
    expect((await operator.call('GET', path)).body).toEqual(first.body);
    const second = await operator.call('PUT', path, { body: { maxWagerMinor: 9000 } });
    expect(second.body.account).toEqual({ ...none, maxWagerMinor: 9000, note: null });
    expect(second.body.effective).toEqual({ maxWagerMinor: 5000, maxWagerRung: 'operator', periods: [bound] });
    const changes = await api.sql`select action, max_wager_minor, note, set_by from limit_changes
      where operator_id = ${operator.operatorId} and external_user_id = 'player-1' order by change_no`;
    expect(changes.map((change) => ({ ...change }))).toEqual([
      { action: 'set', maxWagerMinor: 1000n, note: 'asked by the player', setBy: operator.keyId },
      { action: 'set', maxWagerMinor: 9000n, note: null, setBy: operator.keyId },
    ]);
  });

  // contract 28.9
  test('DELETE answers the same shape, also on repeat, and creates no customer', async () => {
    const path = '/api/v1/users/player-2/limits';
    await operator.call('PUT', path, { body: { maxWagerMinor: 100 } });
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await operator.call('DELETE', path);
      expect(status).toBe(200);
      expect(body).toMatchObject({ account: { ...none, note: null }, effective: { maxWagerMinor: 5000 } });
    }
    const [cleared] = await api.sql`select count(*)::int as count from limit_changes
      where external_user_id = 'player-2' and action = 'cleared'`;
    expect(cleared?.['count']).toBe(1);
    expect((await operator.call('DELETE', '/api/v1/users/ghost/limits')).status).toBe(200);
    expect(await customers('ghost')).toBe(0);
  });

  // contract 28.5, contract 28.6
  test('null withdraws; the edges of the ranges are accepted', async () => {
    const path = '/api/v1/users/player-3/limits';
    for (const body of [
      { maxWagerMinor: 1 },
      { maxWagerMinor: 1_000_000_000, periodStakeMinor: 1_000_000_000, periodHours: 8760, note: 'n'.repeat(500) },
      { maxWagerMinor: null, periodStakeMinor: null, periodHours: null, note: null },
      {},
    ]) {
      const answer = await operator.call('PUT', path, { body });
      expect(answer.status).toBe(200);
      expect(answer.body.account).toEqual({ ...none, note: null, ...body });
    }
  });

  // contract 28.5, contract 28.6
  test.each([
    ['half a pair, stake', { periodStakeMinor: 100 }],
    ['half a pair, hours', { periodHours: 24 }],
    ['half a pair, null', { periodStakeMinor: 100, periodHours: null }],
    ['zero', { maxWagerMinor: 0 }],
    ['negative', { maxWagerMinor: -1 }],
    ['too much', { maxWagerMinor: 1_000_000_001 }],
    ['a fraction', { maxWagerMinor: 10.5 }],
    ['text', { maxWagerMinor: '100' }],
    ['too long a window', { periodStakeMinor: 100, periodHours: 8761 }],
    ['no window', { periodStakeMinor: 100, periodHours: 0 }],
    ['too long a note', { note: 'n'.repeat(501) }],
    ['a misspelt ceiling', { maxWager: 100 }],
    ['an array', []],
  ])('refuses %s', async (_name, body) => {
    const answer = await operator.call('PUT', '/api/v1/users/refused/limits', { body });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await customers('refused')).toBe(0);
  });

  test('a body that is not JSON, an id that is too long, a key without the scope', async () => {
    const path = '/api/v1/users/refused/limits';
    expect((await operator.call('PUT', path, { body: '{' })).body.error).toBe('invalid_json');
    const long = await operator.call('GET', `/api/v1/users/${'u'.repeat(201)}/limits`);
    expect(long).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const reader = await api.newOperator({}, ['markets:read', 'orders:read']);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await reader.call(method, path, method === 'PUT' ? { body: {} } : {});
      expect(answer).toMatchObject({ status: 403, body: { error: 'insufficient_scope', required: ['orders:write'] } });
    }
  });

  test('limits are the operator’s own, and any id in its path is one customer', async () => {
    const other = await api.newOperator();
    const id = encodeURIComponent('a/b ü:é?');
    await operator.call('PUT', `/api/v1/users/${id}/limits`, { body: { maxWagerMinor: 77 } });
    const mine = await operator.call('GET', `/api/v1/users/${id}/limits`);
    expect(mine.body).toMatchObject({ externalUserId: 'a/b ü:é?', account: { maxWagerMinor: 77 } });
    expect((await other.call('GET', `/api/v1/users/${id}/limits`)).body.account.maxWagerMinor).toBeNull();
  });

  test('PUTs that race leave one customer, one complete level, and a history that ends with the current limits', async () => {
    const path = '/api/v1/users/raced/limits';
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        operator.call('PUT', path, {
          body: { maxWagerMinor: 100 + index, periodStakeMinor: 1000 + index, periodHours: 1 + index },
        }),
      ),
    );
    const { body } = await operator.call('GET', path);
    const offset = body.account.maxWagerMinor - 100;
    expect(body.account).toEqual({
      maxWagerMinor: 100 + offset,
      periodStakeMinor: 1000 + offset,
      periodHours: 1 + offset,
      note: null,
    });
    const changes = await api.sql`select max_wager_minor from limit_changes
      where external_user_id = 'raced' order by change_no`;
    expect(changes.length).toBe(20);
    expect(changes.at(-1)?.['maxWagerMinor']).toBe(BigInt(100 + offset));
    expect(await customers('raced')).toBe(1);
  });

  test('the audit cannot be changed', async () => {
    await operator.call('PUT', '/api/v1/users/audited/limits', { body: { maxWagerMinor: 5 } });
    await expect(api.sql`delete from limit_changes`).rejects.toThrow();
    await expect(api.sql`update limit_changes set note = 'x'`).rejects.toThrow();
  });
});
