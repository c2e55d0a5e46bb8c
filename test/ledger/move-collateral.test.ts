/** Deposits and withdrawals of collateral: once for each reference, to a total under any concurrency, and one row for each. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { moveCollateral, setCollateral } from '../../src/ledger/collateral.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { audit } from '../support/audit.ts';
import { readCollateral } from '../support/collateral.ts';
import { readEntries, readItems } from '../support/items.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let count = 0;
beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

const live = (): Promise<Operator> => {
  count += 1;
  return service.createOperator({ slug: `collateral-${count}`, mode: 'live' });
};
const available = async ({ operatorId }: Operator) => (await readCollateral(service.sql, operatorId)).availableMinor;
/** The movements of collateral, each with what its item of the feed says. */
async function movements({ operatorId }: Operator) {
  const items = new Map((await readItems(service.sql, operatorId)).map((item) => [item.sequence, item]));
  const rows = await service.sql<{ reference: string; kind: string; amount: number; sequence: bigint }[]>`
    select used.reference, case when row.other > 0 then 'deposit' else 'withdrawal' end as kind, abs(row.other)::int as amount, used.sequence
    from collateral_references used
      join journal row on row.operator_id = used.operator_id and row.sequence = used.sequence - 1
    where used.operator_id = ${operatorId} order by used.sequence`;
  return rows.flatMap(({ sequence, ...movement }) => {
    const item = items.get(sequence);
    return item === undefined ? [] : [{ ...movement, type: item.type, after: item.money.balanceAfter }];
  });
}

test('a total that is set ten times at once is reached once', async () => {
  const operator = await live();
  await moveCollateral(service.sql, operator.operatorId, 'deposit', 500_000n);
  await Promise.all(Array.from({ length: 10 }, () => setCollateral(service.sql, operator.operatorId, 700_000n)));
  expect(await available(operator)).toBe(700_000n);
  expect(await movements(operator)).toHaveLength(2);
  await setCollateral(service.sql, operator.operatorId, 650_000n);
  expect(await available(operator)).toBe(650_000n);
  expect(await audit(service.sql, operator.operatorId)).toEqual([]);
});

// contract 20.4
test('a deposit with a reference moves money once, and is answered as the first time', async () => {
  const operator = await live();
  const deposit = (amount: bigint, reference: string, kind: 'deposit' | 'withdrawal' = 'deposit') =>
    moveCollateral(service.sql, operator.operatorId, kind, amount, reference);
  const answers = await Promise.all(Array.from({ length: 8 }, () => deposit(120_000n, 'wire 1')));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.recordedAt))).size).toBe(1);
  await deposit(30_000n, 'wire 2');
  expect(await deposit(120_000n, 'wire 1')).toEqual(answers[0]);
  await expect(deposit(120_001n, 'wire 1')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  await expect(deposit(120_000n, 'wire 1', 'withdrawal')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  expect(await deposit(10_000n, 'wire 3', 'withdrawal')).toMatchObject({ availableMinor: 140_000n });
  await expect(deposit(140_001n, 'wire 4', 'withdrawal')).rejects.toMatchObject({ code: 'insufficient_collateral' });
  // what was refused used no reference
  await deposit(140_000n, 'wire 4', 'withdrawal');
  expect(await movements(operator)).toEqual([
    { reference: 'wire 1', kind: 'deposit', amount: 120_000, type: 'collateral.moved', after: '1200.00' },
    { reference: 'wire 2', kind: 'deposit', amount: 30_000, type: 'collateral.moved', after: '1500.00' },
    { reference: 'wire 3', kind: 'withdrawal', amount: 10_000, type: 'collateral.moved', after: '1400.00' },
    { reference: 'wire 4', kind: 'withdrawal', amount: 140_000, type: 'collateral.moved', after: '0.00' },
  ]);
  const other = await live();
  await moveCollateral(service.sql, other.operatorId, 'deposit', 1n, 'wire 1');
  expect(await audit(service.sql, [operator.operatorId, other.operatorId])).toEqual([]);
  await expect(
    service.sql`update collateral_references set sequence = 1 where operator_id = ${operator.operatorId}`,
  ).rejects.toThrow();
});

// contract 20.4
test('the commands take --reference', async () => {
  const operator = await live();
  const inlay = await service.commands();
  const move = (kind: string, cents: string, ...flags: string[]) =>
    inlay('operators/collateral', kind, operator.slug, cents, ...flags, '--json');
  const first = await move('deposit', '5000', '--reference', 'wire 7');
  expect(first.json).toMatchObject({ reference: 'wire 7', amount: '50.00', available: '50.00', committed: '0.00' });
  await move('deposit', '700');
  expect((await move('deposit', '5000', '--reference', 'wire 7')).json).toEqual(first.json);
  const refused = await move('deposit', '5001', '--reference', 'wire 7');
  expect([refused.exitCode, refused.json.error]).toEqual([1, 'idempotency_conflict']);
  const bad = await move('withdraw', '1', '--reference', ' ', '--yes');
  expect(bad.exitCode).toBe(2);
  expect((await move('withdraw', '5700', '--reference', 'wire 8', '--yes')).json).toMatchObject({ available: '0.00' });
});

test('after the books lost commits, collateral leaves only once each venue account was compared with them', async () => {
  const operator = await live();
  const move = (kind: 'deposit' | 'withdrawal', reference: string) =>
    moveCollateral(service.sql, operator.operatorId, kind, 10_000n, reference);
  await move('deposit', 'before');
  await move('withdrawal', 'repeated later');
  await move('deposit', 'again');
  const { database } = service;
  const owner = connect(database.ownerUrl, { max: 1, applicationName: 'inlay-test' });
  await owner`
    insert into venue_accounts (venue, compared_at, compared_until)
    values ('paper', now() - interval '5 seconds', now() - interval '6 seconds'),
      ('left long ago', now() - interval '3 days', now() - interval '3 days')`;
  expect(await move('withdrawal', 'no epoch began')).toMatchObject({ availableMinor: 0n });
  await move('deposit', 'once more');
  await owner`with raised as (update books set epoch = 2 returning epoch)
    insert into books_epochs (epoch, seen, found) select epoch, '{}', '{}' from raised`;
  await expect(move('withdrawal', 'too early')).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('lost commits'),
  });
  await expect(setCollateral(service.sql, operator.operatorId, 5_000n)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  expect(await move('withdrawal', 'repeated later')).toMatchObject({ availableMinor: 0n });
  await move('deposit', 'a deposit is welcome');
  await owner`update venue_accounts set compared_until = now(), compared_at = now() where venue = 'paper'`;
  expect(await move('withdrawal', 'too early')).toMatchObject({ availableMinor: 10_000n });
  await owner.end();
  expect(await audit(service.sql, operator.operatorId)).toEqual([]);
});

// contract 23.1, contract 23.2
test('a deposit that was wrong is undone by a withdrawal with its own reference and date', async () => {
  const operator = await live();
  const { operatorId } = operator;
  await moveCollateral(service.sql, operatorId, 'deposit', 50_000n, 'wire 1');
  const moved = new Date();
  const undo = (reference: string) => moveCollateral(service.sql, operatorId, 'withdrawal', 50_000n, reference, moved);
  await expect(undo('wire 1')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  await undo('wire 1, of another operator');
  await expect(undo('once more')).rejects.toMatchObject({ code: 'insufficient_collateral' });
  expect((await movements(operator)).map(({ kind, amount, after }) => [kind, amount, after])).toEqual([
    ['deposit', 50_000, '500.00'],
    ['withdrawal', 50_000, '0.00'],
  ]);
  const [, withdrawal] = await readEntries(service.sql, operatorId);
  expect(withdrawal).toMatchObject({ movementType: 'COLLATERAL_WITHDRAWAL', effectiveAt: moved });
  expect((await runReport(service.sql, operatorId)).findings).toEqual([]);
  expect(await audit(service.sql, operatorId)).toEqual([]);
});
