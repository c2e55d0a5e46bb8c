/** Where a value is null, zero or absent, the answer and the OpenAPI document say the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readDescription } from '../support/openapi.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let sandbox: Tenant;
let document: AnyJson;

beforeAll(async () => {
  live = await openLive();
  sandbox = await live.tenant({ mode: 'sandbox' });
  document = await readDescription(live);
});
afterAll(() => live.close());

const get = async (path: string, { key } = sandbox) => (await live.request('GET', `/api/v1/${path}`, { key })).body;
const feed = async (tenant: Tenant) => (await get('reconciliation/feed?limit=500', tenant)).items as AnyJson[];
/** Whether the document allows null for a field of a named shape. */
const nullable = (shape: string, field: string) => {
  const { type, anyOf = [] } = document.components.schemas[shape].properties[field];
  return [type, ...anyOf.map((one: AnyJson) => one.type)].flat().includes('null');
};

// contract 3.9
test('an outcome without any price has no reference, and the document allows it', async () => {
  const empty = await live.openMarket('without-a-price', {});
  const [outcome] = (await get(`events/${empty.eventId}`)).data.outcomes;
  expect(outcome).toMatchObject({ probability: null, yesCents: null, noCents: null, priceBasis: 'none' });
  expect(['probability', 'yesCents', 'noCents', 'spreadCents'].map((field) => nullable('Outcome', field))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

// contract 11.2, contract 11.3
test('an order that did not fill has no average price, a sell has no stake, and the document allows both', async () => {
  const tenant = await live.tenant();
  const waiting = await tenant.place('ana');
  expect(waiting.body).toMatchObject({ filledQuantity: 0, averagePrice: null, stake: 10 });
  await sandbox.place('ana');
  const sold = await sandbox.place('ana', {}, { action: 'sell', stake: undefined, contracts: 5 });
  expect(sold.body).toMatchObject({ filledQuantity: 5, stake: null, averagePrice: 0.55 });
  expect([nullable('Order', 'averagePrice'), nullable('Order', 'stake'), nullable('Quote', 'stake')]).toEqual([
    true,
    true,
    true,
  ]);
});

// contract 4.3, contract 4.5
test('prices are numbers from 0 to 1, below a cent too, and what is for display is a number', async () => {
  const fine = await live.openMarket('below-a-cent', {
    bids: [['0.001', '100000']],
    asks: [['0.0025', '100000']],
  });
  const quoted = await sandbox.quote('ben', { marketId: fine.contractId });
  expect(quoted.body).toMatchObject({ executionPrice: 0.0025, stake: 10, platformFee: 0.2, tradeAmount: 9.8 });
  const placed = await sandbox.order('ben', { quoteId: quoted.body.quoteId, clientOrderId: 'below-a-cent' });
  expect(placed.body).toMatchObject({ averagePrice: 0.0025, notional: 9.8, platformFee: 0.2 });
});

// contract 11.12
test('there is no list of fills', async () => {
  expect(await get('fills')).toMatchObject({ error: 'not_found' });
  expect(Object.keys(document.paths).filter((path) => path.includes('fills'))).toEqual([]);
});

// contract 21.11
test('a fee is one item, and no fee is none', async () => {
  const free = await live.tenant({ mode: 'sandbox', platformFeeBps: 0 });
  await free.place('cem');
  await sandbox.place('cem');
  const feesOf = async (tenant: Tenant) =>
    (await feed(tenant)).filter(({ type, externalUserId }) => type === 'fee.assessed' && externalUserId === 'cem');
  expect(await feesOf(free)).toEqual([]);
  expect(await feesOf(sandbox)).toMatchObject([
    { money: { currency: 'USD', amount: '0.20' }, detail: { kind: 'platform', bps: 200 } },
  ]);
});

// contract 20.2
test('collateral moves in six ways', async () => {
  const tenant = await live.tenant();
  const { venue } = live;
  venue.script = (order) => venue.accept(order, [order.quantityMicros - 2_000_000n], 'closed');
  await tenant.place('dan', { reserveReference: 'r' });
  venue.script = (order) => venue.fillWhole(order);
  await tenant.place('dan', { reserveReference: 'r' }, { action: 'sell', stake: undefined, contracts: 5 });
  await moveCollateral(live.sql, tenant.operator.operatorId, 'withdrawal', 100n);
  const moved = (await feed(tenant)).filter(({ type }) => type === 'collateral.moved');
  expect([...new Set(moved.map(({ detail }) => detail.kind))].sort()).toEqual([
    'commit',
    'deposit',
    'release',
    'return',
    'spend',
    'withdrawal',
  ]);
});

// contract 16.5
test('the profit of a settlement is its credit less its cost, and that of the position counts its exits too', async () => {
  const market = await live.openMarket('profit');
  await sandbox.place('eva', {}, { marketId: market.contractId });
  await sandbox.place('eva', {}, { marketId: market.contractId, action: 'sell', stake: undefined, contracts: 5 });
  const [held] = (await get('positions?externalUserId=eva')).positions;
  await live.sql`select * from decide_market(${market.contractId}, 'resolve', 'YES', null)`;
  await settleMarket(live.sql, market.contractId);
  const [settled] = (await get('settlements?externalUserId=eva')).settlements;
  const cents = (text: string) => Math.round(Number(text) * 100);
  const own = cents(settled.operatorMoney.settlementCredit) - cents(held.operatorMoney.costBasis);
  expect(settled.realisedPnl).toBe((own / 100).toFixed(2));
  expect(cents(settled.lifetimeRealisedPnl)).toBe(own + cents(held.operatorMoney.realisedPnl));
  expect(held.operatorMoney.realisedPnl).not.toBe('0.00');
});

// contract 42.3
test('the fields that events gained are optional in the document', () => {
  const named = ({ $ref }: AnyJson) => document.components.schemas[$ref.split('/').at(-1)];
  const required = (type: string): string[] => {
    const { schema } = document.webhooks[type].post.requestBody.content['application/json'];
    return named(named(schema).properties.data).required;
  };
  expect(required('order.filled')).toContain('fillId');
  for (const field of ['fillSequence', 'partial', 'final', 'fillMoney']) {
    expect(required('order.filled'), field).not.toContain(field);
  }
  expect(required('market.resolution_changed')).not.toContain('affectedPositionIds');
});
