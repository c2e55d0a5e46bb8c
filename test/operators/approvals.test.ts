/** Changes that a second person must approve: asked once, approved by somebody else, carried out once, on facts that still hold. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { approve } from '../../src/operators/approvals.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { readCollateral } from '../support/collateral.ts';
import type { RunCommand } from '../support/run-command.ts';
import { askedByAnother } from '../support/second-person.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let inlay: RunCommand;
let operator: Operator;
let count = 0;

beforeAll(async () => {
  world = await openWorld();
  inlay = await world.commands();
  operator = await world.createOperator({ slug: 'approved', mode: 'live' });
  await moveCollateral(world.sql, operator.operatorId, 'deposit', 100_000n, 'wire 1');
  const all = ['collateral_withdrawal', 'market_reopening', 'market_resolution', 'order_resolution'];
  const set = await inlay('approvals', 'required', ...all.flatMap((kind) => ['--set', kind]), '--as', 'ann', '--json');
  expect(set.json).toEqual({ required: all });
});
afterAll(() => world.close());

const available = async () => (await readCollateral(world.sql, operator.operatorId)).availableMinor;
const as = (name: string) => ['--as', name, '--yes', '--json'] as const;
const withdraw = (cents: string, ...flags: string[]) =>
  inlay('operators/collateral', 'withdraw', operator.slug, cents, ...flags, ...as('ann'));
/** Asks for a withdrawal under a reference of its own. */
const ask = async (cents: string): Promise<string> => {
  count += 1;
  const { exitCode, json } = await withdraw(cents, '--reference', `out ${count}`);
  expect([exitCode, json.error]).toEqual([1, 'approval_required']);
  await fromAnother(json.approvalId);
  return json.approvalId;
};
const fromAnother = (approvalId: string) => askedByAnother(world.database.ownerUrl, approvalId);
const approveAs = (name: string, approvalId: string) => inlay('approvals', 'approve', approvalId, ...as(name));

// contract 23.4, contract 39.9
test('a withdrawal waits, is approved by another person and by no other name, and is made once', async () => {
  const before = await available();
  const asked = await withdraw('5000');
  expect(asked.exitCode).toBe(1);
  expect(asked.json).toMatchObject({
    error: 'approval_required',
    kind: 'collateral_withdrawal',
    summary: 'withdraw 50.00 of approved',
    requestedBy: SERVICE_ROLE,
  });
  const { approvalId } = asked.json;
  expect((await withdraw('5000')).json.approvalId).toBe(approvalId);
  expect(await available()).toBe(before);
  expect((await inlay('approvals', 'list', '--json')).json).toMatchObject({
    approvals: [{ approvalId, status: 'pending', requestedBy: SERVICE_ROLE, decidedBy: null }],
    count: 1,
  });
  for (const name of ['ann', 'bob', 'finance-lead']) {
    const own = await approveAs(name, approvalId);
    expect([own.exitCode, own.json.error]).toEqual([1, 'approval_own']);
    expect(own.json.message).toMatch(/no second login: docs\/operations\.md, "A login for each person"/);
  }
  await fromAnother(approvalId);
  const done = await approveAs('bob', approvalId);
  expect(done.json).toMatchObject({
    status: 'done',
    requestedBy: 'somebody_else',
    decidedBy: SERVICE_ROLE,
    result: { reference: approvalId, amount: '50.00' },
  });
  expect(await available()).toBe(before - 5_000n);
  const again = await approveAs('eve', approvalId);
  expect([again.exitCode, again.json.error]).toEqual([1, 'approval_decided']);
  expect(await available()).toBe(before - 5_000n);
  expect((await inlay('approvals', 'list', '--json')).json.count).toBe(0);
  expect((await approveAs('bob', 'apr_none')).exitCode).toBe(3);
});

test('the audit log has both logins in one line', async () => {
  const approvalId = await ask('100');
  await approveAs('bob', approvalId);
  const entries = (await inlay('audit', 'log', '--json')).json.entries.filter(
    (entry: { approvalId: string | null }) => entry.approvalId === approvalId,
  );
  expect(entries).toMatchObject([
    { login: SERVICE_ROLE, note: 'ann', outcome: 'failed', code: 'approval_required', requestedBy: 'somebody_else' },
    { login: SERVICE_ROLE, note: 'bob', outcome: 'done', code: null, requestedBy: 'somebody_else' },
  ]);
  expect((await inlay('audit', 'log', '--actor', 'bob')).stdout).toContain(
    `done (${approvalId}, requested by somebody_else)`,
  );
});

test('a process that dies after the approval leaves it to be carried out, once', async () => {
  const before = await available();
  const approvalId = await ask('300');
  await approve(world.sql, approvalId);
  expect((await inlay('approvals', 'list', '--json')).json.approvals).toMatchObject([
    { approvalId, status: 'approved' },
  ]);
  // it died after the money moved, and before that was noted
  await moveCollateral(world.sql, operator.operatorId, 'withdrawal', 300n, `out ${count}`);
  expect((await approveAs('bob', approvalId)).json).toMatchObject({ status: 'done' });
  expect(await available()).toBe(before - 300n);
});

test('facts that no longer allow it end it, and nothing moves', async () => {
  const before = await available();
  const approvalId = await ask(before.toString());
  await moveCollateral(world.sql, operator.operatorId, 'withdrawal', 1n, 'meanwhile');
  const failed = await approveAs('bob', approvalId);
  expect([failed.exitCode, failed.json.error]).toEqual([1, 'insufficient_collateral']);
  expect(await available()).toBe(before - 1n);
  expect((await inlay('approvals', 'list', '--all', '--json')).json.approvals[0]).toMatchObject({
    approvalId,
    status: 'failed',
    code: 'insufficient_collateral',
  });
});

test('a refused request and an expired one are never carried out', async () => {
  const before = await available();
  const refused = await ask('10');
  const said = await inlay('approvals', 'refuse', refused, '--reason', 'no such wire', '--as', 'bob', '--json');
  expect(said.json).toMatchObject({ status: 'refused', decidedBy: SERVICE_ROLE, reason: 'no such wire' });
  expect((await approveAs('eve', refused)).json.error).toBe('approval_decided');
  const old = await ask('10');
  await world.damage(`update approvals set expires_at = now() - interval '1 second' where approval_id = '${old}'`);
  expect((await approveAs('bob', old)).json.error).toBe('approval_expired');
  expect(await available()).toBe(before);
});

test('the database refuses what the code must not do', async () => {
  const approvalId = await ask('10');
  const { sql } = world;
  const set = (assignment: string) =>
    sql.unsafe(`update approvals set ${assignment} where approval_id = '${approvalId}'`);
  const byOwner = async (assignment: string) => {
    const owner = connect(world.database.ownerUrl, { max: 1, applicationName: 'inlay-test' });
    try {
      return await owner.unsafe(`update approvals set ${assignment} where approval_id = '${approvalId}'`);
    } finally {
      await owner.end();
    }
  };
  const decided = "decision = 'approved', decided_by = 'bob', decided_at = now()";
  await expect(byOwner(decided.replace('bob', 'somebody_else'))).rejects.toMatchObject({
    constraint_name: 'approved_by_another',
  });
  await expect(byOwner(`${decided} + interval '9 days'`)).rejects.toMatchObject({
    constraint_name: 'decided_before_it_expires',
  });
  await expect(set(`outcome = 'done', ended_at = now()`)).rejects.toMatchObject({ code: '23514' });
  for (const forbidden of [`request = '{}'`, decided, `requested_by = 'bob'`]) {
    await expect(set(forbidden), forbidden).rejects.toMatchObject({ code: '42501' });
  }
  await expect(sql`delete from approvals`).rejects.toThrow();
  await byOwner(`decision = 'refused', decided_by = 'bob', decided_at = now(), reason = 'no'`);
  await expect(byOwner(`decision = 'approved', reason = null`)).rejects.toMatchObject({ code: 'IN002' });
});

test('less collateral by operators update is a withdrawal as well', async () => {
  const before = await available();
  const less = await inlay('operators', 'update', operator.slug, '--collateral', '1', '--yes', '--json');
  expect([less.exitCode, less.json.error]).toEqual([1, 'approval_required']);
  const more = await inlay('operators', 'update', operator.slug, '--collateral', `${before + 5n}`, '--json');
  expect(more.exitCode).toBe(0);
  expect(await available()).toBe(before + 5n);
});

test('a resolution and a reopening wait, and rest on the resolution that was seen', async () => {
  const market = await world.openMarket('approvals');
  const { sql } = world;
  const { contractId } = market;
  const read = async () =>
    (await sql`select resolution from contracts where contract_id = ${contractId}`)[0]?.['resolution'];
  const yes = await inlay('markets', 'resolve', contractId, 'yes', ...as('ann'));
  const no = await inlay('markets', 'resolve', contractId, 'no', ...as('ann'));
  expect(await read()).toBeNull();
  await fromAnother(yes.json.approvalId);
  await fromAnother(no.json.approvalId);
  expect((await approveAs('bob', yes.json.approvalId)).json).toMatchObject({
    result: { resolution: 'YES', changed: true },
  });
  const stale = await approveAs('bob', no.json.approvalId);
  expect([stale.exitCode, stale.json.error, await read()]).toEqual([1, 'facts_changed', 'YES']);
  const reopen = await inlay('markets', 'reopen', contractId, ...as('ann'));
  expect(await read()).toBe('YES');
  await fromAnother(reopen.json.approvalId);
  expect((await approveAs('bob', reopen.json.approvalId)).exitCode).toBe(0);
  expect(await read()).toBeNull();
  expect((await inlay('markets', 'reopen', 'ctr_none', ...as('ann'))).exitCode).toBe(3);
});

test('fewer kinds need approval only after somebody else approved that', async () => {
  const required = async () => (await inlay('approvals', 'required', '--json')).json.required;
  const all = await required();
  const fewer = await inlay('approvals', 'required', '--none', '--as', 'ann', '--json');
  expect(fewer.json).toMatchObject({ error: 'approval_required', kind: 'approval_rules' });
  expect(await required()).toEqual(all);
  expect((await approveAs('bob', fewer.json.approvalId)).json.error).toBe('approval_own');
  await fromAnother(fewer.json.approvalId);
  expect((await approveAs('bob', fewer.json.approvalId)).json).toMatchObject({ result: { required: [] } });
  expect(await required()).toEqual([]);
  const before = await available();
  expect((await withdraw('10')).exitCode).toBe(0);
  expect(await available()).toBe(before - 10n);
});
