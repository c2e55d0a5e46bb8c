/** The OpenAPI document tells the truth: real answers of every partner route, and refusals, validate against what it says of them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { addEndpoint, createEndpointAdmin } from '../../src/webhooks/endpoints.ts';
import { relayEvents } from '../../src/webhooks/relay.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readDescription } from '../support/openapi.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let document: AnyJson;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (one: Ajv2020) => void)(ajv);

beforeAll(async () => {
  live = await openLive();
  document = await readDescription(live);
  // open to additions for others; here each field of an answer must be described
  ajv.addSchema({ ...closed(document), $id: 'doc' });
});
afterAll(() => live.close());

/** Every shape without further fields, except refusals, which are put together from two. */
function closed(part: AnyJson, key = ''): AnyJson {
  if (typeof part !== 'object' || part === null || key === 'allOf' || key === 'Error' || key === 'requestBody') {
    return part;
  }
  if (Array.isArray(part)) {
    return part.map((one) => closed(one));
  }
  const inner = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, closed(one, name)]));
  const isShape = key !== 'properties' && typeof part.properties === 'object';
  return isShape ? { additionalProperties: false, ...inner } : inner;
}

const seen = new Set<string>();

/** The path of the document that a request goes to. */
function templateOf(path: string): string {
  const parts = path.split('?')[0]?.split('/') ?? [];
  const found = Object.keys(document.paths)
    .filter((template) => {
      const names = template.split('/');
      return (
        names.length === parts.length && names.every((name, index) => name.startsWith('{') || name === parts[index])
      );
    })
    // the one with the fewest holes: settlements/positions before settlements/{id}
    .sort((a, b) => a.split('{').length - b.split('{').length);
  return found[0] ?? 'none';
}

function check(method: string, path: string, status: number, body: unknown): void {
  const template = templateOf(path);
  const responses = document.paths[template]?.[method.toLowerCase()]?.responses;
  const at = `${method} ${template} ${status}`;
  expect(Object.keys(responses ?? {}), at).toContain(String(status));
  const pointer = [template, method.toLowerCase(), 'responses', String(status), 'content', 'application/json', 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = ajv.compile({ $ref: `doc#/paths/${pointer}` });
  validate(body);
  expect(validate.errors ?? [], `${at} ${JSON.stringify(body).slice(0, 400)}`).toEqual([]);
  seen.add(`${method} ${template}`);
}

async function call(by: Tenant, method: string, path: string, options: { user?: string; body?: unknown } = {}) {
  const answer = await live.request(method, `/api/v1/${path}`, { key: by.key, ...options });
  check(method, `/api/v1/${path}`, answer.status, answer.body);
  return answer.body;
}

// contract 4.1, contract 42.1
test('answers and refusals of every partner route are as described', { timeout: 120_000 }, async () => {
  const sandbox = await live.tenant({ mode: 'sandbox' });
  const tenant = await live.tenant();
  const marketId = live.market.contractId;
  const admin = await createEndpointAdmin(live.context);
  for (const { operator } of [sandbox, tenant]) {
    await addEndpoint(admin, operator.operatorId, 'http://127.0.0.1:9/hooks', []);
  }
  const buy = { marketId, side: 'YES', action: 'buy', stake: 10 };
  for (const by of [sandbox, tenant]) {
    const quoted = await call(by, 'POST', 'quotes', { user: 'ana', body: buy });
    const placed = await call(by, 'POST', 'orders', {
      user: 'ana',
      body: { quoteId: quoted.quoteId, clientOrderId: 'a', reserveReference: by === tenant ? 'r' : undefined },
    });
    await call(by, 'POST', 'orders', { user: 'ana', body: { quoteId: quoted.quoteId, clientOrderId: 'a' } });
    await call(by, 'GET', `orders/${placed.orderId}?fills=true`);
    await call(by, 'GET', `orders/${placed.orderId}/history`);
    const sell = await call(by, 'POST', 'quotes', {
      user: 'ana',
      body: { marketId, side: 'YES', action: 'sell', contracts: 5 },
    });
    await call(by, 'POST', 'orders', {
      user: 'ana',
      body: { quoteId: sell.quoteId, clientOrderId: 'b', reserveReference: by === tenant ? 'r' : undefined },
    });
    const again = await call(by, 'POST', 'quotes', { user: 'ana', body: buy });
    const intent = await call(by, 'POST', 'orders', {
      user: 'ana',
      body: { quoteId: again.quoteId, clientOrderId: 'c', executionIntent: 'record_intent' },
    });
    await call(by, 'POST', `orders/${intent.orderId}/cancel`);
    await call(by, 'POST', `orders/${intent.orderId}/cancel`);
    await call(by, 'POST', `orders/${intent.orderId}/confirm-reserve`);
    const more = await call(by, 'POST', 'quotes', { user: 'ana', body: buy });
    const waiting = await call(by, 'POST', 'orders', {
      user: 'ana',
      body: { quoteId: more.quoteId, clientOrderId: 'd', executionIntent: 'record_intent' },
    });
    await call(by, 'POST', `orders/${waiting.orderId}/confirm-reserve`, { body: { reserveReference: 'x' } });
    await call(by, 'GET', 'orders?limit=2');
    await call(by, 'GET', 'orders?externalUserId=ana&clientOrderId=c');
    const { positions } = await call(by, 'GET', 'positions');
    await call(by, 'GET', `positions/${positions[0].positionId}`);
  }
  const { positions } = await call(sandbox, 'GET', 'positions?status=open');
  await call(sandbox, 'POST', 'sandbox/resolutions', {
    body: { positionId: positions[0].positionId, resolution: 'win' },
  });
  const other = await live.openMarket(`other${Date.now()}`);
  await tenant.place('ana', { reserveReference: 'r' }, { marketId: other.contractId });
  await live.sql`select * from decide_market(${other.contractId}, 'resolve', 'NO', null)`;
  await settleMarket(live.sql, other.contractId);

  await call(sandbox, 'GET', 'users/ana/balance');
  await call(sandbox, 'GET', 'users/ana/ledger');
  await call(sandbox, 'GET', 'funding/supported-assets');
  const deposit = await call(sandbox, 'POST', 'funding/deposit-address', {
    user: 'ana',
    body: { symbol: 'USDC', chainId: 1 },
  });
  await call(sandbox, 'GET', `funding/deposits/${deposit.depositId}`);
  await call(sandbox, 'GET', `funding/deposits/${deposit.depositId}`);
  await call(sandbox, 'POST', 'sandbox/scenarios', { body: { kind: 'partial_fill', fillFraction: 0.5 } });
  await call(sandbox, 'POST', 'sandbox/scenarios', { body: { kind: 'partial_fill', fillAmountMinor: 5 } });
  const { scenarios } = await call(sandbox, 'GET', 'sandbox/scenarios');
  await call(sandbox, 'DELETE', `sandbox/scenarios/${scenarios[0].scenarioId}`);
  await call(sandbox, 'DELETE', 'sandbox/scenarios/scn_none');

  await relayEvents(live.sql);
  for (const by of [sandbox, tenant]) {
    await call(by, 'GET', 'settlements');
    await call(by, 'GET', 'settlements/positions');
    await call(by, 'GET', 'reconciliation');
    await call(by, 'GET', 'collateral');
    await call(by, 'GET', 'reconciliation/feed?limit=500');
    await call(by, 'GET', 'reconciliation/checkpoint');
    await call(by, 'GET', 'reconciliation/log-keys');
    await call(by, 'GET', 'reconciliation/proof?sequence=1&size=1');
    await call(by, 'GET', 'whoami');
    await call(by, 'PUT', 'users/ana/jurisdiction', { body: { country: 'US', subdivision: 'NJ' } });
    await call(by, 'GET', 'users/ana/jurisdiction');
    await call(by, 'GET', 'users/nobody/jurisdiction');
    await call(by, 'PUT', 'users/ana/limits', { body: { maxWagerMinor: 500, periodStakeMinor: 1, periodHours: 1 } });
    await call(by, 'GET', 'users/ana/limits');
    await call(by, 'POST', 'quotes', { user: 'ana', body: buy });
    await call(by, 'DELETE', 'users/ana/limits');
    await call(by, 'GET', 'events');
    await call(by, 'GET', `events/${live.market.eventId}`);
    await call(by, 'GET', 'categories');
    await call(by, 'GET', `events/${live.market.eventId}/history`);
    await call(by, 'GET', `contracts?ids=${marketId}`);
    await call(by, 'GET', `contracts/${marketId}/book`);
    await call(by, 'GET', 'contracts/ctr_none/book');
    await call(by, 'GET', `contracts/${marketId}/trades`);
    await call(by, 'GET', 'contracts/ctr_none/trades');
    await call(by, 'GET', 'reconciliation/feed?last=2');
    const { events } = await call(by, 'GET', 'webhook-events?limit=500');
    expect(events.length).toBeGreaterThan(3);
    await call(by, 'GET', 'webhook-endpoints');
    const { deliveries } = await call(by, 'GET', 'webhook-deliveries');
    await call(by, 'POST', `webhook-deliveries/${deliveries[0].deliveryId}/resend`);
    const session = await call(by, 'POST', 'embed-sessions', {
      body: { externalUserId: 'ana', theme: { mode: 'dark' } },
    });
    await call(by, 'DELETE', `embed-sessions/${session.sessionId}`);
  }
  // refusals of several kinds
  await call(sandbox, 'GET', 'events?limit=0');
  await call(sandbox, 'GET', 'events/evt_none');
  await call(sandbox, 'POST', 'quotes', { user: 'ana', body: { ...buy, side: 'UP' } });
  await call(sandbox, 'POST', 'quotes', { body: buy });
  await call(sandbox, 'GET', 'reconciliation/feed?type=none');
  await call(sandbox, 'GET', 'webhook-events?type=none');
  await call(sandbox, 'POST', 'webhook-deliveries/dlv_none/resend');
  await call(sandbox, 'GET', 'settlements?externalUserId=nobody');
  await call(tenant, 'GET', 'users/ana/balance');
  await call(sandbox, 'POST', 'sandbox/resolutions', { body: { positionId: 'pos_none', resolution: 'WIN' } });

  const described = Object.entries(document.paths as Record<string, object>)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((at) => / \/api\/v1\//.test(at) && !/images|stream|export/.test(at));
  expect(described.filter((at) => !seen.has(at))).toEqual([]);
});
