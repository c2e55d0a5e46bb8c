/** Identifiers: a prefix that names the kind, and a time-ordered body that sorts byte by byte. */
import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const EXECUTION_REF_LENGTH = 14;

export type IdPrefix =
  | 'key'
  | 'qt'
  | 'ord'
  | 'fil'
  | 'exi'
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
  | 'mov'
  | 'aud'
  | 'mat'
  | 'apr'
  | 'mvo';

const RANDOM_BYTES = 16;
/** The bytes of the id that is being made. */
const idBytes = Buffer.alloc(RANDOM_BYTES);
const pool = new Uint8Array(RANDOM_BYTES * 512);
let poolAt = pool.length;
let lastMs = 0;
let sequence = 0;

/**
 * A new id such as `ord_0197f1c2a0b37d3e8a6b1c5d9e2f4a60`: 32 hex digits of a UUID version 7. Ids sort by time, and
 * those of one process in the order in which they were made.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${newDigits()}`;
}

/** The 32 digits of a new id without its prefix. */
export function newDigits(): string {
  const random = nextRandom();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    sequence += 1;
  }
  v7({ random, msecs: lastMs, seq: sequence }, idBytes);
  return idBytes.toString('hex');
}

/** When an id was made, by the clock of the process that made it. @param id a prefix and 32 hex digits */
export function timeOfId(id: string): Date {
  const digits = id.slice(id.indexOf('_') + 1);
  return new Date(Number.parseInt(digits.slice(0, 12), 16));
}

/**
 * Random bytes are read for many ids at once: an order needs eight, and each system call costs more than the rest of an
 * id.
 */
function nextRandom(): Uint8Array {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  poolAt += RANDOM_BYTES;
  return pool.subarray(poolAt - RANDOM_BYTES, poolAt);
}

const OPERATOR_DIGITS = 12;
const OPERATOR_SERIES = 1n << 15n;
let lastOperator = 0n;

/**
 * A new operator's id such as `op_1mj5c0zrg8k2`. Every row and every index entry of the operator contains it, so
 * it is short: milliseconds and 15 further bits in base 32. Ids sort by time, after the longer ones of earlier
 * builds.
 */
export function newOperatorId(): string {
  const fresh = BigInt(Date.now()) * OPERATOR_SERIES + BigInt(randomInt(Number(OPERATOR_SERIES / 2n)));
  lastOperator = fresh > lastOperator ? fresh : lastOperator + 1n;
  const digits = Array.from(
    { length: OPERATOR_DIGITS },
    (_, place) => CROCKFORD[Number((lastOperator >> BigInt((OPERATOR_DIGITS - 1 - place) * 5)) & 31n)],
  );
  return `op_${digits.join('').toLowerCase()}`;
}

/** A new support reference, `inl_Best_` and 14 characters of Crockford base32 (contract 4.8). */
export function newExecutionRef(): string {
  let reference = 'inl_Best_';
  for (let index = 0; index < EXECUTION_REF_LENGTH; index += 1) {
    reference += CROCKFORD[randomInt(CROCKFORD.length)];
  }
  return reference;
}

const EXECUTION_REF = /^inl_best_([0-9a-z]{14})$/i;
/** Letters that Crockford's base32 reads as digits. */
const READ_AS: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

const REFERENCE_WORD = /^\W*ref(?:erence)?(?:\s|[^\w\s])+/i;
const LEAST_OF_A_REFERENCE = 6;

/** The characters of a reference after `inl_Best_`, in the order in which people gave them, among other signs. */
function readReferenceDigits(text: string): string {
  const letters = text
    .replace(REFERENCE_WORD, '')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');
  return letters.replace(/^.*INLBEST/, '').replace(/[ILO]/g, (letter) => READ_AS[letter] as string);
}

/**
 * Reads what may be a support reference, or its beginning, among other signs: `Ref: inl Best T0Q...`, or the last 14 characters alone.
 * @returns the beginning of the reference as it was issued; undefined if there are fewer than six characters or more than 14
 */
export function readReferenceBeginning(text: string): string | undefined {
  const digits = readReferenceDigits(text);
  return digits.length < LEAST_OF_A_REFERENCE || digits.length > EXECUTION_REF_LENGTH
    ? undefined
    : `inl_Best_${digits}`;
}

/** @returns the whole support reference in the text, as it was issued; the text itself if it has none */
export function findExecutionRef(text: string): string {
  const digits = readReferenceDigits(text);
  return digits.length === EXECUTION_REF_LENGTH ? `inl_Best_${digits}` : text;
}

/**
 * References that differ from the given text by one slip: a wrong, a missing, an additional character, or two that changed places.
 * @returns a few hundred; none if the text has not 13 to 15 characters of a reference
 */
export function referencesNear(text: string): string[] {
  const digits = readReferenceDigits(text);
  const places = [...digits].map((_, place) => place);
  const near: string[] = [];
  if (digits.length === EXECUTION_REF_LENGTH + 1) {
    near.push(...places.map((at) => digits.slice(0, at) + digits.slice(at + 1)));
  } else if (digits.length === EXECUTION_REF_LENGTH) {
    near.push(...places.map((at) => digits.slice(0, at) + (digits[at + 1] ?? '') + digits[at] + digits.slice(at + 2)));
    near.push(...places.flatMap((at) => [...CROCKFORD].map((one) => digits.slice(0, at) + one + digits.slice(at + 1))));
  } else if (digits.length === EXECUTION_REF_LENGTH - 1) {
    near.push(
      ...[...places, digits.length].flatMap((at) =>
        [...CROCKFORD].map((one) => digits.slice(0, at) + one + digits.slice(at)),
      ),
    );
  }
  return [...new Set(near)].map((one) => `inl_Best_${one}`);
}

/**
 * Reads a support reference as people write it: in any case, with I and L for 1 and O for 0.
 * @returns the reference as it was issued; any other text unchanged
 */
export function readExecutionRef(text: string): string {
  const [, digits] = EXECUTION_REF.exec(text.trim()) ?? [];
  return digits === undefined
    ? text
    : `inl_Best_${digits.toUpperCase().replace(/[ILO]/g, (letter) => READ_AS[letter] as string)}`;
}
