/** The append-only ledger: what nobody may change, entries that are refused, corrections, and balances at a moment. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { balancesAt } from '../../src/ledger/balances.ts';
import { correctEntry } from '../../src/ledger/correct-entry.ts';
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

// contract 23.1
describe('append-only', () => {
  const statements = [
    'update ledger_entries set amounts[1] = amounts[1] + 1',
    'delete from ledger_entries',
    'update feed_item_rows set detail = detail',
    'truncate ledger_entries',
    'update ledger_entries set memo = memo',
  ];
  test.each(statements)('the service may not: %s', async (statement) => {
    await expect(world.service.sql.unsafe(statement)).rejects.toThrow(/permission denied/);
  });

  test.each(statements)('a trigger refuses even the owner: %s', async (statement) => {
    const owner = new pg.Client({ connectionString: world.service.database.ownerUrl });
    await owner.connect();
    const message = await owner.query(statement).then(
      () => 'done',
      (error: Error) => error.message,
    );
    await owner.end();
    expect(message).toMatch(/append-only/);
  });

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
});
