/**
 * Amounts of US dollars in cents: the one place that adds and compares money as money, and prints it. Sums are made on the bigint build of
 * dinero.js, not on the number build, which overflows silently. There is no other currency here: display currencies are presentation and
 * never reach this room.
 */
import { add, type Dinero, dinero } from 'dinero.js/bigint';
import { USD } from 'dinero.js/bigint/currencies';
import { formatDecimal, MINOR_SCALE, parseDecimal } from './decimal.ts';

export const CURRENCY = 'USD';
export type Usd = Dinero<bigint>;

/** Cents as a dinero object. */
function usd(amountMinor: bigint): Usd {
  return dinero({ amount: amountMinor, currency: USD });
}

/** Cents as the exact decimal string of a money block: two places, `-` in front of a debt. */
export function formatMinor(amountMinor: bigint): string {
  return formatDecimal(amountMinor, MINOR_SCALE);
}

/**
 * Cents of an amount of the API.
 * @throws RangeError for text that is not a decimal, or has fractions of a cent
 */
export function parseMinor(amount: string): bigint {
  return parseDecimal(amount, MINOR_SCALE, 'exact');
}

/** Sum of amounts in cents. */
export function sumMinor(amountsMinor: readonly bigint[]): bigint {
  return amountsMinor.map(usd).reduce(add, usd(0n)).toJSON().amount;
}

/**
 * True if the parts add up to the whole exactly: the second path by which a money block's identity is checked. It subtracts them from the
 * whole one by one. A request prints several blocks, and dinero objects were a third of all its allocations.
 */
export function addsUp(wholeMinor: bigint, partsMinor: readonly bigint[]): boolean {
  return partsMinor.reduce((rest, part) => rest - part, wholeMinor) === 0n;
}

/** Platform fee of an amount: basis points of it, rounded up to the cent (spec "Money rules"). */
export function feeOf(amountMinor: bigint, feeBps: number): bigint {
  return (amountMinor * feeRate(feeBps) + 9_999n) / 10_000n;
}

/** A fee rate as an integer of basis points. @throws RangeError outside 0 to 5000 (contract 2.6). */
export function feeRate(feeBps: number): bigint {
  if (!Number.isInteger(feeBps) || feeBps < 0 || feeBps > 5_000) {
    throw new RangeError('fee is 0 to 5000 basis points');
  }
  return BigInt(feeBps);
}
