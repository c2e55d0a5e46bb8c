/** Which answers carry `RateLimit-*` and which do not: contract 35.7. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestMarket } from '../support/market.ts';
import type { TestRequest } from '../support/tenant.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('rate-headers');
});

afterAll(async () => {
  await service.close();
});

async function ask(method: string, path: string, options?: TestRequest): Promise<string> {
  const { status, body, headers } = await service.request(method, path, options);
  const present = ['limit', 'remaining', 'reset'].filter((name) => headers.has(`ratelimit-${name}`));
  return `${status} ${body?.error ?? 'ok'} ${present.length === 3 ? 'with' : present.length === 0 ? 'without' : 'torn'}`;
}

const quote = () => ({ marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 });

describe('with', () => {
  // contract 35.7
  test('reads and their refusals', async () => {
    expect(await ask('GET', '/api/v1/events')).toBe('200 ok with');
    expect(await ask('GET', '/api/v1/events/evt_none')).toBe('404 unknown_event with');
    expect(await ask('GET', '/api/v1/categories')).toBe('200 ok with');
    expect(await ask('GET', '/api/v1/orders')).toBe('200 ok with');
    expect(await ask('GET', '/api/v1/orders?clientOrderId=x')).toBe('400 invalid_request with');
    expect(await ask('GET', '/api/v1/orders?cursor=!')).toBe('400 invalid_cursor with');
    expect(await ask('GET', '/api/v1/orders/ord_none')).toBe('404 unknown_order with');
    expect(await ask('GET', '/api/v1/positions')).toBe('200 ok with');
  });

  // contract 35.7
  test('a scope error on a list', async () => {
    const { apiKey } = await service.issueKey(service.operator, { scopes: [] });
    expect(await ask('GET', '/api/v1/events', { key: apiKey })).toBe('403 insufficient_scope with');
    expect(await ask('GET', '/api/v1/orders', { key: apiKey })).toBe('403 insufficient_scope with');
  });
});

describe('without', () => {
  // contract 35.7
  test('every 400 of the events list', async () => {
    for (const query of [
      'limit=0',
      'sort=best',
      'dir=up',
      'category=none',
      'sport=none',
      'tradable=maybe',
      'cursor=!!',
    ]) {
      expect(await ask('GET', `/api/v1/events?${query}`), query).toMatch(/^400 invalid_\w+ without$/);
    }
  });

  // contract 35.7
  test('POST /quotes and POST /orders, whatever they answer', async () => {
    const user = 'alice';
    expect(await ask('POST', '/api/v1/quotes', { body: quote() })).toBe('400 missing_user without');
    expect(await ask('POST', '/api/v1/quotes', { user, body: quote() })).toBe('200 ok without');
    expect(await ask('POST', '/api/v1/quotes', { user, body: { ...quote(), side: 'UP' } })).toBe(
      '400 invalid_request without',
    );
    expect(await ask('POST', '/api/v1/orders', { user, body: { quoteId: 'qt_none', clientOrderId: 'a' } })).toBe(
      '404 quote_not_found without',
    );
    expect(await ask('POST', '/api/v1/orders', { user, body: '{' })).toBe('400 invalid_json without');
    const { apiKey } = await service.issueKey(service.operator, { scopes: [] });
    expect(await ask('POST', '/api/v1/quotes', { key: apiKey, user })).toBe('403 insufficient_scope without');
  });

  // contract 35.8
  test('a 429 of POST /quotes says when to come back all the same', async () => {
    const { apiKey } = await service.issueKey(service.operator, { rateLimit: 1 });
    const refused = [];
    for (let again = 0; again < 3; again += 1) {
      const response = await service.request('POST', '/api/v1/quotes', { key: apiKey, user: 'alice', body: quote() });
      expect(response.headers.has('ratelimit-limit')).toBe(false);
      if (response.status === 429) {
        refused.push(response.headers.get('retry-after'));
      }
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((seconds) => Number(seconds) >= 1 && Number(seconds) <= 60)).toBe(true);
  });

  // contract 35.7
  test('a 404 unknown_user', async () => {
    expect(await ask('GET', '/api/v1/settlements?externalUserId=nobody')).toBe('404 unknown_user without');
    expect(await ask('GET', '/api/v1/reconciliation/feed?externalUserId=nobody')).toBe('404 unknown_user without');
  });
});

describe('the user header', () => {
  const post = (headers: Record<string, string>) =>
    service.request('POST', '/api/v1/quotes', { body: quote(), headers });

  // contract 34.8
  test('is read under both names; two that differ are refused', async () => {
    expect((await post({ 'X-Operator-User': 'earlier' })).status).toBe(200);
    expect((await post({ 'X-Service-User': 'present', 'X-Operator-User': 'present' })).status).toBe(200);
    expect((await post({ 'X-Service-User': 'other', 'X-Operator-User': 'earlier-2' })).status).toBe(400);
    const rows =
      await service.sql`select external_user_id from customers where operator_id = ${service.operator.operatorId}`;
    const ids = rows.map((row) => row['externalUserId']);
    expect(ids).toContain('earlier');
    expect(ids).toContain('present');
    expect(ids).not.toContain('earlier-2');
    expect(ids).not.toContain('other');
  });

  // contract 34.7
  test('missing, empty, too long or not text is 400', async () => {
    expect((await post({})).body.error).toBe('missing_user');
    expect((await post({ 'X-Service-User': '   ' })).body.error).toBe('missing_user');
    expect((await post({ 'X-Service-User': 'x'.repeat(201) })).body.error).toBe('invalid_request');
    expect((await post({ 'X-Service-User': 'a\tb' })).body.error).toBe('invalid_request');
    expect((await post({ 'X-Service-User': 'caf\u00e9' })).body.error).toBe('invalid_request');
    expect((await post({ 'X-Service-User': 'x'.repeat(200) })).status).toBe(200);
  });

  test('beyond ASCII is UTF-8, as in a path', async () => {
    const asSent = Buffer.from('josé-🏔').toString('latin1');
    expect((await post({ 'X-Service-User': asSent })).status).toBe(200);
    const [row] = await service.sql`select count(*)::integer as found from customers where external_user_id = 'josé-🏔'`;
    expect(row?.['found']).toBe(1);
  });
});
