/** Statements of banks and venues: read exactly, matched by reference, amount and date, imported once, breaks closed by a person. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/move-collateral.ts';
import { checkStatements } from '../../src/operations/check-statements.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { runWalledReport } from '../../src/reconciliation/report/run-report.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let inlay: RunCommand;
let folder: string;
let count = 0;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  inlay = await commandRunner({
    DATABASE_URL: service.database.url,
    DATABASE_OWNER_URL: service.database.ownerUrl,
    NO_COLOR: '1',
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const live = async (): Promise<Operator> => {
  count += 1;
  return service.createOperator({ slug: `bank-${count}`, mode: 'live' });
};
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const day = (days: number) => daysAgo(days).toISOString().slice(0, 10);
const move = (
  { operatorId }: Operator,
  kind: 'deposit' | 'withdrawal',
  amount: bigint,
  reference: string,
  days: number,
) => moveCollateral(service.sql, operatorId, kind, amount, reference, daysAgo(days));

async function file(...lines: string[]): Promise<string> {
  count += 1;
  const path = join(folder, `${count}.csv`);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}
const load = ({ slug }: Operator, path: string, ...flags: string[]) =>
  inlay('reconciliation', 'import', path, '--kind', 'bank', '--operator', slug, ...flags, '--as', 'ann', '--json');
const problems = (answer: { json: { breaks: { problem: string; reference: string }[] } }) =>
  answer.json.breaks.map(({ problem, reference }) => [problem, reference]).toSorted();
const rowsOf = async ({ operatorId }: Operator) =>
  (await service.sql`select 1 from outside_rows where account = ${operatorId}`).length;
const findings = async ({ operatorId }: Operator) => {
  const report = await runWalledReport(service.context.reportsOf, operatorId, new Date(0));
  return { ok: report.ok, outside: report.findings.filter(({ check }) => check === 'outside_break') };
};

test('a statement that agrees to the cent opens no break, and an operator without statements has no finding', async () => {
  const operator = await live();
  await move(operator, 'deposit', 120_050n, 'Wire 1', 20);
  await move(operator, 'withdrawal', 5n, 'wire 2', 10);
  expect(await findings(operator)).toEqual({ ok: true, outside: [] });
  const path = await file('Datum;Betrag;Text', `${day(18)};1.200,50;WIRE   1`, `${day(10)};-0,05;wire 2`);
  const maps = ['--map', 'Datum=date', '--map', 'Betrag=amount', '--map', 'Text=reference'];
  const done = await load(operator, path, ...maps);
  expect(done.json).toMatchObject({ kind: 'bank', rows: 2, repeated: false, breaks: [] });
  expect(done.exitCode).toBe(0);
  expect((await load(operator, path, ...maps)).json).toMatchObject({ repeated: true, breaks: [] });
  expect(await rowsOf(operator)).toBe(2);
  expect(await findings(operator)).toEqual({ ok: true, outside: [] });
});

test('each kind of break is opened once, is a warning with its age, and is closed once with a reason', async () => {
  const operator = await live();
  await move(operator, 'deposit', 10_000n, 'amount', 20);
  await move(operator, 'deposit', 20_000n, 'date', 20);
  await move(operator, 'deposit', 30_000n, 'twice', 20);
  await move(operator, 'withdrawal', 40n, 'unseen', 15);
  // too early for any statement, and too late for this one
  await move(operator, 'deposit', 1n, 'before', 30);
  await move(operator, 'deposit', 1n, 'after', 6);
  const lines = [
    'reference,amount,date',
    `amount,100.01,${day(20)}`,
    `date,200.00,${day(14)}`,
    `twice,300.00,${day(20)}`,
    `twice,300.00,${day(19)}`,
    `strange,7,${day(21)}`,
    `late fee,-1.5,${day(5)}`,
  ];
  const path = await file(...lines);
  const done = await load(operator, path);
  expect(done.exitCode).toBe(5);
  expect(problems(done)).toEqual([
    ['amount_differs', 'amount'],
    ['date_differs', 'date'],
    ['missing_in_books', 'late fee'],
    ['missing_in_books', 'strange'],
    ['missing_outside', 'unseen'],
    ['repeated_outside', 'twice'],
  ]);
  expect(done.json.breaks.find(({ problem }: { problem: string }) => problem === 'amount_differs')).toMatchObject({
    outside: '100.01',
    books: '100.00',
    line: 2,
  });
  expect((await load(operator, path)).json.breaks).toEqual(done.json.breaks);
  // another file with the same rows shows nothing new
  const overlapping = await load(operator, await file(...lines, `amount,100.01,${day(20)}`));
  expect(problems(overlapping)).toEqual([['repeated_outside', 'amount']]);

  const [first] = done.json.breaks;
  const listed = await inlay('reconciliation/breaks', 'list', '--operator', operator.slug, '--json');
  expect(listed.json.count).toBe(7);
  const { ok, outside } = await findings(operator);
  expect(ok).toBe(true);
  expect(outside).toHaveLength(7);
  expect(outside[0]).toMatchObject({ severity: 'warning', detail: expect.stringMatching(/open for 0 days\.$/) });

  const close = (reason: string) =>
    inlay('reconciliation/breaks', 'close', first.breakId, '--reason', reason, '--as', 'bob', '--json');
  expect((await close('  ')).exitCode).toBe(2);
  expect((await close('ticket 4711')).json).toMatchObject({ closedBy: 'bob', reason: 'ticket 4711' });
  expect((await close('again')).json.error).toBe('break_closed');
  expect((await inlay('reconciliation/breaks', 'close', 'brk_none', '--reason', 'x', '--json')).exitCode).toBe(3);
  expect((await findings(operator)).outside).toHaveLength(6);
  expect((await load(operator, path)).json.breaks).toHaveLength(5);
  await expect(
    service.sql`update outside_breaks set reason = 'other' where break_id = ${first.breakId}`,
  ).rejects.toThrow();
  await expect(service.sql`delete from outside_rows`).rejects.toThrow();
  const log = (await inlay('audit', 'log', '--actor', 'bob', '--json')).json.entries;
  expect(log).toMatchObject([
    { outcome: 'done', code: null },
    { outcome: 'failed', code: 'break_closed' },
  ]);
});

test('bad rows are named with their lines, and nothing is imported', async () => {
  const operator = await live();
  const path = await file(
    'reference,amount,date',
    `good,1.00,${day(1)}`,
    `,1.00,${day(1)}`,
    `fraction,1.005,${day(1)}`,
    `zero,0.00,${day(1)}`,
    `blank,,${day(1)}`,
    'no day,1.00,2026-02-30',
    'german,1.00,03.11.2026',
  );
  const refused = await load(operator, path);
  expect(refused.exitCode).toBe(2);
  for (const line of [3, 4, 5, 6, 7, 8]) {
    expect(refused.json.message).toContain(`line ${line}: `);
  }
  expect(refused.json.message).not.toContain('line 2: ');
  expect(await rowsOf(operator)).toBe(0);
  const nameless = await load(operator, await file('ref,amount,date', `a,1,${day(1)}`));
  expect([nameless.exitCode, nameless.json.message]).toEqual([2, expect.stringContaining('no column reference')]);
  expect((await load(operator, await file('reference,amount,date'))).exitCode).toBe(2);
  expect((await load(operator, join(folder, 'none.csv'))).exitCode).toBe(3);
  const both = await inlay('reconciliation', 'import', path, '--kind', 'venue', '--operator', operator.slug, '--json');
  expect(both.exitCode).toBe(2);
});

test('the same file from many at once is imported once', async () => {
  const operator = await live();
  const rows = JSON.stringify([[2, 'a', '100', day(3)]]);
  const answers = await Promise.all(
    Array.from(
      { length: 6 },
      () => service.sql<{ imported: boolean }[]>`
        select import_outside_statement('bank', ${operator.operatorId}, ${'a'.repeat(64)}, 'ann', ${rows}::text::json, 3) as imported`,
    ),
  );
  expect(answers.flat().filter(({ imported }) => imported)).toHaveLength(1);
  expect((await inlay('reconciliation/breaks', 'list', '--operator', operator.slug, '--json')).json.count).toBe(1);
});

test('a statement of a venue is compared with what was transferred there; its breaks are shown to the service operator alone', async () => {
  const operator = await live();
  await service.sql`
    insert into venue_transfers (venue, reference, amount_minor, recorded_at) values ('kalshi', 'fund 1', 500000, ${daysAgo(9)})`;
  const path = await file('reference,amount,date', `FUND 1,5000.00,${day(9)}`, `fund 2,-1.00,${day(8)}`);
  const done = await inlay('reconciliation', 'import', path, '--kind', 'venue', '--venue', 'kalshi', '--json');
  expect([done.exitCode, problems(done)]).toEqual([5, [['missing_in_books', 'fund 2']]]);
  expect((await inlay('reconciliation/breaks', 'list', '--venue', 'kalshi')).stdout).toContain('fund 2');
  expect(await findings(operator)).toEqual({ ok: true, outside: [] });
  const every = await inlay('reconciliation', 'run', '--json');
  const found = { check: 'outside_break', severity: 'warning', subjectId: done.json.breaks[0].breakId };
  expect(every.json.venueBreaks).toEqual([
    expect.objectContaining({
      ...found,
      detail: 'At kalshi, the movement "fund 2" of -1.00 is in the statement and not in the books; open for 0 days.',
    }),
  ]);
  expect(await checkStatements(service.sql)).toMatchObject({
    ok: false,
    warning: true,
    detail: expect.stringMatching(/1 of venues, the oldest open for 0 days/),
  });
  await inlay('reconciliation/breaks', 'close', found.subjectId, '--reason', 'ticket 4712', '--as', 'ann', '--json');
  expect((await inlay('reconciliation', 'run', '--json')).json.venueBreaks).toEqual([]);
  expect((await checkStatements(service.sql)).detail).not.toContain('venues');
});
