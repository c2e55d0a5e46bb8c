/** Who a person is, the database says: the login with which a command is connected. Two logins are two people, one never is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { ADMIN_ROLE, SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { approve, requestApproval } from '../../src/operators/approvals.ts';
import { createOperator } from '../../src/operators/operators.ts';
import type { AnyJson } from '../support/any-json.ts';
import { type Login, makeLogins } from '../support/logins.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let ann: Login;
let bob: Login;
let others: Login[];
/** Connections of the logins, as with psql. */
const pools = new Map<Login, Sql>();
const sqlOf = (login: Login) => pools.get(login) as Sql;

beforeAll(async () => {
  world = await openWorld();
  const operator = await createOperator(world.sql, { slug: 'livecust', mode: 'live' });
  await moveCollateral(world.sql, operator.operatorId, 'deposit', 100_000n, 'wire');
  await world.sql`insert into approval_kinds (kind) values ('collateral_withdrawal')`;
  const made = world.add(await makeLogins(world.database, 'ann', 'bob', 'eve', 'dan'));
  [ann, bob, ...others] = made.logins as [Login, Login, ...Login[]];
  for (const login of made.logins) {
    const pool = connect(login.url, { max: 1, applicationName: 'inlay-test-person' });
    pools.set(login, pool);
    world.add({ close: () => pool.end({ timeout: 1 }) });
  }
});
afterAll(async () => {
  delete process.env['DATABASE_ADMIN_URL'];
  await world.close();
});

async function run(login: Login, ...argv: [string, string, ...string[]]): Promise<AnyJson> {
  const inlay = await world.commands({ DATABASE_ADMIN_URL: login.url });
  return (await inlay(...argv, '--json')).json;
}
const ask = async (login: Login): Promise<string> => {
  const reference = world.database.newName('out');
  const asked = await run(
    login,
    'operators/collateral',
    'withdraw',
    'livecust',
    '50',
    '--reference',
    reference,
    '--yes',
  );
  expect(asked.error, JSON.stringify(asked)).toBe('approval_required');
  return asked.approvalId;
};

// contract 23.4, contract 39.18
test('the login that asked cannot approve, another one does, and the audit log has both', async () => {
  const approvalId = await ask(ann);
  expect(await run(ann, 'approvals', 'approve', approvalId, '--as', bob.name, '--yes')).toMatchObject({
    error: 'approval_own',
    message: expect.stringContaining(`${ann.name} made this request; another administrator`),
  });
  expect(await run(bob, 'approvals', 'approve', approvalId, '--as', 'finance', '--yes')).toMatchObject({
    status: 'done',
    requestedBy: ann.name,
    decidedBy: bob.name,
  });
  const { entries } = await run(ann, 'audit', 'log');
  expect(entries.filter((entry: AnyJson) => entry.approvalId === approvalId)).toMatchObject([
    { login: ann.name, note: null, code: 'approval_required', requestedBy: ann.name },
    { login: ann.name, note: bob.name, code: 'approval_own', requestedBy: ann.name },
    { login: bob.name, note: 'finance', outcome: 'done', requestedBy: ann.name },
  ]);
  // who asked may withdraw it
  const withdrawn = await run(ann, 'approvals', 'refuse', await ask(ann), '--reason', 'typed wrong');
  expect(withdrawn).toMatchObject({ status: 'refused', decidedBy: ann.name });
});

// contract 23.5
test('no SQL of the one who asked approves it, or names somebody else', async () => {
  const approvalId = await ask(ann);
  const sql = sqlOf(ann);
  const approval = `decide_approval('${approvalId}', 'approved', null)`;
  for (const forbidden of [
    `update approvals set decision = 'approved', decided_by = '${bob.name}', decided_at = now() where approval_id = '${approvalId}'`,
    `update approvals set requested_by = '${bob.name}' where approval_id = '${approvalId}'`,
    `insert into approvals (approval_id, kind, request, summary, requested_by, expires_at)
       values ('apr_x', 'collateral_withdrawal', '{}', 's', '${bob.name}', now() + interval '1 day')`,
    `delete from approvals`,
    `insert into approval_kinds (kind, required_by) values ('order_resolution', '${bob.name}')`,
    `set session authorization ${bob.name}`,
    `set role ${bob.name}`,
    `alter table approvals disable trigger user`,
    `alter function decide_approval(text, text, text) security invoker`,
  ]) {
    await expect(sql.unsafe(forbidden), forbidden).rejects.toMatchObject({ code: '42501' });
  }
  const decides = async () => (await sql.unsafe(`select ${approval} as decided`))[0]?.['decided'];
  expect(await decides()).toBe(false);
  await sql.unsafe(`set role ${ADMIN_ROLE}`);
  expect(await decides()).toBe(false);
  await sql.unsafe(`set role inlay_tenant`);
  await expect(decides()).rejects.toMatchObject({ code: '42501' });
  await sql.unsafe('reset role');
  // a table of its own in place of the real one
  await sql.unsafe(`create temporary table approvals as select * from public.approvals`);
  await sql.unsafe(`update pg_temp.approvals set requested_by = '${bob.name}'`);
  expect(await decides()).toBe(false);
  await sql.unsafe(`drop table pg_temp.approvals`);
  const filed = await requestApproval(sql, 'approval_rules', { kind: 'approval_rules', kinds: [] }, 'need none');
  expect(filed?.requestedBy).toBe(ann.name);
  expect(await run(bob, 'approvals', 'approve', approvalId, '--yes')).toMatchObject({ status: 'done' });
});

// contract 39.18
test('nobody writes a record of another login, or ends the change of one', async () => {
  const before = (await run(ann, 'audit', 'log')).entries;
  const sql = sqlOf(ann);
  const columns = 'change_id, command, arguments, outcome';
  for (const forbidden of [
    `insert into audit_log (${columns}, login) values ('aud_x', 'keys issue', '{}', 'started', '${bob.name}')`,
    `insert into audit_log (${columns}, recorded_at) values ('aud_x', 'keys issue', '{}', 'started', '2020-01-01')`,
    `update audit_log set login = '${bob.name}'`,
  ]) {
    await expect(sql.unsafe(forbidden), forbidden).rejects.toMatchObject({ code: '42501' });
  }
  await sqlOf(bob).unsafe(`insert into audit_log (${columns}) values ('aud_bob', 'keys issue', '{}', 'started')`);
  await sql.unsafe(`insert into audit_log (${columns}) values ('aud_bob', 'keys issue', '{}', 'done')`);
  const after = (await run(ann, 'audit', 'log')).entries;
  expect(after.slice(before.length)).toMatchObject([{ changeId: 'aud_bob', login: bob.name, outcome: null }]);
});

test('of many who approve at once, one does', async () => {
  const approvalId = await ask(ann);
  const people = [bob, ...others];
  const decided = await Promise.all(people.map((login) => approve(sqlOf(login), approvalId)));
  // what was approved and not carried out is returned to be carried out, under the first one's login
  expect(new Set(decided.map(({ decidedBy }) => decidedBy)).size).toBe(1);
  const done = await run(ann, 'approvals', 'approve', approvalId, '--yes');
  expect(done).toMatchObject({ status: 'done', decidedBy: decided[0]?.decidedBy });
});

// contract 34.12
test('a login is no role of its own: a migration and doctor know it as a member of the administrators', async () => {
  expect(await run(ann, 'customers', 'suspend', '--operator', 'demo', '--user', 'ana', '--yes')).toMatchObject({
    status: 'suspended',
  });
  expect((await run(ann, 'customers', 'show', 'ana', '--operator', 'demo')).customer.suspension.setBy).toBe(ann.name);
  await world.damage(`delete from settings where name like 'grants:%'`);
  await world.damage('delete from admin_roles');
  expect(await run(bob, '', 'migrate')).toMatchObject({ functions: true });
  expect(await run(bob, '', 'migrate')).toMatchObject({ functions: false });
  expect(await world.sql`select role::text from admin_roles`).toEqual([{ role: ADMIN_ROLE }]);
  const { checks } = await run(ann, '', 'doctor');
  expect(checks.find(({ name }: AnyJson) => name === 'roles')).toMatchObject({
    ok: true,
    detail: expect.stringContaining(
      `the service connects as ${SERVICE_ROLE}, which cannot change append-only tables; commands connect as ${ann.name}`,
    ),
  });
});
