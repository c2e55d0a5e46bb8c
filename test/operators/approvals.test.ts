/** Changes that a second person must approve: asked once, approved by somebody else, carried out once, on facts that still hold. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemUser } from '../../src/cli/operator-command.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { addStaff, approve } from '../../src/operators/approvals.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { readCollateral } from '../support/collateral.ts';
import type { RunCommand } from '../support/run-command.ts';
import { askedByAnother, joinStaff } from '../support/second-person.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let inlay: RunCommand;
let operator: Operator;
let user: string;
let count = 0;

beforeAll(async () => {
  world = await openWorld();
  inlay = await world.commands();
  user = await joinStaff(world.sql);
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
const person = (name: string) => ({ name, systemUser: name, loginUser: null });
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
    requestedBy: 'ann',
  });
  const { approvalId } = asked.json;
  expect((await withdraw('5000')).json.approvalId).toBe(approvalId);
  expect(await available()).toBe(before);
  expect((await inlay('approvals', 'list', '--json')).json).toMatchObject({
    approvals: [{ approvalId, status: 'pending', requestedBy: 'ann', decidedBy: null }],
    count: 1,
  });
  for (const name of ['ann', 'bob', 'finance-lead']) {
    const own = await approveAs(name, approvalId);
    expect([own.exitCode, own.json.error]).toEqual([1, 'approval_own']);
  }
  await fromAnother(approvalId);
  const done = await approveAs('bob', approvalId);
  expect(done.json).toMatchObject({
    status: 'done',
    requestedUser: 'somebody-else',
    decidedBy: 'bob',
    decidedUser: user,
    result: { reference: approvalId, amount: '50.00' },
  });
  expect(await available()).toBe(before - 5_000n);
  const again = await approveAs('eve', approvalId);
  expect([again.exitCode, again.json.error]).toEqual([1, 'approval_decided']);
  expect(await available()).toBe(before - 5_000n);
  expect((await inlay('approvals', 'list', '--json')).json.count).toBe(0);
  expect((await approveAs('bob', 'apr_none')).exitCode).toBe(3);
});

test('the audit log has both names in one line', async () => {
  const approvalId = await ask('100');
  await approveAs('bob', approvalId);
  const entries = (await inlay('audit', 'log', '--json')).json.entries.filter(
    (entry: { approvalId: string | null }) => entry.approvalId === approvalId,
  );
  expect(entries).toMatchObject([
    { actor: 'ann', systemUser: systemUser(), outcome: 'failed', code: 'approval_required', requestedBy: 'ann' },
    { actor: 'bob', systemUser: systemUser(), outcome: 'done', code: null, requestedBy: 'ann' },
  ]);
  expect((await inlay('audit', 'log', '--actor', 'bob')).stdout).toContain(`done (${approvalId}, requested by ann)`);
});

test('of many who approve at once, one does', async () => {
  const before = await available();
  const approvalId = await ask('700');
  const { sql } = world;
  const people = ['bob', 'eve', 'dan', 'kim'];
  for (const name of people) {
    await addStaff(sql, `${name} of the staff`, name, person('ann'));
  }
  const decided = await Promise.allSettled(people.map((name) => approve(sql, approvalId, person(name))));
  const names = decided.map((one) => (one.status === 'fulfilled' ? one.value.decidedBy : one.reason.code));
  // what was approved and not carried out is returned to be carried out, under the first one's name
  expect(new Set(names).size).toBe(1);
  expect((await approveAs('eve', approvalId)).json).toMatchObject({ status: 'done', decidedBy: names[0] });
  expect((await approveAs('bob', approvalId)).json.error).toBe('approval_decided');
  expect(await available()).toBe(before - 700n);
});

test('a process that dies after the approval leaves it to be carried out, once', async () => {
  const before = await available();
  const approvalId = await ask('300');
  await approve(world.sql, approvalId, person('bob'));
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
  expect(said.json).toMatchObject({ status: 'refused', decidedBy: 'bob', reason: 'no such wire' });
  expect((await approveAs('eve', refused)).json.error).toBe('approval_decided');
  const withdrawn = await ask('10');
  const own = await inlay('approvals', 'refuse', withdrawn, '--reason', 'typed wrong', '--as', 'ann', '--json');
  expect(own.json).toMatchObject({ status: 'refused', decidedBy: 'ann' });
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
  const decided = "decision = 'approved', decided_by = 'bob', decided_at = now()";
  await expect(set(`${decided}, decided_user = 'somebody-else'`)).rejects.toMatchObject({
    constraint_name: 'approved_by_another',
  });
  await expect(
    set(`decision = 'approved', decided_by = 'bob', decided_user = 'bob', decided_at = now() + interval '9 days'`),
  ).rejects.toMatchObject({
    constraint_name: 'decided_before_it_expires',
  });
  await expect(set(`outcome = 'done', ended_at = now()`)).rejects.toMatchObject({ code: '23514' });
  await expect(set(`request = '{}'`)).rejects.toMatchObject({ code: '42501' });
  await expect(sql`delete from approvals`).rejects.toThrow();
  await set(`decision = 'refused', decided_by = 'bob', decided_user = 'bob', decided_at = now(), reason = 'no'`);
  await expect(set(`decision = 'approved', reason = null`)).rejects.toMatchObject({ code: 'IN002' });
});

test('less collateral by operators update is a withdrawal as well', async () => {
  const before = await available();
  const less = await inlay('operators', 'update', operator.slug, '--collateral', '1', '--json');
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
