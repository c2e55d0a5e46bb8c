import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkCustomerLimits, checkOrderStake, effectiveLimits } from '../../src/risk/customer-limits.ts';
import { mayTrade } from '../../src/risk/jurisdiction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`insert into operators (operator_id, slug, name, mode) values ('op_1', 'one', 'One', 'live')`;
  await database.sql`select open_ledger('op_1')`;
  await database.sql`select ensure_customer('op_1', 'player')`;
});
afterAll(() => database.close());

const amount = fc.bigInt({ min: 1n, max: 1000n });
const rung = fc
  .tuple(fc.option(amount), fc.option(fc.tuple(amount, fc.integer({ min: 1, max: 3 }))))
  .map(([maxWagerMinor, period]) => ({
    maxWagerMinor,
    periodStakeMinor: period?.[0] ?? null,
    periodHours: period?.[1] ?? null,
  }));

test('the statement refuses a stake exactly when the rule does', async () => {
  await fc.assert(
    fc.asyncProperty(rung, rung, fc.option(amount), amount, async (operator, account, maxOrder, stake) => {
      const { sql } = database;
      await sql`update operators set max_wager_minor = ${operator.maxWagerMinor}, period_stake_minor = ${operator.periodStakeMinor},
        period_hours = ${operator.periodHours}, max_order_minor = ${maxOrder}`;
      await sql`update customers set max_wager_minor = ${account.maxWagerMinor}, period_stake_minor = ${account.periodStakeMinor},
        period_hours = ${account.periodHours}`;
      const [row] = await sql`
        select (broken_limits('', array[json_populate_record(null::quote_command, json_build_object('operator_id', 'op_1',
          'external_user_id', 'player', 'action', 'buy', 'authorization_minor', ${stake}::bigint))], now()))[1] as broken`;
      const limits = effectiveLimits(operator, account);
      const windows = limits.periods.map(({ hours }) => ({ hours, stakedMinor: 0n }));
      const refused = checkCustomerLimits(limits, stake, windows) ?? checkOrderStake(maxOrder, stake);
      expect(row?.['broken'] === null).toBe(refused === null);
    }),
    { numRuns: 150 },
  );
});

test('the statement permits a jurisdiction exactly when the rule does', async () => {
  for (const mode of ['off', 'observe', 'enforced'] as const) {
    for (const permittedCountries of [[], ['HR'], ['HR', 'BR']]) {
      for (const allowExits of [false, true]) {
        for (const country of [null, 'HR', 'US']) {
          for (const action of ['buy', 'sell'] as const) {
            const [row] = await database.sql`
              select jurisdiction_permits(${mode}, ${permittedCountries}, ${allowExits}, ${country}, ${action}) as permits`;
            const permitted = mayTrade({ mode, permittedCountries, allowExits }, country, action);
            expect(row?.['permits'], `${mode} ${permittedCountries} ${allowExits} ${country} ${action}`).toBe(
              permitted,
            );
          }
        }
      }
    }
  }
});
