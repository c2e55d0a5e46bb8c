/** The second wall between tenants: what the API reads by tenant shows rows of the operator that the statement names, or none. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOperator, TENANT_ROLE } from '../../src/db/by-operator.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { openWorld, type World } from '../support/world.ts';

const TABLES = [
  ...['orders', 'positions', 'customers', 'journal', 'operator_ledgers', 'wallets'],
  ...['collateral_references', 'feed_log_tiles', 'feed_log_heads', 'feed_log_keys'],
];

/** Of several tables, with the policies of those. */
const VIEWS = ['ledger_lines', 'account_balances'];

/** What the checks of the report compare those with; of some, single columns. */
const REPORTED = [
  ...['exposures', 'position_holdings', 'sandbox_resolutions', 'venue_evidence'],
  ...['operators', 'transmissions', 'sandbox_deposits', 'venue_findings'],
  ...['webhook_relays', 'webhook_subscriptions', 'webhook_deliveries', 'webhook_attempts', 'webhook_endpoints'],
  // the auditor's books
  ...['audit.progress', 'audit.accounts', 'audit.orders', 'audit.fills', 'audit.positions', 'audit.holdings'],
  ...['audit.settlements', 'audit.movements', 'audit.deposits', 'audit.findings'],
];

/** No collateral has moved here. */
const EMPTY = ['collateral_references'];

let service: World;
let tenant: Sql;

beforeAll(async () => {
  service = await openWorld();
  tenant = connect(service.database.url, { max: 3, applicationName: 'inlay-test-tenant', role: TENANT_ROLE });
  const market = await service.openMarket('walled');
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
  const signer = loadLogSigner(service.context.environment, service.context.secrets);
  await sealFeeds(service.sql, signer);
  await service.sql`
    insert into feed_log_keys (operator_id, number, size, verifier_key, compromised, note)
    select operator_id, 1, size, 'key', false, 'note' from feed_log_heads`;
});
afterAll(async () => {
  await tenant.end();
  await service.close();
});

const seen = async (sql: Sql, table: string): Promise<string[]> => {
  const rows = await sql<{ operatorId: string }[]>`select distinct operator_id from ${sql(table)} order by 1`;
  return rows.map((row) => row.operatorId);
};

test('without an operator a read by tenant sees no row of any table', async () => {
  for (const table of [...TABLES, ...VIEWS]) {
    expect([table, await seen(tenant, table)]).toEqual([table, []]);
    if (!EMPTY.includes(table)) {
      expect([table, (await seen(service.sql, table)).length]).toEqual([table, expect.any(Number)]);
      expect((await seen(service.sql, table)).length).toBeGreaterThan(1);
    }
  }
});

test('as one operator it sees that one alone, also where the query forgets to ask, and on reused connections', async () => {
  const other = (
    await service.sql<{ operatorId: string }[]>`select operator_id from operators where slug = 'other'`
  )[0];
  for (const operatorId of [service.operator.operatorId, other?.operatorId ?? '', service.operator.operatorId]) {
    for (const table of [...TABLES, ...VIEWS].filter((name) => !EMPTY.includes(name))) {
      const rows = await asOperator<{ operatorId: string }[]>(
        tenant,
        operatorId,
        tenant`select distinct operator_id from ${tenant(table)}`,
      );
      expect([table, rows.map((row) => row.operatorId)]).toEqual([table, [operatorId]]);
    }
    // what was named ended with its statement
    expect(await seen(tenant, 'orders')).toEqual([]);
  }
  const guessed = await asOperator(
    tenant,
    service.operator.operatorId,
    tenant`select 1 from orders where operator_id = ${other?.operatorId ?? ''}`,
  );
  expect(guessed).toEqual([]);
});

test('it writes nothing and reads nothing else of a tenant', async () => {
  const id = service.operator.operatorId;
  await expect(tenant`update orders set status = 'filled' where operator_id = ${id}`).rejects.toThrow(
    'permission denied',
  );
  for (const table of ['api_keys', 'operators', 'webhook_endpoints', 'embed_sessions', 'quotes']) {
    await expect(tenant`select * from ${tenant(table)}`, table).rejects.toThrow('permission denied');
  }
});

test('every page of the API passes the wall: with the policies of the tenants gone, it shows nothing', async () => {
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
    'webhook-events',
    'webhook-endpoints',
    'webhook-deliveries',
  ];
  const read = (path: string) => service.request('GET', `/api/v1/${path}`, { user: 'player' });
  for (const path of paths) {
    expect([path, (await read(path)).status]).toEqual([path, 200]);
  }
  expect((await read('users/player/limits')).text).toContain('5000');
  expect((await read('users/player/jurisdiction')).text).toContain('"DE"');
  expect((await read('webhook-events')).body.events).toHaveLength(1);
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
    expect((await read(`orders/${orders.body.orders[0].orderId}/history`)).status).toBe(404);
    expect((await read('positions')).body.count).toBe(0);
    expect((await read('reconciliation/feed')).body.items).toEqual([]);
    expect((await read('webhook-events')).body.events).toEqual([]);
    expect((await read('users/player/balance')).status).toBe(404);
    expect((await read('users/player/limits')).text).not.toContain('5000');
    expect((await read('users/player/jurisdiction')).text).not.toContain('"DE"');
    expect((await read('reconciliation/checkpoint')).status).toBe(404);
  } finally {
    await owner.end();
  }
});

test('reports and exports pass the wall too: with the policies of the tenants gone, they see nothing', async () => {
  const operatorId = service.operator.operatorId;
  const kinds = ['feed', 'orders', 'positions', 'ledger', 'revenue'];
  const exported = async (kind: string): Promise<number> => {
    const answer = await service.request('GET', `/api/v1/reconciliation/export?kind=${kind}&format=jsonl`);
    expect([kind, answer.status]).toEqual([kind, 200]);
    return JSON.parse(answer.headers.get('x-export') ?? '{}').rows;
  };
  const seenBy = async () => {
    const sql = await service.context.reportsOf(operatorId);
    try {
      return await Promise.all([...TABLES, ...VIEWS, ...REPORTED].map((table) => seen(sql, table)));
    } finally {
      await sql.end();
    }
  };
  const owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  const setPolicies = async (using: string) => {
    for (const table of [...TABLES, ...REPORTED]) {
      await owner.query(`alter policy tenant on ${table} using (${using})`);
    }
  };
  await setPolicies("operator_id = (select current_setting('inlay.operator', true))");
  try {
    expect((await service.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true, findings: [] });
    for (const kind of kinds) {
      expect([kind, (await exported(kind)) > 0]).toEqual([kind, true]);
    }
    const own = await seenBy();
    expect(own.every((ids) => ids.length === 0 || (ids.length === 1 && ids[0] === operatorId))).toBe(true);
    expect(own.filter((ids) => ids.length > 0).length).toBeGreaterThan(10);
    await setPolicies('false');
    for (const kind of kinds) {
      expect([kind, await exported(kind)]).toEqual([kind, 0]);
    }
    expect((await seenBy()).flat()).toEqual([]);
    // a report begins with the mode of its operator
    await owner.query('alter policy tenant on operators using (true)');
    const { scanned } = (await service.request('GET', '/api/v1/reconciliation')).body;
    expect(scanned).toMatchObject({ entries: 0, lines: 0 });
  } finally {
    await setPolicies("operator_id = (select current_setting('inlay.operator', true))");
    await owner.end();
  }
});

test('the wall costs a statement one comparison, and no row is looked at for it', async () => {
  const operatorId = service.operator.operatorId;
  const sql = await service.context.reportsOf(operatorId);
  try {
    for (const table of [...TABLES, ...REPORTED]) {
      const plan = (
        await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain select * from (select operator_id from ${table}) t
          where operator_id = '${operatorId}'`)
      ).map((row) => row['QUERY PLAN']);
      const filters = plan.filter((line) => line.includes('Filter:'));
      expect([table, filters.some((line) => line.includes('One-Time Filter: (((InitPlan 1).col1)'))]).toEqual([
        table,
        true,
      ]);
      expect([table, filters.filter((line) => !line.includes('One-Time') && line.includes('InitPlan'))]).toEqual([
        table,
        [],
      ]);
    }
  } finally {
    await sql.end();
  }
});
