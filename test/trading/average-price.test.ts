/** The average price of a position is the one amount that the order statements round: held equal to money/. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { averagePrice } from '../../src/money/exit.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Halves are where a rounding differs: a third of the cases lies on one, or a unit beside it. */
const holding = fc
  .record({ quantity: fc.bigInt(1n, 10n ** 15n), price: fc.bigInt(1n, 999_999n), beside: fc.bigInt(-1n, 1n) })
  .chain(({ quantity, price, beside }) =>
    fc
      .oneof(
        fc.constant(quantity * price + quantity / 2n + beside),
        fc.bigInt(0n, quantity).map((rest) => quantity * price + rest),
        fc.constant(quantity * price),
      )
      .map((weight) => ({ weight, quantity })),
  );

test('the statements round an average price as the money room does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(holding, { minLength: 20, maxLength: 60 }), async (cases) => {
      const rows = await database.sql<{ price: bigint }[]>`
        select average_price(weight, quantity) as price
        from unnest(${cases.map(({ weight }) => weight.toString())}::text[]::numeric[],
          ${cases.map(({ quantity }) => quantity.toString())}::text[]::bigint[])
          with ordinality as held(weight, quantity, place) order by place`;
      expect(rows.map(({ price }) => price)).toEqual(
        cases.map(({ weight, quantity }) => averagePrice(weight, quantity)),
      );
    }),
  );
});
