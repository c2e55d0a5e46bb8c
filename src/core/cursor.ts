/** Opaque, versioned cursors. A cursor carries what it was minted for, so that it cannot resume another listing. */
import { refuse } from './errors.ts';
import type { IdPrefix } from './ids.ts';

const VERSION = 1;
const MAX_LENGTH = 1024;
const ID_BODY = /^[0-9A-Za-z]{1,64}$/;

/**
 * @param purpose what the cursor resumes, e.g. `orders` or `feed:op_…`; checked again on the way in.
 * @param key the keyset position as strings, numbers or null.
 */
export function encodeCursor(purpose: string, key: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify([VERSION, purpose, ...key])).toString('base64url');
}

/**
 * @returns the keyset position that `encodeCursor` wrapped.
 * @throws `invalid_cursor` where the text is malformed, of another version or minted for another purpose.
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
    // Decoding is lenient: other texts than the one that was handed out decode to the same bytes.
    return Array.isArray(value) && bytes.toString('base64url') === cursor ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * An id out of a cursor, such as the last order of a page.
 * @throws invalid_cursor if it is not an id with that prefix.
 */
export function decodeId(purpose: string, cursor: string, prefix: IdPrefix): string {
  const [id] = decodeCursor(purpose, cursor, 1);
  if (typeof id !== 'string' || !id.startsWith(`${prefix}_`) || !ID_BODY.test(id.slice(prefix.length + 1))) {
    throw refuse('invalid_cursor');
  }
  return id;
}

/** A feed or settlement position out of a cursor: a whole number from 0 up. */
export function decodePosition(purpose: string, cursor: string): bigint {
  const [text] = decodeCursor(purpose, cursor, 1);
  if (typeof text !== 'string' || !/^(0|[1-9][0-9]{0,17})$/.test(text)) {
    throw refuse('invalid_cursor');
  }
  return BigInt(text);
}

export function encodePosition(purpose: string, position: bigint): string {
  return encodeCursor(purpose, [position.toString()]);
}

/** A place in a register: a feed position, in the epoch of the books in which it was handed out. */
export interface Place {
  readonly position: bigint;
  readonly epoch: number;
}

/** The first epoch is not written, so cursors of releases that knew none are of it. */
export function encodePlace(purpose: string, { position, epoch }: Place): string {
  return encodeCursor(purpose, epoch === 1 ? [`${position}`] : [`${position}`, epoch]);
}

/** @throws invalid_cursor. */
export function decodePlace(purpose: string, cursor: string): Place {
  if (parse(cursor)?.length !== LENGTH_WITH_EPOCH) {
    return { position: decodePosition(purpose, cursor), epoch: 1 };
  }
  const [position, epoch] = decodeCursor(purpose, cursor, 2);
  if (typeof epoch !== 'number' || !Number.isInteger(epoch) || epoch < 2 || epoch > MOST_EPOCH) {
    throw refuse('invalid_cursor');
  }
  return { position: decodePosition(purpose, encodeCursor(purpose, [position ?? null])), epoch };
}

/** Version, purpose, position, epoch. */
const LENGTH_WITH_EPOCH = 4;
const MOST_EPOCH = 2 ** 31 - 1;
