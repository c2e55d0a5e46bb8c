/** Stands in for `core/ids.ts`: ids of the same form, made of each process's own clock and of the seed's chance. */
import { v7 } from 'uuid';
import type { IdPrefix } from '../../src/core/ids.ts';
import { randomBytes, randomInt } from './simulated-crypto.ts';
import { insideProcess, type TimeKeeper } from './virtual-time.ts';

export type { IdPrefix } from '../../src/core/ids.ts';
export { readExecutionRef, readReferenceBeginning, referencesNear } from '../../src/core/ids.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const REF_LENGTH = 14;
const OPERATOR_DIGITS = 12;
/** The last id of each process; what makes ids outside of every one is no part of a world. */
const last = new WeakMap<TimeKeeper, { ms: number; sequence: number }>();

export const newId = (prefix: IdPrefix): string => `${prefix}_${newDigits()}`;

export function newDigits(): string {
  const keeper = insideProcess.getStore();
  const before = (keeper && last.get(keeper)) ?? { ms: 0, sequence: 0 };
  const random = randomBytes(16);
  const now = Date.now();
  const next =
    now > before.ms
      ? { ms: now, sequence: random.readUInt32BE(0) >>> 1 }
      : { ms: before.ms, sequence: before.sequence + 1 };
  if (keeper !== undefined) {
    last.set(keeper, next);
  }
  return v7({ random, msecs: next.ms, seq: next.sequence }).replaceAll('-', '');
}

export function newOperatorId(): string {
  return `op_${Array.from({ length: OPERATOR_DIGITS }, () => DIGITS[randomInt(DIGITS.length)])
    .join('')
    .toLowerCase()}`;
}

export function newExecutionRef(): string {
  return `inl_Best_${Array.from({ length: REF_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')}`;
}
