/** Numbers on the command line, for the API to judge: only what is no number at all is refused here. */
import { usage } from './failure.ts';

const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** @throws a usage failure that names the flag. */
export function readNumber(flag: string, text: string): number {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value)) {
    throw usage(`--${flag} ${text} is not a number.`);
  }
  return value;
}

/** `yes` or `no`, in any case of letters. */
export function readSide(text: string): 'YES' | 'NO' {
  const side = text.toUpperCase();
  if (side !== 'YES' && side !== 'NO') {
    throw usage(`${text} is not a side; it is yes or no.`);
  }
  return side;
}
