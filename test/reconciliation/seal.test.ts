/** The sealed, append-only ledger: corrections, balances at a moment, and every kind of damage named at its entry. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balancesAt } from '../../src/ledger/balances.ts';
import { correctEntry } from '../../src/ledger/correct-entry.ts';
import { sealLedger, verifyLedger } from '../../src/ledger/seal.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const market = await world.market('seal');
  for (let index = 0; index < 6; index += 1) {
    await world.buy(market, `user-${index % 2}`);
  }
});
afterAll(() => world.close());

const verdict = async () => {
  const [found] = await verifyLedger(world.service.sql, world.operatorId);
  return found;
};
const entries = () => world.service.sql<{ position: bigint; entryId: string }[]>`
  select position, entry_id from ledger_entries where operator_id = ${world.operatorId} order by position`;

// contract 23.1
describe('append-only', () => {
  const statements = [
    'update ledger_entries set amounts[1] = amounts[1] + 1',
    'delete from ledger_entries',
    'update feed_item_rows set detail = detail',
    'delete from ledger_seals',
    'truncate ledger_entries',
    'update ledger_entries set memo = memo',
  ];
  test.each(statements)('the service may not: %s', async (statement) => {
    await expect(world.service.sql.unsafe(statement)).rejects.toThrow(/permission denied/);
  });

  test.each(statements.filter((statement) => !statement.includes('seals')))(
    'a trigger refuses even the owner: %s',
    async (statement) => {
      const owner = new pg.Client({ connectionString: world.service.database.ownerUrl });
      await owner.connect();
      const message = await owner.query(statement).then(
        () => 'done',
        (error: Error) => error.message,
      );
      await owner.end();
      expect(message).toMatch(/append-only/);
    },
  );

  test.each([
    ['that does not balance', '{stakes,result}', '{5,-4}', '{5,-4}'],
    ['with a line of nothing', '{stakes,result,overrun}', '{5,-5,0}', '{5,-5,0}'],
    ['with an account too many', '{stakes,result,overrun}', '{5,-5}', '{5,-5}'],
    ['with a balance too few', '{stakes,result}', '{5,-5}', '{5}'],
    ['with a line of no account', '{stakes,NULL}', '{5,-5}', '{5,-5}'],
  ])('an entry %s is refused', async (_, accounts, amounts, balances) => {
    const insert = world.service.sql`
      insert into ledger_entries (operator_id, position, entry_id, movement_type, memo, reference_type, reference_id, recorded_at,
        account_ids, amounts, balances_after)
      values (${world.operatorId}, 99999, 'ent_unfit', 'CORRECTION', 'x', 'entry', 'x', now(), ${accounts}::text::text[],
        ${amounts}::text::bigint[], ${balances}::text::bigint[])`;
    await expect(insert).rejects.toThrow(/does not balance/);
  });
});

test('seals cover every entry, again and again, and verify', async () => {
  const all = await entries();
  expect(await sealLedger(world.service.sql)).toBeGreaterThanOrEqual(all.length);
  expect(await sealLedger(world.service.sql)).toBe(0);
  expect(await verdict()).toMatchObject({ ok: true, entries: all.length, sealedEntries: all.length, unfit: null });
  await world.buy(await world.market('seal-more'), 'user-9');
  expect(await sealLedger(world.service.sql)).toBe(2);
  expect(await verdict()).toMatchObject({ ok: true, seals: 2 });
});

test('two workers at once seal each entry once', async () => {
  await world.buy(await world.market('seal-race'), 'user-10');
  await Promise.all([1, 2, 3, 4].map(() => sealLedger(world.service.sql)));
  const found = await verdict();
  expect(found).toMatchObject({ ok: true });
  expect(found?.sealedEntries).toBe(found?.entries);
});

// contract 23.1
test('an entry is corrected once, by a new entry that names it', async () => {
  const market = await world.market('correct');
  const placed = await world.buy(market, 'cora');
  const [entry] = await world.service.sql<{ entryId: string }[]>`
    select entry_id from ledger_entries where reference_id = ${placed.orderId} and movement_type = 'ORDER_FILL'`;
  const before = new Date();
  const wallet = async (at?: Date) =>
    (await balancesAt(world.service.sql, world.operatorId, at)).find((one) => one.accountId === 'wallet:cora');
  expect((await wallet())?.balanceMinor).toBe(-999_000n);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const id = entry?.entryId ?? '';
  const correction = await correctEntry(world.service.sql, world.operatorId, { entryId: id, memo: 'Booked twice' });
  expect((await wallet())?.balanceMinor).toBe(-1_000_000n);
  expect((await wallet(before))?.balanceMinor).toBe(-999_000n);
  expect(await wallet(new Date('2000-01-01'))).toBeUndefined();
  const item = await world.service.request('GET', '/api/v1/reconciliation/feed?type=ledger.posted&limit=500');
  expect(item.body.items.at(-1)).toMatchObject({
    id: correction,
    positionId: null,
    detail: { movementType: 'CORRECTION', correctsEntryId: id, referenceType: 'entry', referenceId: id },
  });
  await expect(correctEntry(world.service.sql, world.operatorId, { entryId: id, memo: 'Again' })).rejects.toMatchObject(
    { code: 'entry_corrected', extra: { entryId: correction } },
  );
  await expect(
    correctEntry(world.service.sql, world.operatorId, { entryId: 'ent_none', memo: 'x' }),
  ).rejects.toMatchObject({ code: 'unknown_entry' });
  // put right again: the correction itself is corrected
  await correctEntry(world.service.sql, world.operatorId, { entryId: correction, memo: 'It was right' });
  expect((await wallet())?.balanceMinor).toBe(-999_000n);
  await sealLedger(world.service.sql);
  expect(await verdict()).toMatchObject({ ok: true });
});

describe('damage behind the back of the service is named', () => {
  const cases: [string, (position: bigint) => string, (position: bigint) => string, RegExp][] = [
    [
      'an amount',
      (at) => `update ledger_entries set amounts[1] = amounts[1] + 1 where position = ${at}`,
      (at) => `update ledger_entries set amounts[1] = amounts[1] - 1 where position = ${at}`,
      /changed after/,
    ],
    [
      'a memo',
      (at) => `update ledger_entries set memo = memo || '!' where position = ${at}`,
      (at) => `update ledger_entries set memo = rtrim(memo, '!') where position = ${at}`,
      /changed after/,
    ],
    [
      'an account',
      (at) => `update ledger_entries set account_ids[2] = 'x' || account_ids[2] where position = ${at}`,
      (at) => `update ledger_entries set account_ids[2] = substring(account_ids[2] from 2) where position = ${at}`,
      /changed after/,
    ],
    [
      'a missing entry',
      (at) =>
        `create table kept as select * from ledger_entries where position = ${at}; delete from ledger_entries where position = ${at}`,
      () => 'insert into ledger_entries select * from kept; drop table kept',
      /missing/,
    ],
  ];
  test.each(cases)('%s', async (_name, damage, repair, reason) => {
    const all = await entries();
    // an order's fill entry: the item after it is no entry
    const target = all[4] ?? { position: 0n, entryId: '' };
    const guarded = (statement: string) =>
      statement.replaceAll('position = ', `operator_id = '${world.operatorId}' and position = `);
    await world.damage(guarded(damage(target.position)));
    const found = await verdict();
    expect(found?.ok).toBe(false);
    expect(found?.unfit?.reason).toMatch(reason);
    if (_name !== 'a line without an entry') {
      expect(found?.unfit?.position).toBe(Number(target.position));
    }
    await world.damage(guarded(repair(target.position)));
    expect(await verdict()).toMatchObject({ ok: true });
  });

  test('a seal that was rewritten, and one that was taken out', async () => {
    await world.damage("update ledger_seals set seal = sha256('forged') where number = 1");
    expect(await verdict()).toMatchObject({ ok: false, unfit: { reason: expect.stringMatching(/chain is broken/) } });
    await world.damage('delete from ledger_seals where number = 1');
    expect(await verdict()).toMatchObject({ ok: false });
  });
});
