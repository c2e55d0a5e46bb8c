/** Amounts on the command line: whole numbers of cents. */
import { usage } from '../failure.ts';

/** @throws a usage failure where it is no whole number of cents, or nothing is left. */
export function readCents(text: string, least = 1n): bigint {
  if (!/^\d{1,16}$/.test(text) || BigInt(text) < least) {
    throw usage(`${text} is not a whole number of cents from ${least} up.`);
  }
  return BigInt(text);
}
