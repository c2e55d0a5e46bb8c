/**
 * The list of the keys of a log, which is in the log itself: an item `log.key_changed` for each change. Its note names the new key
 * and the size from which that key signs, and has the signatures of the key before and of the new key. So a reader with any key of
 * the log arrives at the others, and a key that was replaced cannot sign the part after it.
 */
import type { FeedItemJson } from './feed-leaf.ts';
import { NoteError, type NoteSigner, signNote, verifierKey, verifyNote } from './signed-note.ts';

export const KEY_CHANGED = 'log.key_changed';

export interface KeyChange {
  /** Number of the item, and the size of the first checkpoint that the new key signs. */
  readonly sequence: number;
  /** Verifier key before; null if it was lost and could not sign. */
  readonly previousKey: string | null;
  readonly verifierKey: string;
  /** The signed note. */
  readonly note: string;
}

/** A change of keys that the key before did not sign, or that brings back a key. */
export class KeyChangeRefused extends NoteError {
  override name = 'KeyChangeRefused';
  readonly sequence: number;

  constructor(sequence: number, reason: string) {
    super(`item ${sequence} changes the key of the log, but ${reason}`);
    this.sequence = sequence;
  }
}

/** @param previous null if the key before is lost */
export function signKeyChange(
  origin: string,
  sequence: number,
  previous: NoteSigner | null,
  next: NoteSigner,
): KeyChange {
  const key = verifierKey(origin, next.publicKey);
  const text = keyChangeText(origin, sequence, key);
  const signed = signNote(text, origin, next);
  return {
    sequence,
    previousKey: previous === null ? null : verifierKey(origin, previous.publicKey),
    verifierKey: key,
    note: previous === null ? signed : signNote(text, origin, previous) + signed.slice(text.length + 1),
  };
}

/** The change that an item of the feed is; undefined for items of other types. @throws KeyChangeRefused if it is malformed */
export function readKeyChange({ type, sequence, detail }: FeedItemJson): KeyChange | undefined {
  if (type !== KEY_CHANGED) {
    return undefined;
  }
  const { previousKey, verifierKey: key, note } = (detail ?? {}) as Readonly<Record<string, unknown>>;
  if (
    typeof key !== 'string' ||
    typeof note !== 'string' ||
    !(previousKey === null || typeof previousKey === 'string')
  ) {
    throw new KeyChangeRefused(Number(sequence), 'does not say how');
  }
  return { sequence: Number(sequence), previousKey, verifierKey: key, note };
}

/**
 * The key whose signature a checkpoint of that size must have.
 * @param trusted a verifier key of the log, old or new
 * @param changes all that the log has, in order
 * @throws NoteError if `trusted` is no key of the log; KeyChangeRefused if a change is not signed as it must be
 */
export function keyAt(origin: string, trusted: string, changes: readonly KeyChange[], size: number): string {
  let keys: { readonly from: number; readonly key: string }[] = [];
  for (const change of changes) {
    checkKeyChange(origin, keys.at(-1)?.key ?? null, change);
    if (keys.some(({ key }) => key === change.verifierKey)) {
      throw new KeyChangeRefused(change.sequence, 'brings back a key that was replaced');
    }
    if (change.previousKey === null) {
      // nothing proves the new key to those who have an older one
      keys = [];
    } else if (keys.length === 0) {
      keys.push({ from: 0, key: change.previousKey });
    }
    keys.push({ from: change.sequence, key: change.verifierKey });
  }
  if (keys.length === 0) {
    return trusted;
  }
  if (!keys.some(({ key }) => key === trusted)) {
    throw new NoteError('the trusted key is not proven by the keys in the log');
  }
  return keys.findLast(({ from }) => from <= size)?.key ?? trusted;
}

/** @param current the key that signs before the change; null if it is not known. @throws KeyChangeRefused */
export function checkKeyChange(origin: string, current: string | null, change: KeyChange): void {
  const { sequence, previousKey, verifierKey: key, note } = change;
  if (current !== null && previousKey !== null && previousKey !== current) {
    throw new KeyChangeRefused(sequence, 'the key that it replaces does not sign');
  }
  for (const signer of previousKey === null ? [key] : [previousKey, key]) {
    if (readSigned(sequence, note, signer) !== keyChangeText(origin, sequence, key)) {
      throw new KeyChangeRefused(sequence, 'its note says something else');
    }
  }
}

function readSigned(sequence: number, note: string, key: string): string {
  try {
    return verifyNote(note, key);
  } catch (error) {
    throw error instanceof NoteError ? new KeyChangeRefused(sequence, error.message) : error;
  }
}

/** The first line keeps it apart from a checkpoint, whose first line is the origin. */
function keyChangeText(origin: string, from: number, key: string): string {
  return `inlay-log-key/v1\n${origin}\n${from}\n${key}\n`;
}
