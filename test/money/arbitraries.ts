/** Generators of books, stakes and orders for the money properties. */
import fc from 'fast-check';
import type { Level } from '../../src/money/book.ts';

export const side = fc.constantFrom<'YES' | 'NO'>('YES', 'NO');
export const feeBps = fc.oneof(fc.constantFrom(0, 1, 200, 275, 5_000), fc.integer({ min: 0, max: 5_000 }));
export const cents = (max: bigint, min = 1n) => fc.bigInt({ min, max });

const quantityMicros = fc.oneof(fc.bigInt(1n, 2_000_000n), fc.bigInt(1n, 500_000_000_000n));

/** A book that is not crossed: asks above a middle price, bids below it, in no particular order. */
export const book: fc.Arbitrary<{ bids: Level[]; asks: Level[] }> = fc.bigInt(2n, 999_998n).chain((middle) =>
  fc.record({
    bids: levels(fc.bigInt(1n, middle - 1n)),
    asks: levels(fc.bigInt(middle, 999_999n)),
  }),
);

function levels(priceMicros: fc.Arbitrary<bigint>): fc.Arbitrary<Level[]> {
  return fc.array(fc.record({ priceMicros, quantityMicros }), { maxLength: 6 });
}
