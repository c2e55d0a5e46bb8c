/** Numbers on the command line. Anything else, or a number outside the limits of the API, is a usage error. */
import type { Side } from '../../core/terms.ts';
import { usage } from '../failure.ts';

const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

interface Bounds {
  /** Exclusive. */
  readonly above?: number;
  readonly atLeast?: number;
  /** Exclusive. */
  readonly below?: number;
}

/** @throws a usage failure that names the flag. */
export function readNumber(flag: string, text: string, { above, atLeast, below }: Bounds = {}): number {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value)) {
    throw usage(`--${flag} ${text} is not a number.`);
  }
  if (above !== undefined && value <= above) {
    throw usage(`--${flag} ${text} is not above ${above}.`);
  }
  if (atLeast !== undefined && value < atLeast) {
    throw usage(`--${flag} ${text} is below ${atLeast}.`);
  }
  if (below !== undefined && value >= below) {
    throw usage(`--${flag} ${text} is not below ${below}.`);
  }
  return value;
}

/** `yes` or `no`, in upper or lower case. */
export function readSide(text: string): Side {
  const side = text.toUpperCase();
  if (side !== 'YES' && side !== 'NO') {
    throw usage(`${text} is not a side; expected yes or no.`);
  }
  return side;
}

const CENTS = /^\d{1,16}$/;
const DOLLARS_AND_CENTS = /^(\d{1,14})\.(\d{2})$/;

/** Text for help: what `readCents` takes. */
export const CENTS_OR_DOLLARS = 'in cents (2000), or in dollars with both decimals (20.00)';

/** @throws a usage failure if it is neither a whole number of cents nor dollars with two decimals, or below the minimum. */
export function readCents(text: string, least = 1n): bigint {
  const [, dollars = '', cents = ''] = DOLLARS_AND_CENTS.exec(text) ?? [];
  const digits = dollars === '' ? text : `${dollars}${cents}`;
  if (!CENTS.test(digits) || BigInt(digits) < least) {
    throw usage(`${text} is not an amount of at least ${least} cents; write it ${CENTS_OR_DOLLARS}.`);
  }
  return BigInt(digits);
}
