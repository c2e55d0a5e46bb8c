/** The second wall between tenants: what the API reads by tenant shows rows of the operator that the statement names, or none. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOperator, TENANT_ROLE } from '../../src/db/as-operator.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { seedMarket } from '../support/market.ts';
import { startTestService, type TestService } from '../support/service.ts';

const TABLES = [
  ...['orders', 'fills', 'positions', 'customers', 'feed_items', 'ledger_entries', 'ledger_lines', 'account_balances'],
  ...['operator_counters', 'settlements', 'collateral_movements', 'feed_log_tiles', 'feed_log_heads'],
];

/** Nothing has settled and no collateral has moved here. */
const EMPTY = ['settlements', 'collateral_movements'];

let service: TestService;
let tenant: Sql;

beforeAll(async () => {
  service = await startTestService();
  tenant = connect(service.database.url, { max: 3, applicationName: 'inlay-test-tenant', role: TENANT_ROLE });
  const market = await seedMarket(service.sql, 'walled');
  await service.context.board.refresh();
  const other = await service.createOperator({ slug: 'other' });
  const keys = [service.key, (await service.issueKey(other)).apiKey];
  for (const [index, key] of keys.entries()) {
    const wish = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 };
    const quote = await service.request('POST', '/api/v1/quotes', { key, user: 'player', body: wish });
    expect(quote.status).toBe(200);
    const body = { quoteId: quote.body.quoteId, clientOrderId: `order-${index}` };
    expect((await service.request('POST', '/api/v1/orders', { key, user: 'player', body })).status).toBe(201);
    const limits = { maxWagerMinor: 5_000 + index, periodStakeMinor: null, periodHours: null };
    expect((await service.request('PUT', '/api/v1/users/player/limits', { key, body: limits })).status).toBe(200);
    const place = { country: index === 0 ? 'DE' : 'FR' };
    expect((await service.request('PUT', '/api/v1/users/player/jurisdiction', { key, body: place })).status).toBe(200);
  }
  await sealFeeds(service.sql, loadLogSigner(service.context.environment, service.context.secrets));
});
afterAll(async () => {
  await tenant.end();
  await service.close();
});

const seen = async (sql: Sql, table: string): Promise<string[]> => {
  const rows = await sql<{ operator_id: string }[]>`select distinct operator_id from ${sql(table)} order by 1`;
  return rows.map((row) => row.operator_id);
};

test('money 24: without an operator a read by tenant sees no row of any table', async () => {
  for (const table of TABLES) {
    expect([table, await seen(tenant, table)]).toEqual([table, []]);
    if (!EMPTY.includes(table)) {
      expect([table, (await seen(service.sql, table)).length]).toEqual([table, expect.any(Number)]);
      expect((await seen(service.sql, table)).length).toBeGreaterThan(1);
    }
  }
});

test('money 24: as one operator it sees that one alone, also where the query forgets to ask, and on reused connections', async () => {
  const other = (
    await service.sql<{ operator_id: string }[]>`select operator_id from operators where slug = 'other'`
  )[0];
  for (const operatorId of [service.operator.operatorId, other?.operator_id ?? '', service.operator.operatorId]) {
    for (const table of TABLES.filter((name) => !EMPTY.includes(name))) {
      const rows = await asOperator<{ operator_id: string }[]>(
        tenant,
        operatorId,
        tenant`select distinct operator_id from ${tenant(table)}`,
      );
      expect([table, rows.map((row) => row.operator_id)]).toEqual([table, [operatorId]]);
    }
    // what was named ended with its statement
    expect(await seen(tenant, 'orders')).toEqual([]);
  }
  const guessed = await asOperator(
    tenant,
    service.operator.operatorId,
    tenant`select 1 from orders where operator_id = ${other?.operator_id ?? ''}`,
  );
  expect(guessed).toEqual([]);
});

test('money 24: it writes nothing and reads nothing else of a tenant', async () => {
  const id = service.operator.operatorId;
  await expect(tenant`update orders set status = 'filled' where operator_id = ${id}`).rejects.toThrow(
    'permission denied',
  );
  for (const table of ['api_keys', 'operators', 'webhook_endpoints', 'embed_sessions', 'quotes']) {
    await expect(tenant`select * from ${tenant(table)}`, table).rejects.toThrow('permission denied');
  }
});

test('money 24: every page of the API passes the wall: with the policies of the tenants gone, it shows nothing', async () => {
  const paths = [
    'orders',
    'positions',
    'settlements',
    'reconciliation/feed',
    'users/player/balance',
    'users/player/ledger',
    'users/player/limits',
    'users/player/jurisdiction',
    'reconciliation/checkpoint',
  ];
  const read = (path: string) => service.request('GET', `/api/v1/${path}`, { user: 'player' });
  for (const path of paths) {
    expect([path, (await read(path)).status]).toEqual([path, 200]);
  }
  expect((await read('users/player/limits')).text).toContain('5000');
  expect((await read('users/player/jurisdiction')).text).toContain('"DE"');
  const [orders, positions] = [await read('orders'), await read('positions')];
  expect([orders.body.count, positions.body.count]).toEqual([1, 1]);
  const owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  try {
    for (const table of TABLES) {
      await owner.query(`alter policy tenant on ${table} using (false)`);
    }
    expect((await read('orders')).body.count).toBe(0);
    expect((await read(`orders/${orders.body.orders[0].orderId}`)).status).toBe(404);
    expect((await read('positions')).body.count).toBe(0);
    expect((await read('reconciliation/feed')).body.items).toEqual([]);
    expect((await read('users/player/balance')).status).toBe(404);
    expect((await read('users/player/limits')).text).not.toContain('5000');
    expect((await read('users/player/jurisdiction')).text).not.toContain('"DE"');
    expect((await read('reconciliation/checkpoint')).status).toBe(404);
  } finally {
    await owner.end();
  }
});
