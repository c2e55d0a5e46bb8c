/** Identifiers: a prefix that says the kind, and a time-ordered body that sorts byte by byte. */
import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const EXECUTION_REF_LENGTH = 14;

export type IdPrefix =
  | 'op'
  | 'key'
  | 'qt'
  | 'ord'
  | 'fil'
  | 'pos'
  | 'stl'
  | 'cnl'
  | 'ent'
  | 'whe'
  | 'evn'
  | 'dlv'
  | 'ses'
  | 'bk'
  | 'scn'
  | 'dep'
  | 'fnd'
  | 'att'
  | 'chg'
  | 'fee'
  | 'mov';

/** A new id such as `ord_0197f1c2a0b37d3e8a6b1c5d9e2f4a60`: 32 hex digits of a UUID version 7, so ids sort by time. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}

/** A new support reference, `inl_Best_` and 14 characters of Crockford base32 (specification "Conventions"). */
export function newExecutionRef(): string {
  let reference = 'inl_Best_';
  for (let index = 0; index < EXECUTION_REF_LENGTH; index += 1) {
    reference += CROCKFORD[randomInt(CROCKFORD.length)];
  }
  return reference;
}
