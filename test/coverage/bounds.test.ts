/** Bounds and single sentences of the contract that no other test shows, and what a live tenant may do without a wallet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/core/errors.ts';
import type { Board } from '../../src/markets/board/board.ts';
import { buildApp } from '../../src/server/app.ts';
import { createIssueQuotes, createQuoteMemory, issueQuote } from '../../src/trading/quotes/issue-quote.ts';
import { moveBook, seed } from '../catalogue/seed.ts';
import { documented } from '../support/documented.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;

beforeAll(async () => {
  service = await documented(await openWorld());
  await seed(service.sql, [
    { id: 'a', volume: 700, contracts: [{ id: 'a', volume24h: 30, bids: [[0.5, 90_000]], asks: [[0.52, 90_000]] }] },
  ]);
  await service.context.board.refresh();
});
afterAll(() => service.close());

const quote = (stake: number, user = 'ana') =>
  service.request('POST', '/api/v1/quotes', {
    key: service.liveKey,
    user,
    body: { marketId: 'ctr_a', side: 'YES', action: 'buy', stake },
  });

describe('a live tenant', () => {
  // contract 1.9, contract 36.7
  test('has no wallet: no code reports insufficient funds, and an order of any size is recorded', async () => {
    expect(Object.keys(ERRORS)).not.toContain('insufficient_balance');
    const quoted = await quote(20_000);
    const placed = await service.request('POST', '/api/v1/orders', {
      key: service.liveKey,
      user: 'ana',
      body: { quoteId: quoted.body.quoteId, clientOrderId: 'large' },
    });
    expect([placed.status, placed.body.status]).toEqual([201, 'reserve_pending']);
    const balances = await service.sql`
      select 1 from account_balances where operator_id = ${service.liveOperator.operatorId} and account_id like 'wallet:%'`;
    expect(balances).toHaveLength(0);
  });

  // contract 28.4, contract 29.1
  test('sets limits and jurisdiction of its customers', async () => {
    const put = (path: string, body: object) =>
      service.request('PUT', `/api/v1/users/bea/${path}`, { key: service.liveKey, body });
    expect((await put('limits', { maxWagerMinor: 1_000 })).status).toBe(200);
    expect((await put('jurisdiction', { country: 'HR' })).status).toBe(200);
    const refused = await quote(11, 'bea');
    expect([refused.status, refused.body.error, refused.body.maxStake]).toEqual([422, 'over_wager_limit', 10]);
    expect((await quote(10, 'bea')).status).toBe(200);
    const cleared = await service.request('DELETE', '/api/v1/users/bea/limits', { key: service.liveKey });
    expect(cleared.status).toBe(200);
  });
});

// contract 3.12
test('a book that never holds still is price_unverified, and nothing is quoted', async () => {
  const contract = service.context.board.contracts.get('ctr_a');
  if (contract === undefined) {
    throw new Error('no contract');
  }
  await moveBook(service.sql, { id: 'a', bids: [[0.5, 90_000]], asks: [[0.53, 90_000]] });
  const ports = {
    // a board that is always one book behind
    board: {
      contracts: new Map([['ctr_a', contract]]),
      ageSeconds: () => 0,
      isConnected: () => true,
      refresh: async () => {},
    } as unknown as Board,
    clock: service.context.clock,
    issue: createIssueQuotes(service.sql),
    memory: createQuoteMemory(),
    holdingVenues: async () => [],
    trades: () => true,
  };
  const trader = {
    operator: service.operator,
    externalUserId: 'cem',
    offering: { categories: null, eventIds: null },
  };
  const request = { contractId: 'ctr_a', side: 'YES', action: 'buy', size: 10 } as const;
  await expect(issueQuote(ports, trader, request)).rejects.toMatchObject({ code: 'price_unverified', status: 409 });
  expect(await service.sql`select 1 from quotes where external_user_id = 'cem'`).toHaveLength(0);
  await service.context.board.refresh();
});

// contract 5.6, contract 6.7, contract 42.2
test('contract counts carry the same values under both names', async () => {
  const { data } = (await service.request('GET', '/api/v1/events/evt_a')).body;
  expect([data.volume, data.volume24h]).toEqual([data.volumeContracts, data.volume24hContracts]);
  expect(data.volume).toBe(700);
  for (const outcome of data.outcomes) {
    expect(outcome.volume24h).toBe(outcome.volume24hContracts);
  }
  expect(data.outcomes[0].volume24h).toBe(30);
});

// contract 31.1, contract 31.4, contract 35.2
test('ceilings of the account: 6,000 a minute a key, ten frame origins, a slug of 63', async () => {
  await expect(service.issueKey(service.operator, { rateLimit: 6001 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect((await service.issueKey(service.operator, { rateLimit: 6000 })).rateLimit).toBe(6000);
  const origins = (count: number) => Array.from({ length: count }, (_, index) => `https://o${index}.example`);
  await service.createOperator({ slug: 's'.repeat(63), frameOrigins: origins(10) });
  for (const settings of [
    { slug: 's'.repeat(64) },
    { slug: 'Upper' },
    { slug: 'eleven', frameOrigins: origins(11) },
    { slug: 'path', frameOrigins: ['https://o.example/path'] },
    { slug: 'star', frameOrigins: ['https://*.example'] },
  ]) {
    await expect(service.createOperator(settings), JSON.stringify(settings)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  }
});

// contract 21.4
test('the feed gives at most 500 items a page, 100 where nothing is asked', async () => {
  const { operatorId } = service.operator;
  await service.sql`
    select create_customers(${operatorId}, array_fill(${operatorId}::text, array[620]), array(select 'bulk-' || n from generate_series(1, 620) n))`;
  const read = async (query: string) =>
    (await service.request('GET', `/api/v1/reconciliation/feed?${query}`)).body.items.length;
  expect(await read('limit=9999')).toBe(500);
  expect(await read('')).toBe(100);
});

// contract 35.7
test('a 500 of the events list shows no budget', async () => {
  const failing = {
    ...service.context.catalogue,
    list: () => {
      throw new Error('a list that cannot be made');
    },
  };
  const app = await buildApp({ ...service.context, catalogue: failing });
  const answer = await app.inject({
    method: 'GET',
    url: '/api/v1/events',
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect([answer.statusCode, answer.json().error]).toEqual([500, 'internal_error']);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  await app.close();
});
