/**
 * The keys of a log are a chain (contract 24.7). Each change names the new key and the size of the log when it took over: it signs the
 * checkpoints of more items. The key before and the new key sign the change, so that a reader with any key of the log arrives at the
 * others, and a key that was replaced cannot sign the part after it.
 */
import { NoteError, type NoteSigner, signNote, verifierKey, verifyNote } from './signed-note.ts';

export interface KeyChange {
  /** Items in the log when the new key took over. */
  readonly size: number;
  /** Verifier key before; null if it was lost and could not sign. */
  readonly previousKey: string | null;
  readonly verifierKey: string;
  /** The key before was given up because others may have it (contract 24.8). */
  readonly compromised: boolean;
  /** The signed note. */
  readonly note: string;
}

/**
 * @param size items in the log
 * @param previous null if the key before is lost
 */
export function signKeyChange(
  origin: string,
  size: number,
  previous: NoteSigner | null,
  next: NoteSigner,
  compromised = false,
): KeyChange {
  const change = {
    size,
    previousKey: previous === null ? null : verifierKey(origin, previous.publicKey),
    verifierKey: verifierKey(origin, next.publicKey),
    compromised,
  };
  const text = keyChangeText(origin, change);
  const signed = signNote(text, origin, next);
  return {
    ...change,
    note: previous === null ? signed : signNote(text, origin, previous) + signed.slice(text.length + 1),
  };
}

/**
 * The key whose signature a checkpoint of that size must have.
 * @param trusted a verifier key of the log, old or new
 * @param changes all of the log's chain, in order
 * @throws NoteError if `trusted` is no key of the log, or a change is not signed as it must be
 */
export function keyAt(origin: string, trusted: string, changes: readonly KeyChange[], size: number): string {
  let keys: { readonly after: number; readonly key: string }[] = [];
  for (const change of changes) {
    checkKeyChange(origin, keys, change);
    if (change.previousKey === null) {
      // nothing proves the new key to those who have an older one
      keys = [];
    } else if (keys.length === 0) {
      keys.push({ after: -1, key: change.previousKey });
    }
    keys.push({ after: change.size, key: change.verifierKey });
  }
  if (keys.length === 0) {
    return trusted;
  }
  if (!keys.some(({ key }) => key === trusted)) {
    throw new NoteError('the trusted key is not proven by the keys of the log');
  }
  return keys.findLast(({ after }) => after < size)?.key ?? trusted;
}

/** @param keys those before the change */
function checkKeyChange(
  origin: string,
  keys: readonly { readonly after: number; readonly key: string }[],
  change: KeyChange,
): void {
  const { size, previousKey, verifierKey: key, note } = change;
  const refused = (reason: string) => new NoteError(`the key of the log changed at ${size} items, but ${reason}`);
  const last = keys.at(-1);
  if (last !== undefined && size < last.after) {
    throw refused(`after that at ${last.after}`);
  }
  if (last !== undefined && previousKey !== null && previousKey !== last.key) {
    throw refused('the key that it replaces does not sign');
  }
  if (keys.some((one) => one.key === key)) {
    throw refused('to a key that was replaced');
  }
  for (const signer of previousKey === null ? [key] : [previousKey, key]) {
    if (verifyNote(note, signer) !== keyChangeText(origin, change)) {
      throw refused('its note says something else');
    }
  }
}

/** The first line keeps it apart from a checkpoint, whose first line is the origin. */
function keyChangeText(origin: string, { size, verifierKey: key, compromised }: Omit<KeyChange, 'note'>): string {
  return `inlay-log-key/v1\n${origin}\n${size}\n${key}\n${compromised ? 'compromised\n' : ''}`;
}
