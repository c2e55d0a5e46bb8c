/** With a role for the commands of the service operator, a process of the service makes no key, opens no gate and approves nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TENANT_ROLE } from '../../src/db/by-operator.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { migrate, roleOf } from '../../src/db/schema/migrate.ts';
import { separateAdministrators } from '../support/database.ts';
import type { TestMarket } from '../support/market.ts';
import { inlay } from '../support/process.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let admin: Sql;
let market: TestMarket;
let dataDir: string;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('administered');
  await separateAdministrators(service.database);
  admin = connect(service.database.adminUrl, { max: 2, applicationName: 'inlay-test-admin' });
  dataDir = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  env = {
    ...{ DATABASE_URL: service.database.url, DATABASE_OWNER_URL: service.database.ownerUrl },
    ...{ DATABASE_ADMIN_URL: service.database.adminUrl, INLAY_DATA_DIR: dataDir },
    ...{ INLAY_SECRET: 'a secret that only tests know', INLAY_API_URL: service.url },
  };
});
afterAll(async () => {
  await admin.end();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

const FORBIDDEN = [
  `insert into api_keys (key_id, operator_id, key_hash, prefix, rate_limit) select 'key_x', operator_id, '\\x01', 'pk', 60 from operators where slug = 'demo'`,
  `update api_keys set scopes = '{*}'`,
  `update api_keys set revoked_at = null`,
  `update operators set execution_confirmed = true`,
  `update operators set status = 'active'`,
  `update operators set simulate_ceiling_minor = 1000000`,
  `insert into operators (operator_id, slug, name, mode) values ('op_x', 'x', 'X', 'live')`,
  `insert into approval_kinds (kind) values ('order_resolution')`,
  `delete from approval_kinds`,
  `insert into audit_log (change_id, command, arguments, outcome) values ('aud_x', 'keys issue', '{}', 'started')`,
  `insert into approvals (approval_id, kind, request, summary, requested_by, expires_at) values ('apr_x', 'market_reopening', '{}', 's', 'ann', now() + interval '1 day')`,
  `update approvals set decision = 'approved', decided_by = 'eve', decided_at = now()`,
  `select request_approval('apr_x', 'approval_rules', '{}', 's')`,
  `select decide_approval('apr_x', 'approved', null)`,
  `insert into admin_roles (role) values ('inlay_service')`,
  `select * from move_collateral('op_x', null, null)`,
  `insert into collateral_references select * from collateral_references`,
  `select * from close_period('op_x', now())`,
  `insert into accounting_periods select * from accounting_periods`,
  `insert into period_statements select * from period_statements`,
  `select * from decide_market_as_seen('ctr_x', 'resolve', 'YES', null, null)`,
  `insert into feed_log_keys select * from feed_log_keys`,
  `insert into suspension_changes (operator_id, external_user_id, action, set_by) values ('op_x', 'ana', 'resumed', 'ann')`,
  `insert into venue_redemptions values ('polymarket', 'lst_x', 'reference', 'ann')`,
  `insert into display_rates (currency, rate) values ('EUR', 2)`,
  `update display_rates set rate = 2`,
  `update operator_books set name = 'x'`,
  `update venue_stops set resumed_at = now(), resumed_by = 'ann'`,
];

/** The functions by which a person decides. */
const OF_COMMANDS = [
  ...['change_log_key', 'close_period', 'decide_approval', 'decide_market', 'decide_market_as_seen', 'insert_operator'],
  ...['match_listings', 'move_collateral', 'open_ledger', 'replay_webhook_deliveries', 'request_approval'],
  ...['unmatch_listings', 'update_operator', 'verify_routing_group'],
];

// contract 34.12
test('only the commands call the functions by which a person decides', async () => {
  const [row] = await admin<{ closed: string[] }[]>`
    select array_agg(p.proname::text order by p.proname) as closed from pg_proc p
    where p.pronamespace = 'public'::regnamespace and has_function_privilege(current_user, p.oid, 'execute')
      and not has_function_privilege(${roleOf(service.database.url)}::name, p.oid, 'execute')`;
  expect(row?.closed).toEqual(OF_COMMANDS);
});

// contract 34.12
test.each(FORBIDDEN)('the role of the API may not: %s', async (statement) => {
  await expect(service.sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
});

test('a migration by the service without the administrators gives nothing back', async () => {
  const { ownerUrl } = service.database;
  expect(await migrate(ownerUrl)).toEqual({ applied: [], functions: false, spread: [] });
  await service.sql`delete from settings where name like 'grants:%'`;
  expect(await migrate(ownerUrl)).toEqual({ applied: [], functions: true, spread: [] });
  await expect(service.sql.unsafe(`update operators set execution_confirmed = true`)).rejects.toMatchObject({
    code: '42501',
  });
  expect(await admin`select operator_id from operators for update`).toHaveLength(2);
});

test("what the commands' role may not change is what nobody may", async () => {
  for (const statement of [
    'update audit_log set note = null',
    'delete from journal',
    'delete from approvals',
    `insert into admin_roles (role) values ('inlay_service')`,
  ]) {
    await expect(admin.unsafe(statement), statement).rejects.toMatchObject({ code: '42501' });
  }
});

test('the API goes on trading, limiting, minting and reporting with the smaller role', async () => {
  const wish = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 };
  const quote = await service.request('POST', '/api/v1/quotes', { user: 'ana', body: wish });
  expect(quote.status).toBe(200);
  const order = { quoteId: quote.body.quoteId, clientOrderId: 'one' };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).status).toBe(201);
  const limits = { maxWagerMinor: 5_000, periodStakeMinor: null, periodHours: null };
  expect((await service.request('PUT', '/api/v1/users/ana/limits', { body: limits })).status).toBe(200);
  const place = { country: 'DE' };
  expect((await service.request('PUT', '/api/v1/users/ana/jurisdiction', { body: place })).status).toBe(200);
  const minted = await service.request('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'ana' } });
  expect(minted.status).toBe(200);
  for (const path of ['orders', 'positions', 'reconciliation/feed', 'reconciliation', 'users/ana/ledger']) {
    expect([path, (await service.request('GET', `/api/v1/${path}`)).status]).toEqual([path, 200]);
  }
  expect((await service.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true, findings: [] });
});

// contract 41.7
test('commands use DATABASE_ADMIN_URL, and say that they need it', async () => {
  const { DATABASE_ADMIN_URL: _, ...without } = env as Record<string, string>;
  const issue = ['keys', 'issue', '--operator', 'demo', '--json'];
  const refused = await inlay(issue, { env: without });
  expect([refused.code, JSON.parse(refused.stdout).error]).toEqual([4, 'database_refused']);
  const issued = await inlay(issue, { env });
  expect(issued.code).toBe(0);
  const { apiKey, keyId } = JSON.parse(issued.stdout);
  expect((await service.request('GET', '/api/v1/orders', { key: apiKey })).status).toBe(200);
  expect((await inlay(['keys', 'revoke', keyId, '--yes', '--json'], { env })).code).toBe(0);
  expect((await service.request('GET', '/api/v1/orders', { key: apiKey })).status).toBe(401);
  expect((await inlay(['operators', 'update', 'demo-live', '--execution-confirmed', '--json'], { env })).code).toBe(0);
});

test('commands move collateral, close a period and decide a market with the role of the commands', async () => {
  const run = async (...argv: string[]) => {
    const { code, stdout } = await inlay([...argv, '--json'], { env });
    return [code, JSON.parse(stdout)];
  };
  const move = (...argv: string[]) => run('operators', 'collateral', ...argv);
  expect(await move('deposit', 'demo-live', '5000')).toMatchObject([0, { kind: 'deposit', available: '50.00' }]);
  const withdrawn = await move('withdraw', 'demo-live', '2000', '--yes');
  expect(withdrawn).toMatchObject([0, { kind: 'withdrawal', available: '30.00' }]);
  const until = new Date().toISOString();
  const closed = await run('periods', 'close', '--operator', 'demo-live', '--until', until, '--yes');
  expect(closed).toMatchObject([0, { closedBy: roleOf(service.database.adminUrl) }]);
  const decided = await service.openMarket('decided');
  expect(await run('markets', 'resolve', decided.contractId, 'yes', '--yes')).toMatchObject([0, { resolution: 'YES' }]);
});

// contract 41.7
test('doctor warns of one role for all, and fails on a superuser', async () => {
  const roles = async (changed: Readonly<Record<string, string>>) => {
    const ran = await inlay(['doctor', '--json'], { env: { ...env, INLAY_API_URL: 'http://127.0.0.1:9', ...changed } });
    const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    return { ...checks.find(({ name }) => name === 'roles'), code: ran.code };
  };
  const apart = await roles({});
  expect(apart).toMatchObject({ ok: true, detail: expect.stringContaining('commands connect as inlay_admin') });
  const { url, ownerUrl } = service.database;
  const one = await roles({ DATABASE_ADMIN_URL: url });
  expect(one).toMatchObject({ ok: false, detail: expect.stringContaining('DATABASE_ADMIN_URL'), code: apart.code });
  const superuser = await roles({ DATABASE_URL: ownerUrl, DATABASE_ADMIN_URL: ownerUrl });
  expect(superuser).toMatchObject({ ok: false, detail: expect.stringContaining('a superuser'), code: 5 });
});

test('functions with the rights of the owner answer a tenant about itself alone, and change nothing for it', async () => {
  const { operatorId } = service.operator;
  const tenant = connect(service.database.url, { max: 1, applicationName: 'inlay-test-tenant', role: TENANT_ROLE });
  const calls = [
    `select * from journal_sequences('${operatorId}', 0, false, '{order_executed}', null, null, 100)`,
    `select * from journal_sequences('${operatorId}', 0, false, null, 'ana', null, 100)`,
    `select * from journal_sequences('${operatorId}', 9223372036854775807, true, '{order_executed}', null, null, 100)`,
    `select * from journal_sequences('${operatorId}', 9223372036854775807, true, null, null, null, 100)`,
  ];
  const counted = async (name: string) => {
    await tenant`select set_config('inlay.operator', ${name}, false)`;
    return Promise.all(calls.map(async (call) => (await tenant.unsafe(call)).length > 0));
  };
  try {
    expect(await Promise.all(calls.map(async (call) => (await tenant.unsafe(call)).length))).toEqual([0, 0, 0, 0]);
    expect(await counted('op_nobody')).toEqual([false, false, false, false]);
    expect(await counted(operatorId)).toEqual([true, true, true, true]);
    for (const call of [
      `maintain_webhooks(interval '1 day')`,
      'make_partitions()',
      `drop_quote_week(now(), interval '1 day')`,
    ]) {
      await expect(tenant.unsafe(`select ${call}`), call).rejects.toMatchObject({ code: '42501' });
    }
  } finally {
    await tenant.end();
  }
  const [row] = await admin<{ open: string[] }[]>`
    select coalesce(array_agg(p.proname::text), '{}') as open from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) granted where granted.grantee = 0)`;
  expect(row?.open).toEqual([]);
});
