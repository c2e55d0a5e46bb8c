/** The append-only ledger: what nobody may change, entries that are refused, and balances at a moment. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asFailure } from '../../src/cli/failure.ts';
import { balancesAt } from '../../src/ledger/journal.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('seal');
  for (let index = 0; index < 6; index += 1) {
    await world.buy(market, `user-${index % 2}`);
  }
});
afterAll(() => world.close());

// contract 23.1
describe('append-only', () => {
  const statements = [
    'update journal set stakes = stakes + 1',
    'delete from journal',
    'update journal set detail = detail',
    'truncate journal',
    'update journal set memo = memo',
  ];
  test.each(statements)('the service may not: %s', async (statement) => {
    await expect(world.sql.unsafe(statement)).rejects.toThrow(/permission denied/);
  });

  test.each(statements)('a trigger refuses even the owner: %s', async (statement) => {
    const owner = new pg.Client({ connectionString: world.database.ownerUrl });
    await owner.connect();
    const message = await owner.query(statement).then(
      () => 'done',
      (error: Error) => error.message,
    );
    await owner.end();
    expect(message).toMatch(/append-only/);
  });

  const UNBALANCED: Readonly<Record<string, number>>[] = [
    { stakes: 5, result: -4 },
    ...['available', 'held', 'stakes', 'result', 'platform_fees', 'venue_fees', 'other'].map((one) => ({ [one]: 1 })),
  ];
  test.each(UNBALANCED)('an entry that does not balance is refused: %j', async (amounts) => {
    const row = {
      operator_id: world.operator.operatorId,
      sequence: 99_999,
      items: 1,
      kind: 'overrun_posted',
      recorded_at: new Date(),
      decided_at: new Date(),
      funds: 'cash',
      other_account: 'overrun',
      ...amounts,
    };
    await expect(world.sql`insert into journal ${world.sql(row)}`).rejects.toThrow(/debits_equal_credits/);
  });

  test('the command line does not print the text of such an error', async () => {
    const refused = await world.sql`insert into wallets values (${world.operator.operatorId}, 'nobody')`.catch(
      asFailure,
    );
    expect(refused).toMatchObject({
      code: 'internal_error',
      message: 'The database refused a statement (23503), and nothing was changed.',
      cause: expect.objectContaining({ message: expect.stringContaining('foreign key') }),
    });
  });
});

// contract 23.1
test('what an account has now leaves as it was what it had at an earlier moment', async () => {
  const market = await world.openMarket('balances');
  await world.buy(market, 'cora');
  const before = new Date();
  const wallet = async (at?: Date) =>
    (await balancesAt(world.sql, world.operator.operatorId, at)).find((one) => one.accountId === 'wallet:cora');
  expect((await wallet())?.balanceMinor).toBe(-999_000n);
  await timePasses(5);
  await world.buy(market, 'cora');
  expect((await wallet())?.balanceMinor).toBe(-998_000n);
  expect((await wallet(before))?.balanceMinor).toBe(-999_000n);
  expect(await wallet(new Date('2000-01-01'))).toBeUndefined();
});
