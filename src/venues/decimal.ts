/** Converts decimal texts of venues to bigint millionths, exactly or not at all. */
import { MICRO_SCALE, parseDecimal, shortDecimal } from '../money/decimal.ts';

/** No sign and no exponent: the exchanges send neither. */
const PLAIN = /^[0-9]{0,12}(?:\.[0-9]*)?$/;

/** @returns undefined for text that is not a plain decimal, or that needs more than six decimal places */
export function decimalMicros(text: string): bigint | undefined {
  if (!PLAIN.test(text)) {
    return undefined;
  }
  try {
    return parseDecimal(text, MICRO_SCALE, 'exact');
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** `12.5` of 12,500,000. */
export function microsDecimal(micros: bigint): string {
  return shortDecimal(micros, MICRO_SCALE);
}
