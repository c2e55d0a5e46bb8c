/** Opaque, versioned cursors. A cursor contains the purpose that it was made for, so that it cannot resume another list. */
import { refuse } from './errors.ts';
import type { IdPrefix } from './ids.ts';

const VERSION = 1;
const MAX_LENGTH = 1024;
const ID_BODY = /^[0-9A-Za-z_]{1,64}$/;

/**
 * @param purpose what the cursor resumes, such as `orders` or `feed:op_…`; `decodeCursor` compares it
 * @param key the keyset position as strings, numbers or null
 */
export function encodeCursor(purpose: string, key: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify([VERSION, purpose, ...key])).toString('base64url');
}

/**
 * @returns the keyset position that `encodeCursor` encoded
 * @throws `invalid_cursor` if the text is malformed, of another version or made for another purpose
 */
export function decodeCursor(purpose: string, cursor: string, length: number): (string | number | null)[] {
  const parsed = parse(cursor);
  if (parsed === undefined) {
    throw refuse('invalid_cursor');
  }
  const [version, minted, ...key] = parsed;
  if (version !== VERSION || minted !== purpose || key.length !== length) {
    throw refuse('invalid_cursor');
  }
  if (!key.every((part) => part === null || typeof part === 'string' || Number.isFinite(part))) {
    throw refuse('invalid_cursor');
  }
  return key as (string | number | null)[];
}

function parse(cursor: string): unknown[] | undefined {
  if (cursor.length === 0 || cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) {
    return undefined;
  }
  try {
    const bytes = Buffer.from(cursor, 'base64url');
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    // base64url decoding is lenient: other texts decode to the same bytes as the one that was issued
    return Array.isArray(value) && bytes.toString('base64url') === cursor ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads an id from a cursor, such as the last order of a page.
 * @throws invalid_cursor if it is not an id with that prefix
 */
export function decodeId(purpose: string, cursor: string, prefix: IdPrefix): string {
  const [id] = decodeCursor(purpose, cursor, 1);
  if (typeof id !== 'string' || !id.startsWith(`${prefix}_`) || !ID_BODY.test(id.slice(prefix.length + 1))) {
    throw refuse('invalid_cursor');
  }
  return id;
}

/** Reads a sequence number of the feed or of the settlements from a cursor: a whole number of at least 0. */
export function decodeSequence(purpose: string, cursor: string): bigint {
  const [text] = decodeCursor(purpose, cursor, 1);
  if (typeof text !== 'string' || !/^(0|[1-9][0-9]{0,17})$/.test(text)) {
    throw refuse('invalid_cursor');
  }
  return BigInt(text);
}

export function encodeSequence(purpose: string, sequence: bigint): string {
  return encodeCursor(purpose, [sequence.toString()]);
}

/** A position in a register: a sequence number, and the epoch of the books in which it was assigned. */
export interface RegisterCursor {
  readonly sequence: bigint;
  readonly epoch: number;
}

/** The first epoch is omitted, so cursors of releases without epochs belong to it. */
export function encodeRegisterCursor(purpose: string, { sequence, epoch }: RegisterCursor): string {
  return encodeCursor(purpose, epoch === 1 ? [`${sequence}`] : [`${sequence}`, epoch]);
}

/** @throws invalid_cursor */
export function decodeRegisterCursor(purpose: string, cursor: string): RegisterCursor {
  if (parse(cursor)?.length !== LENGTH_WITH_EPOCH) {
    return { sequence: decodeSequence(purpose, cursor), epoch: 1 };
  }
  const [sequence, epoch] = decodeCursor(purpose, cursor, 2);
  if (typeof epoch !== 'number' || !Number.isInteger(epoch) || epoch < 2 || epoch > MOST_EPOCH) {
    throw refuse('invalid_cursor');
  }
  return { sequence: decodeSequence(purpose, encodeCursor(purpose, [sequence ?? null])), epoch };
}

/** Version, purpose, sequence, epoch. */
const LENGTH_WITH_EPOCH = 4;
const MOST_EPOCH = 2 ** 31 - 1;
