/** The simulated wallet over HTTP: balances, its ledger that sums to them, and the test bridge that fills it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balance, walletPage } from '../../src/wire/sandbox.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.openMarket('wallet');
});
afterAll(() => world.close());

const cents = (text: string) => Math.round(Number(text) * 100);

describe('balance and ledger', () => {
  // contract 28.1, contract 32.2, contract 32.3
  test('a customer begins with 10,000.00; reads create no customer', async () => {
    expect((await world.balance('nobody')).body.error).toBe('unknown_user');
    const unknown = await world.request('GET', '/api/v1/users/nobody/ledger');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'unknown_user']);
    expect(unknown.headers.get('ratelimit-limit')).toBeNull();
    // a header carries an id beyond ASCII as its UTF-8 bytes
    await world.quote(Buffer.from('ana/é').toString('latin1'));
    const read = await world.balance('ana/é');
    expect(balance.parse(read.body)).toEqual({
      externalUserId: 'ana/é',
      currency: 'USD',
      available: '10000.00',
      held: '0.00',
      total: '10000.00',
    });
    expect(read.headers.get('ratelimit-limit')).not.toBeNull();
    expect((await world.request('GET', '/api/v1/users/ana%2F%C3%A9/balance?currency=EUR')).body.error).toBe(
      'invalid_request',
    );
    expect((await world.request('GET', '/api/v1/users/ana%2F%C3%A9/balance?currency=usd')).status).toBe(200);
  });

  // contract 32.4
  test('holds, fills, exits and payouts: amounts sum to the total, page by page', async () => {
    await world.place('ben', { clientOrderId: 'b-1' });
    const intent = await world.place('ben', { clientOrderId: 'b-2', executionIntent: 'record_intent' }, { stake: 25 });
    expect(intent.body.status).toBe('reserve_pending');
    expect((await world.balance('ben')).body).toMatchObject({ available: '9965.00', held: '25.00', total: '9990.00' });
    await world.request('POST', `/api/v1/orders/${intent.body.orderId}/cancel`);
    await world.place('ben', { clientOrderId: 'b-3' }, { action: 'sell', stake: undefined, contracts: 5 });
    const { body: now } = await world.balance('ben');
    const whole = walletPage.parse((await world.request('GET', '/api/v1/users/ben/ledger')).body);
    expect(whole.entries.map(({ movementType }) => movementType)).toEqual([
      'POSITION_EXIT',
      'ORDER_RELEASE',
      'ORDER_HOLD',
      'ORDER_FILL',
      'SANDBOX_CREDIT',
    ]);
    expect(whole.entries.map(({ amount }) => amount).slice(1)).toEqual(['0.00', '0.00', '-10.00', '10000.00']);
    expect(whole.entries.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(now.total));
    expect(whole.entries[0]?.balanceAfter).toBe(now.total);
    for (const [index, entry] of whole.entries.entries()) {
      const before = whole.entries[index + 1]?.balanceAfter ?? '0.00';
      expect(cents(entry.balanceAfter) - cents(before)).toBe(cents(entry.amount));
    }
    const paged: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await world.request(
        'GET',
        `/api/v1/users/ben/ledger?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...page.body.entries);
      expect(page.body.hasMore).toBe(page.body.nextCursor !== null);
      cursor = page.body.nextCursor;
    }
    expect(paged).toEqual(whole.entries);
    expect((await world.request('GET', '/api/v1/users/ben/ledger?limit=0')).body.count).toBe(1);
    expect((await world.request('GET', '/api/v1/users/ben/ledger?cursor=nope')).body.error).toBe('invalid_cursor');
  });
});

describe('funding', () => {
  const open = (user: string, body: unknown) =>
    world.request('POST', '/api/v1/funding/deposit-address', { user, body });

  // contract 32.5
  test('assets, narrowed by symbol and chain', async () => {
    const all = await world.request('GET', '/api/v1/funding/supported-assets');
    expect(all.body.count).toBe(all.body.assets.length);
    expect(all.headers.get('ratelimit-limit')).toBeNull();
    const some = await world.request('GET', '/api/v1/funding/supported-assets?symbols=usdc,DAI&chainId=1');
    expect(some.body.assets.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['USDC', 'DAI']);
    expect((await world.request('GET', '/api/v1/funding/supported-assets?symbol=DOGE')).body).toEqual({
      assets: [],
      count: 0,
    });
  });

  // contract 32.6, contract 32.7
  test('the second poll credits once, sync=false never does, and no other operator sees it', async () => {
    const opened = await open('cleo', { symbol: 'USDC', chainId: '1' });
    expect(opened.status).toBe(201);
    expect(opened.headers.get('ratelimit-limit')).toBeNull();
    expect(opened.body).toMatchObject({ symbol: 'USDC', chainId: 1, memo: null });
    const path = `/api/v1/funding/deposits/${opened.body.depositId}`;
    expect((await world.request('GET', `${path}?sync=false`)).body).toMatchObject({ status: 'awaiting', amount: null });
    expect((await world.request('GET', path)).body).toMatchObject({
      status: 'confirming',
      amount: '1000.00',
      creditedAmount: null,
    });
    expect((await world.request('GET', `${path}?sync=false`)).body.status).toBe('confirming');
    const polls = await Promise.all([
      world.request('GET', path),
      world.request('GET', path),
      world.request('GET', path),
    ]);
    for (const poll of polls) {
      expect(poll.body).toMatchObject({ status: 'credited', creditedAmount: '1000.00' });
    }
    expect((await world.balance('cleo')).body.total).toBe('11000.00');
    const { body } = await world.request('GET', '/api/v1/users/cleo/ledger');
    expect(body.entries[0]).toMatchObject({
      movementType: 'SANDBOX_CREDIT',
      amount: '1000.00',
      referenceType: 'deposit',
      referenceId: opened.body.depositId,
    });
    const other = await world.createOperator({ slug: 'elsewhere' });
    const { apiKey } = await world.issueKey(other);
    const foreign = await world.request('GET', path, { key: apiKey });
    expect([foreign.status, foreign.body.error]).toEqual([404, 'deposit_not_found']);
  });

  test('refusals', async () => {
    expect((await open('cleo', { symbol: 'DOGE', chainId: 1 })).body.error).toBe('unsupported_asset');
    expect((await open('cleo', { symbol: 'USDC' })).body.error).toBe('invalid_request');
    expect((await open('cleo', '{')).body.error).toBe('invalid_json');
    const unnamed = await world.request('POST', '/api/v1/funding/deposit-address', { body: {} });
    expect([unnamed.status, unnamed.body.error]).toEqual([400, 'missing_user']);
    await world.sql`update customers set status = 'suspended' where external_user_id = 'cleo'`;
    expect((await open('cleo', { symbol: 'USDC', chainId: 1 })).body.error).toBe('user_suspended');
  });
});

// contract 1.3, contract 32.1
test('none of it exists for a live tenant, and scopes come first', async () => {
  const service = world;
  const routes = [
    ['GET', '/api/v1/users/x/balance'],
    ['GET', '/api/v1/users/x/ledger'],
    ['GET', '/api/v1/funding/supported-assets'],
    ['POST', '/api/v1/funding/deposit-address'],
    ['GET', '/api/v1/funding/deposits/dep_1'],
    ['POST', '/api/v1/sandbox/scenarios'],
    ['GET', '/api/v1/sandbox/scenarios'],
    ['POST', '/api/v1/sandbox/resolutions'],
  ] as const;
  const { apiKey: bare } = await service.issueKey(service.operator, { scopes: ['markets:read'] });
  for (const [method, path] of routes) {
    const live = await service.request(method, path, { key: service.liveKey });
    expect([path, live.status, live.body.error]).toEqual([path, 403, 'sandbox_only']);
    expect(live.headers.get('ratelimit-limit')).toBeNull();
    const scoped = await service.request(method, path, { key: bare });
    expect([path, scoped.status, scoped.body.error]).toEqual([path, 403, 'insufficient_scope']);
  }
});
