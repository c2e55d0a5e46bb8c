/** Amounts on the command line: whole numbers of cents. */
import { usage } from '../failure.ts';

/** @throws a usage failure if it is not a whole number of cents, or below the minimum. */
export function readCents(text: string, least = 1n): bigint {
  if (!/^\d{1,16}$/.test(text) || BigInt(text) < least) {
    throw usage(`${text} is not a whole number of cents of at least ${least}.`);
  }
  return BigInt(text);
}
