/** Closed accounting periods: what the database refuses, what arrives meanwhile, and statements that never change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyNote } from '../../src/core/log-format/notes.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { balancesAt } from '../../src/ledger/journal.ts';
import { loadLogSigner, logVerifierKey } from '../../src/ledger/log/sign-log.ts';
import {
  type AccountingPeriod,
  closePeriod,
  getPeriod,
  keepStatement,
  verifyStatement,
} from '../../src/ledger/periods.ts';
import type { Operator } from '../../src/operators/operator.ts';

import { runReport } from '../../src/reconciliation/report.ts';
import { audit } from '../support/audit.ts';
import { readItems } from '../support/items.ts';
import type { RunCommand } from '../support/run-command.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let inlay: RunCommand;
let count = 0;
const pause = () => timePasses(5);

beforeAll(async () => {
  world = await openWorld();
  inlay = await world.commands();
});
afterAll(() => world.close());

const live = async (): Promise<Operator> => {
  count += 1;
  return world.createOperator({ slug: `periods-${count}`, mode: 'live' });
};
const deposit = (operatorId: string, amount: bigint, reference: string, effectiveAt: Date | null = null) =>
  moveCollateral(world.sql, operatorId, 'deposit', amount, reference, effectiveAt);
const close = async (operatorId: string, until = new Date()) => closePeriod(world.sql, signer(), operatorId, until);
const signer = () => loadLogSigner(world.context.environment, world.context.secrets);
const statementOf = (period: AccountingPeriod) => keepStatement(world.sql, signer(), period);
const verdictOf = async (period: AccountingPeriod) =>
  verifyStatement(world.sql, signer(), logVerifierKey(period.operatorId, signer()), period, await statementOf(period));
const balances = async (period: AccountingPeriod) =>
  Object.fromEntries(
    (await statementOf(period)).statement.accounts.map((row) => [row.accountId, [row.opening, row.closing]]),
  );

test('periods follow one another and end in the past; closing one again gives the same one', async () => {
  const { operatorId } = await live();
  await deposit(operatorId, 1_000n, 'wire 1');
  await pause();
  const until = new Date();
  await expect(close(operatorId, new Date(Date.now() + 60_000))).rejects.toMatchObject({ code: 'invalid_request' });
  const first = await close(operatorId, until);
  expect(first).toMatchObject({
    number: 1,
    startsAt: new Date(0),
    endsAt: until,
    closedBy: SERVICE_ROLE,
    repeated: false,
  });
  expect(await closePeriod(world.sql, signer(), operatorId, until)).toEqual({ ...first, repeated: true });
  // no row was recorded since the period ended
  expect((await runReport(world.sql, operatorId)).findings).toEqual([]);
  await expect(close(operatorId, new Date(until.getTime() - 1))).rejects.toMatchObject({ code: 'invalid_request' });
  await pause();
  const second = await close(operatorId);
  expect(second).toMatchObject({ number: 2, startsAt: first.endsAt });
  expect(await getPeriod(world.sql, operatorId, 1)).toMatchObject({ endsAt: until });
  await expect(getPeriod(world.sql, operatorId, 3)).rejects.toMatchObject({ code: 'unknown_period' });
});

// contract 23.3
test('an entry can be dated back into an open period and not into a closed one or the future', async () => {
  const { operatorId } = await live();
  await deposit(operatorId, 100_000n, 'wire 1');
  await pause();
  const october = new Date();
  await pause();
  const late = await deposit(operatorId, 20_000n, 'wire 2', new Date(october.getTime() - 1));
  const first = await close(operatorId, october);
  expect(await balances(first)).toEqual({
    'collateral:available': ['0.00', '-1200.00'],
    deposits: ['0.00', '1200.00'],
  });
  await expect(deposit(operatorId, 5n, 'wire 3', new Date(october.getTime() - 1))).rejects.toMatchObject({
    code: 'period_closed',
  });
  await expect(deposit(operatorId, 5n, 'wire 3', new Date(Date.now() + 60_000))).rejects.toMatchObject({
    code: 'period_closed',
  });
  // a repetition of what was recorded before the period was closed is still answered
  expect(await deposit(operatorId, 20_000n, 'wire 2', new Date(october.getTime() - 1))).toEqual(late);
  const entries = await world.sql<{ entryId: string }[]>`
    select 'ent_' || replace(digits::text, '-', '') as entry_id from journal where operator_id = ${operatorId} order by sequence`;
  const entryId = entries[1]?.entryId as string;
  // the second deposit was of another operator: it is taken out again, in the open period
  await moveCollateral(world.sql, operatorId, 'withdrawal', 20_000n, 'wrong bank', october);
  await pause();
  expect(await balances(await close(operatorId))).toEqual({
    'collateral:available': ['-1200.00', '-1000.00'],
    deposits: ['1200.00', '1000.00'],
  });
  // the effective date is part of the feed item, so the log covers it
  const item = (await readItems(world.sql, operatorId)).find(({ id }) => id === entryId);
  expect(item?.detail.effectiveAt).toBe(new Date(october.getTime() - 1).toISOString());
});

// contract 23.3
test('the database refuses an entry dated in a closed period, from every caller', async () => {
  const { operatorId } = await live();
  await deposit(operatorId, 1_000n, 'wire 1');
  await pause();
  const { endsAt } = await close(operatorId);
  const insert = (recordedAt: Date, effectiveAt: Date | null) => world.sql`
    insert into journal (operator_id, sequence, items, kind, recorded_at, effective_at, other_account, other, funds, available)
    values (${operatorId}, 900, 1, 'collateral_moved', ${recordedAt}, ${effectiveAt}, 'deposits', 1, 'collateral', -1)`;
  const before = new Date(endsAt.getTime() - 1);
  await expect(insert(before, null)).rejects.toMatchObject({ code: 'IN006' });
  await expect(insert(new Date(), before)).rejects.toMatchObject({ code: 'IN006' });
  await expect(insert(new Date(), new Date(Date.now() + 60_000))).rejects.toMatchObject({ code: 'IN006' });
  // the function that appends as well, which holds the counter itself
  await expect(world.sql`
    select append_to_journal(${operatorId}, array[json_populate_record(null::journal_row, json_build_object('operator_id', ${operatorId}::text,
      'kind', 'collateral_moved', 'items', 2, 'digits', md5('back'), 'funds', 'collateral', 'available', -1, 'other_account', 'deposits',
      'other', 1, 'effective_at', ${before.toISOString()}::text))])`).rejects.toMatchObject({ code: 'IN006' });
  await expect(world.sql`
    update operator_ledgers set recorded_at = ${before} where operator_id = ${operatorId}`).rejects.toMatchObject({
    code: '23514',
  });
  for (const table of ['accounting_periods', 'period_statements']) {
    await expect(world.sql.unsafe(`delete from ${table}`), table).rejects.toThrow();
  }
  expect(await audit(world.sql, operatorId)).toEqual([]);
});

test('what is posted while a period is closed is in it or dated later, never behind it', async () => {
  const { operatorId } = await live();
  const { sql } = world;
  await deposit(operatorId, 1n, 'wire first');
  let ends = 0;
  const post = async (worker: number) => {
    for (let n = 0; ends < 8; n += 1) {
      await deposit(operatorId, 1n, `wire ${worker} ${n}`);
    }
  };
  const closing = async () => {
    for (; ends < 8; ends += 1) {
      await pause();
      await closePeriod(sql, signer(), operatorId, new Date());
    }
  };
  await Promise.all([post(1), post(2), post(3), post(4), closing()]);
  const behind = await sql`
    select e.sequence, p.number from accounting_periods p join journal e on e.operator_id = p.operator_id
      and e.sequence > p.through_position and coalesce(e.effective_at, e.recorded_at) < p.ends_at
    where p.operator_id = ${operatorId}`;
  expect(behind).toEqual([]);
  const statements = [];
  for (let number = 1; number <= 8; number += 1) {
    const period = await getPeriod(sql, operatorId, number);
    statements.push((await statementOf(period)).statement);
    expect(await verdictOf(period)).toEqual({ fault: null });
  }
  const [{ dated }] = await sql<[{ dated: number }]>`
    select count(*)::int as dated from journal e where e.operator_id = ${operatorId}
      and e.recorded_at < (select max(ends_at) from accounting_periods p where p.operator_id = ${operatorId})`;
  expect(statements.reduce((sum, { entries }) => sum + entries, 0)).toBe(dated);
  for (const [index, { accounts }] of statements.slice(1).entries()) {
    const before = new Map(statements[index]?.accounts.map((row) => [row.accountId, row.closing]));
    expect(accounts.map((row) => row.opening)).toEqual(accounts.map((row) => before.get(row.accountId) ?? '0.00'));
  }
});

test('a clock that is set back dates nothing into a closed period', async () => {
  const { operatorId } = await live();
  await deposit(operatorId, 1_000n, 'wire 1');
  await pause();
  const period = await close(operatorId);
  // the clock is at a moment before the end of the period again
  await world.damage(`
    update accounting_periods set ends_at = ends_at + interval '1 hour', closed_at = closed_at + interval '1 hour'
    where operator_id = '${operatorId}';
    update operator_ledgers set closed_until = closed_until + interval '1 hour', recorded_at = recorded_at + interval '1 hour'
    where operator_id = '${operatorId}'`);
  await deposit(operatorId, 2_000n, 'wire 2');
  const [entry] = await world.sql<{ late: boolean }[]>`
    select recorded_at >= ${new Date(period.endsAt.getTime() + 3_600_000)} as late from journal
    where operator_id = ${operatorId} order by sequence desc limit 1`;
  expect(entry).toEqual({ late: true });
});

// contract 22.21
test('after a jump of the clock nothing is left out, each row has a later time, and no period is closed', async () => {
  const operator = await live();
  const { operatorId } = operator;
  const { apiKey } = await world.issueKey(operator, { scopes: ['ledger:read'] });
  await deposit(operatorId, 1_000n, 'wire 1');
  const jump = (seconds: number) =>
    world.damage(`
      update operator_ledgers set recorded_at = now() + interval '${seconds} s' where operator_id = '${operatorId}'`);
  const exported = async (window = '') => {
    const path = `/api/v1/reconciliation/export?kind=ledger&format=jsonl${window}`;
    const { headers, text } = await world.request('GET', path, { key: apiKey });
    const rows = text.split('\n').filter((line) => line.includes('"collateral:available"'));
    return { references: rows.length, to: headers.get('x-export-to') ?? '' };
  };
  await jump(3);
  await pause();
  expect((await close(operatorId)).number).toBe(1);
  await jump(70 * 86_400);
  await deposit(operatorId, 2_000n, 'wire 2');
  const first = await exported();
  expect(first.references).toBe(2);
  await deposit(operatorId, 3_000n, 'wire 3');
  expect((await exported(`&to=${first.to}`)).references).toBe(2);
  expect((await exported(`&from=${first.to}`)).references).toBe(1);
  expect(await balancesAt(world.sql, operatorId)).toContainEqual({ accountId: 'deposits', balanceMinor: 6_000n });
  const [times] = await world.sql`
    select count(distinct recorded_at)::int as times from journal where operator_id = ${operatorId}`;
  expect(times).toEqual({ times: 3 });
  const ahead = { check: 'feed_gap', severity: 'critical', detail: expect.stringContaining('ahead of the clock') };
  expect((await runReport(world.sql, operatorId)).findings).toMatchObject([ahead]);
  await expect(close(operatorId)).rejects.toMatchObject({ code: 'service_unavailable' });
});

const shiftFirstFill = (cents: number) => `
  update journal set stakes = stakes + ${cents}, stakes_after = stakes_after + ${cents}, available = available - ${cents},
    available_after = available_after - ${cents}
  where (operator_id, sequence) in (select operator_id, sequence from journal where kind = 'order_executed' order by sequence limit 1)`;

test('the statement of a period of trades: same bytes, signed, its balances, and the movements of the export', async () => {
  const market = await world.openMarket('periods');
  await world.buy(market, 'ana', 'YES', 10);
  await world.buy(market, 'bob', 'NO', 25);
  await pause();
  const { sql } = world;
  const first = await close(world.operator.operatorId);
  await world.buy(market, 'ana', 'YES', 10);
  const kept = await statementOf(first);
  await world.resolve(market, 'YES');
  await pause();
  const second = await close(world.operator.operatorId);
  expect(await statementOf(first)).toEqual(kept);
  const text = verifyNote(kept.note, logVerifierKey(world.operator.operatorId, signer()));
  expect(JSON.parse(text)).toEqual(kept.statement);
  expect(kept.statement).toMatchObject({
    period: 1,
    from: '1970-01-01T00:00:00.000Z',
    currency: 'USD',
    previous: null,
  });
  expect((await balances(first))['wallet:bob']).toEqual(['0.00', '-9975.00']);
  expect((await balances(second))['wallet:bob']).toEqual(['-9975.00', '-9975.00']);
  const cents = (amount: string) => BigInt(amount.replace('.', ''));
  for (const period of [first, second]) {
    const { accounts } = (await statementOf(period)).statement;
    for (const column of ['opening', 'closing'] as const) {
      expect(accounts.reduce((sum, row) => sum + cents(row[column]), 0n)).toBe(0n);
    }
    expect(await verdictOf(period)).toEqual({ fault: null });
    const exported = await world.request(
      'GET',
      `/api/v1/reconciliation/export?kind=statement&format=json&from=${period.startsAt.toISOString()}&to=${period.endsAt.toISOString()}`,
    );
    const rows = exported.body.statement.filter(
      ({ movementType }: { movementType: string }) => !['opening', 'ending'].includes(movementType),
    );
    expect((await statementOf(period)).statement.movements).toEqual(
      rows.toSorted((left: { movementType: string }, right: { movementType: string }) =>
        left.movementType < right.movementType ? -1 : 1,
      ),
    );
  }
  // a rewritten past no longer fits the statement
  await world.damage(shiftFirstFill(1));
  await expect(verdictOf(first)).rejects.toThrow(/do not follow from its entries/);
  await world.damage(shiftFirstFill(-1));
  expect(await verdictOf(first)).toEqual({ fault: null });
  expect(
    await sql`select count(*)::int as n from period_statements where operator_id = ${world.operator.operatorId}`,
  ).toEqual([{ n: 2 }]);
});

// contract 23.3, contract 39.22
test('a feed with an item that nothing renders closes no period, and its verification fails', async () => {
  const { slug, operatorId } = await live();
  await deposit(operatorId, 1_000n, 'wire 1');
  const row = {
    operator_id: operatorId,
    kind: 'collateral_moved',
    items: 5,
    digits: '0'.repeat(32),
    funds: 'collateral',
  };
  const money = { available: -700, other_account: 'deposits', other: 700, reference: 'wire 2' };
  const { sql } = world;
  await sql`select append_to_journal(${operatorId}, array[json_populate_record(null::journal_row, ${JSON.stringify({ ...row, ...money })}::text::json)])`;
  const flags = ['--operator', slug, '--until', new Date().toISOString(), '--yes', '--json'];
  const refused = await inlay('periods', 'close', ...flags, '--despite-findings', 'ticket 4711');
  expect(refused.exitCode).toBe(1);
  expect((await inlay('periods', 'list', '--operator', slug, '--json')).json.periods).toEqual([]);
  const verified = await inlay('ledger', 'verify', '--operator', slug, '--json');
  expect([verified.exitCode, verified.json]).toMatchObject([
    5,
    {
      ok: false,
      operators: [{ log: { size: 4, fault: { sequence: 5, reason: expect.stringContaining('7 are counted') } } }],
    },
  ]);
});

// contract 39.19
test('the commands close, list and print, and the audit log has who closed', async () => {
  const { slug, operatorId } = await live();
  const moved = await inlay('operators/collateral', 'deposit', slug, '5000', '--reference', 'wire 1', '--json');
  expect(moved.exitCode).toBe(0);
  await pause();
  const until = new Date().toISOString();
  const closed = await inlay(
    'periods',
    'close',
    '--operator',
    slug,
    '--until',
    until,
    '--as',
    'for ann',
    '--yes',
    '--json',
  );
  expect(closed.json).toMatchObject({
    slug,
    period: 1,
    to: until,
    closedBy: SERVICE_ROLE,
    closing: [
      { accountId: 'collateral:available', balance: '-50.00' },
      { accountId: 'deposits', balance: '50.00' },
    ],
  });
  const future = await inlay('periods', 'close', '--operator', slug, '--until', '2099-01-01', '--yes', '--json');
  expect([future.exitCode, future.json.error]).toEqual([2, 'invalid_request']);
  const back = ['deposit', slug, '1', '--effective', '2026-01-01', '--json'] as const;
  const dated = await inlay('operators/collateral', ...back);
  expect([dated.exitCode, dated.json.error]).toEqual([1, 'period_closed']);
  expect((await inlay('periods', 'list', '--operator', slug, '--json')).json).toMatchObject({
    periods: [{ period: 1, to: until, closedBy: SERVICE_ROLE }],
    count: 1,
  });
  const printed = await inlay('periods', 'statement', '--operator', slug);
  const again = await inlay('periods', 'statement', '--operator', slug, '--period', '1', '--json');
  expect(printed.exitCode).toBe(0);
  expect(again.json).toMatchObject({
    ok: true,
    fault: null,
    note: printed.stdout,
    sha256: closed.json.statementSha256,
  });
  expect(verifyNote(printed.stdout, again.json.verifierKey)).toContain(operatorId);
  expect((await inlay('periods', 'statement', '--operator', slug, '--period', '2', '--json')).exitCode).toBe(3);
  const log = (await inlay('audit', 'log', '--actor', 'for ann', '--json')).json.entries;
  expect(log).toMatchObject([
    { login: SERVICE_ROLE, note: 'for ann', command: expect.stringMatching(/close/i), outcome: 'done' },
  ]);
});

test('a period is closed while its report is not ok only with a reason', async () => {
  const { slug, operatorId } = await live();
  await deposit(operatorId, 1_000n, 'wire 7');
  await world.damage(`update operator_ledgers set deposits = deposits + 1 where operator_id = '${operatorId}'`);
  await pause();
  const until = new Date().toISOString();
  const flags = ['--operator', slug, '--until', until, '--yes', '--json'];
  const refused = await inlay('periods', 'close', ...flags);
  expect([refused.exitCode, refused.json.error]).toEqual([5, 'not_reconciled']);
  expect((await inlay('periods', 'list', '--operator', slug, '--json')).json.periods).toEqual([]);
  const closed = await inlay('periods', 'close', ...flags, '--despite-findings', 'ticket 4711');
  expect(closed.exitCode, closed.stderr).toBe(0);
  expect(closed.stderr).toContain('closed with the reason: ticket 4711');
});
