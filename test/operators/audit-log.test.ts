/** What the service operator did, and who: no change without a record, and no record that can be changed. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import type { TestDatabase } from '../support/database.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let database: TestDatabase;
let inlay: RunCommand;

beforeAll(async () => {
  world = await openWorld();
  ({ database } = world);
  inlay = await world.commands();
});
afterAll(() => world.close());

const entries = async (...flags: string[]) => (await inlay('audit', 'log', ...flags, '--json')).json.entries;

// contract 39.18
test('the audit log says who did what, when, and how it ended', async () => {
  await inlay('operators', 'create', 'audited', '--mode', 'sandbox', '--as', 'ann', '--json');
  await inlay('operators', 'create', 'audited', '--mode', 'sandbox', '--json');
  await inlay('keys', 'issue', '--operator', 'audited', '--label', 'of bob', '--as=bob', '--json');
  const all = await entries();
  expect(all).toMatchObject([
    { login: SERVICE_ROLE, note: 'ann', command: expect.stringMatching(/create/i), outcome: 'done', code: null },
    { login: SERVICE_ROLE, note: null, outcome: 'failed', code: 'operator_exists' },
    {
      login: SERVICE_ROLE,
      note: 'bob',
      arguments: ['--operator', 'audited', '--label', 'of bob', '--json'],
      outcome: 'done',
    },
  ]);
  expect(JSON.stringify(all)).not.toContain('pk_test_');
  expect(await entries('--actor', 'bob')).toHaveLength(1);
  expect(await entries('--since', '2099-01-01')).toEqual([]);
  const table = await inlay('audit', 'log', '--actor', 'bob');
  expect(table.stdout).toMatch(/\(bob\) .*of bob .*done/);
});

// contract 39.18
test('the login of the database stands before the note that was typed, and both find a change', async () => {
  const { stdout } = await inlay('audit', 'log', '--actor', 'ann');
  expect(stdout).toContain(`${SERVICE_ROLE} (ann)`);
  expect(await entries('--actor', SERVICE_ROLE)).toEqual(await entries());
});

test('the log keeps no query of an address, in which there may be a secret', async () => {
  const url = 'https://hooks.example/inlay?token=top-secret#part';
  const add = await inlay('webhooks', 'add', '--operator', 'audited', '--url', url, '--as', 'hal', '--json');
  await inlay('webhooks', 'add', '--operator', 'audited', `--url=https://me:pass@hooks.example/x?y`, '--as', 'hal');
  expect(add.json.error, 'the address itself is kept whole where it is used').not.toBe('invalid_request');
  const kept = (await entries('--actor', 'hal')).map((entry: { arguments: string[] }) => entry.arguments.join(' '));
  expect(kept).toEqual([
    '--operator audited --url https://hooks.example/inlay --json',
    '--operator audited --url=https://hooks.example/x',
  ]);
});

test('reading leaves no record and takes no name', async () => {
  const before = (await entries()).length;
  await inlay('operators', 'list', '--json');
  await inlay('keys', 'list', '--operator', 'audited', '--json');
  expect((await entries()).length).toBe(before);
  expect((await inlay('keys', 'list', '--operator', 'audited', '--as', 'ann')).exitCode).toBe(2);
  expect((await inlay('operators', 'pause-trading', 'audited', '--as', 'a\u001b[2Jb')).exitCode).toBe(2);
});

test('where the record cannot be written nothing is changed', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('alter table audit_log add constraint full_disk check (false) not valid');
  const refused = await inlay('operators', 'create', 'unrecorded', '--mode', 'live', '--json');
  expect(refused.exitCode).not.toBe(0);
  await owner.query('alter table audit_log drop constraint full_disk');
  await owner.end();
  expect(await database.sql`select 1 from operators where slug = 'unrecorded'`).toEqual([]);
});

test('a record cannot be changed or removed, by no role', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    for (const statement of [`update audit_log set login = 'eve'`, 'delete from audit_log', 'truncate audit_log']) {
      await expect(owner.query(statement), statement).rejects.toThrow();
      await expect(database.sql.unsafe(statement), statement).rejects.toThrow();
    }
  } finally {
    await owner.end();
  }
});

/** Commands that change nothing; what is not here is recorded. */
const READING = [
  'approvals/list',
  'audit/log',
  'books/list',
  'customers/list',
  'customers/show',
  'jobs/list',
  'keys/list',
  'ledger/balances',
  'ledger/checkpoint',
  'ledger/prove',
  'ledger/verify',
  'markets/groups',
  'operators/list',
  'operators/show',
  'orders/lookup',
  'orders/stuck',
  'paper/list',
  'periods/list',
  'periods/statement',
  'reconciliation/run',
  'top',
  'venues/account',
  'venues/list',
  'venues/redemptions/list',
  'venues/revenue',
  'venues/transfers',
  'webhooks/deliveries',
  'webhooks/list',
];

// contract 39.18
test('every command of the service operator is recorded but those that read', async () => {
  const folder = join(projectRoot, 'src/commands');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const reading: string[] = [];
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    if (/readOnly = true|operatorList\(|extends EitherCommand</.test(text)) {
      reading.push(file.replace(/\.ts$/, ''));
    } else if (/openContext\(/.test(text)) {
      expect(text, file).toMatch(/extends (OperatorCommand|PaperCommand|VenueCommand)</);
    }
  }
  expect(reading.toSorted()).toEqual(READING.toSorted());
});
