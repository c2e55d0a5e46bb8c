/** A second person is another person: real processes of two users of the system, and who may approve. */
import { chownSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loginUser } from '../../src/cli/operator-command.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { type Actor, addStaff, approve, listStaff, requestApproval } from '../../src/operators/approvals.ts';
import { createOperator } from '../../src/operators/operators.ts';
import type { AnyJson } from '../support/any-json.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { inlay } from '../support/process.ts';

/** Debian's `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 };
/** Becoming another user needs root, and a login that is known stays what it was. */
const hasTwoUsers = process.geteuid?.() === 0 && loginUser() === null;

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'inlay-staff-'));
  if (hasTwoUsers) {
    chownSync(folder, NOBODY.uid, NOBODY.gid);
  }
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({
  ...{ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, INLAY_SECRET: 'a secret of tests' },
  ...{ INLAY_DATA_DIR: folder, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
});
const run = async (argv: string[], options = {}): Promise<{ code: number | null; json: AnyJson }> => {
  const { code, stdout } = await inlay([...argv, '--json'], { env: env(), cwd: folder, ...options });
  return { code, json: JSON.parse(stdout) };
};
const user = (name: string, loggedIn: string | null = null): Actor => ({ name, systemUser: name, loginUser: loggedIn });

test('staff add, list and remove', async () => {
  expect(await run(['staff', 'add', 'Ann Lee', '--system-user', 'ann'])).toMatchObject({
    code: 0,
    json: { name: 'Ann Lee', systemUser: 'ann' },
  });
  expect((await run(['staff', 'add', 'Ann Lee', '--system-user', 'ann'])).code).toBe(0);
  expect((await run(['staff', 'add', 'Ann Lee', '--system-user', 'alee'])).code).toBe(0);
  expect(await run(['staff', 'add', 'Bob', '--system-user', 'ann'])).toMatchObject({
    code: 2,
    json: { error: 'invalid_request', message: expect.stringContaining('Ann Lee') },
  });
  const { json } = await run(['staff', 'list']);
  expect(json).toMatchObject({ count: 2, staff: [{ systemUser: 'alee' }, { name: 'Ann Lee', systemUser: 'ann' }] });
  expect(await run(['staff', 'remove', 'Ann Lee', '--yes'])).toMatchObject({
    code: 0,
    json: { name: 'Ann Lee', systemUsers: ['alee', 'ann'] },
  });
  expect((await run(['staff', 'remove', 'Ann Lee', '--yes'])).code).toBe(3);
  expect(await listStaff(database.sql)).toEqual([]);
});

// contract 23.4, contract 23.5
test('who approves is another person, whom somebody added, whatever name is typed', async () => {
  const { sql } = database;
  await sql`insert into approval_kinds (kind, required_by) values ('market_reopening', 'ann')`;
  await addStaff(sql, 'Ann Lee', 'ann', user('ann'));
  await addStaff(sql, 'ann lee', 'alee', user('ann'));
  await addStaff(sql, 'Bob', 'bob', user('ann'));
  const ask = async (who: Actor) => {
    const asked = await requestApproval(sql, 'market_reopening', { at: performance.now() }, 'reopen it', who);
    return asked?.approvalId ?? '';
  };
  const answer = (approvalId: string, who: Actor) =>
    approve(sql, approvalId, who).then(
      ({ decidedUser }) => decidedUser,
      ({ code }: { code: string }) => code,
    );
  const asked = await ask(user('ann'));
  expect(await answer(asked, user('ann'))).toBe('approval_own');
  expect(await answer(asked, { ...user('ann'), name: 'finance-lead' })).toBe('approval_own');
  // the same person as another user, and as another user after a login that is known
  expect(await answer(asked, user('alee'))).toBe('approval_own');
  expect(await answer(asked, user('bob', 'ann'))).toBe('approval_own');
  expect(await answer(asked, user('eve'))).toBe('approver_unknown');
  expect(await answer(asked, user('bob', 'eve'))).toBe('approver_unknown');
  expect(await answer(asked, user('bob'))).toBe('bob');
  // two people who both work as root are known by their logins
  expect(await answer(await ask(user('root', 'ann')), user('root', 'bob'))).toBe('bob');
  expect(await answer(await ask(user('root', 'bob')), user('root', 'bob'))).toBe('approval_own');
});

// contract 23.4, contract 23.5
test.skipIf(!hasTwoUsers)(
  'of two users of this system the one who asked approves under no name, and the other once somebody added him',
  async () => {
    const operator = await createOperator(database.sql, { slug: 'livecust', mode: 'live' });
    await moveCollateral(database.sql, operator.operatorId, 'deposit', 10_000n, 'wire');
    expect(
      (await run(['approvals', 'required', '--set', 'market_reopening', '--set', 'collateral_withdrawal'])).code,
    ).toBe(0);
    const asked = await run(['operators', 'collateral', 'withdraw', 'livecust', '5000', '--yes']);
    expect(asked.json.error).toBe('approval_required');
    const approveIt = ['approvals', 'approve', asked.json.approvalId, '--yes'];
    expect((await run(['staff', 'add', 'Rita', '--system-user', 'root'])).code).toBe(0);
    expect((await run(approveIt)).json.error).toBe('approval_own');
    expect((await run([...approveIt, '--as', 'finance-lead'])).json.error).toBe('approval_own');
    expect((await run(approveIt, NOBODY)).json.error).toBe('approver_unknown');
    expect((await run(['staff', 'add', 'Norbert', '--system-user', 'nobody'])).code).toBe(0);
    expect((await run([...approveIt, '--as', 'finance-lead'])).json.error).toBe('approval_own');
    const done = await run([...approveIt, '--as', 'finance-lead'], NOBODY);
    expect(done).toMatchObject({ code: 0, json: { status: 'done', decidedBy: 'finance-lead', decidedUser: 'nobody' } });
    const log = (await run(['audit', 'log'])).json.entries.filter(
      ({ approvalId, outcome }: AnyJson) => approvalId === asked.json.approvalId && outcome === 'done',
    );
    expect(log).toMatchObject([{ actor: 'finance-lead', systemUser: 'nobody', loginUser: null, requestedBy: 'root' }]);
  },
  60_000,
);
