/**
 * The signed texts of a feed's log, as notes of C2SP signed-note with Ed25519: checkpoints, and changes of the log's
 * key. It checks signatures only; whether a root belongs to the items is checked in `merkle.ts`.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { HASH_BYTES } from './merkle.ts';

/**
 * A checkpoint of C2SP tlog-checkpoint: the size and the root of a log. The origin is `inlay/<operatorId>` (contract
 * 24.2), which is also the name of the signer.
 */
export interface Checkpoint {
  readonly origin: string;
  /** The number of leaves, which is the sequence number of the newest item in the tree. */
  readonly size: number;
  readonly root: Buffer;
}

export const originOf = (operatorId: string): string => `inlay/${operatorId}`;

export function signCheckpoint(checkpoint: Checkpoint, signer: NoteSigner): string {
  return signNote(checkpointText(checkpoint), checkpoint.origin, signer);
}

function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** @throws NoteError if the signature is not valid or the text is not a checkpoint */
export function verifyCheckpoint(note: string, key: string): Checkpoint {
  return readCheckpointText(verifyNote(note, key));
}

/**
 * Reads a note without checking its signatures.
 * @throws NoteError
 */
export function readCheckpoint(note: string): Checkpoint {
  return readCheckpointText(splitNote(note).text);
}

function readCheckpointText(text: string): Checkpoint {
  const [origin = '', digits = '', base64 = ''] = text.split('\n');
  const root = Buffer.from(base64, 'base64');
  if (origin === '' || !/^(0|[1-9][0-9]{0,15})$/.test(digits) || root.length !== HASH_BYTES) {
    throw new NoteError('not a checkpoint');
  }
  return { origin, size: Number(digits), root };
}

/**
 * A link of the chain that the keys of a log form (contract 24.7). The new key signs the checkpoints of more items than
 * the log had when it took over. The key before and the new key sign the change, so that a reader with any key of the log
 * arrives at the others, and a key that was replaced cannot sign the part after it.
 */
export interface KeyChange {
  /** The number of items in the log when the new key took over. */
  readonly size: number;
  /** The verifier key before; null if it was lost and could not sign. */
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
 * @param changes the whole chain of the log, in order
 * @throws NoteError if `trusted` is not a key of the log, or a change lacks a signature that it must have
 */
export function keyAt(origin: string, trusted: string, changes: readonly KeyChange[], size: number): string {
  let keys: { readonly after: number; readonly key: string }[] = [];
  for (const change of changes) {
    checkKeyChange(origin, keys, change);
    if (change.previousKey === null) {
      // no signature proves the new key to readers who have an older one
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

/** @param keys the keys before the change */
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
      throw refused('its note contradicts it');
    }
  }
}

/** The first line distinguishes it from a checkpoint, whose first line is the origin. */
function keyChangeText(origin: string, { size, verifierKey: key, compromised }: Omit<KeyChange, 'note'>): string {
  return `inlay-log-key/v1\n${origin}\n${size}\n${key}\n${compromised ? 'compromised\n' : ''}`;
}

const ED25519 = 1;
const KEY_HASH_BYTES = 4;
/** The bytes that PKCS #8 and SPKI put before the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that signs. */
export interface NoteSigner {
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

/** @param seed the 32 secret bytes of an Ed25519 key */
export function signerFromSeed(seed: Buffer): NoteSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return signerFromKey(privateKey);
}

/**
 * @param privateKey an Ed25519 key
 * @throws TypeError for a key of another kind
 */
export function signerFromKey(privateKey: KeyObject): NoteSigner {
  return { privateKey, publicKey: publicBytes(createPublicKey(privateKey)) };
}

/** @returns the 32 bytes of an Ed25519 public key */
function publicBytes(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError(`expected an Ed25519 key, not ${key.asymmetricKeyType}`);
  }
  return key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
}

/** `<name>+<hash>+<key>`, the verifier key format of C2SP signed-note. With it anyone can check a note offline. */
export function verifierKey(name: string, publicKey: Buffer): string {
  const hash = keyHash(name, publicKey).toString('hex');
  return `${name}+${hash}+${Buffer.concat([Buffer.of(ED25519), publicKey]).toString('base64')}`;
}

/**
 * A note consists of its text, an empty line, and signature lines.
 * @param text ends with a newline
 * @returns the note with one signature line
 */
export function signNote(text: string, name: string, { privateKey, publicKey }: NoteSigner): string {
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}\n${signatureLine(name, Buffer.concat([keyHash(name, publicKey), signature]))}`;
}

export class NoteError extends Error {
  override name = 'NoteError';
}

/**
 * Returns the text of a note that the owner of the key signed. Signatures of others are ignored.
 * @param key in the format of `verifierKey`
 * @throws NoteError if the note or the key is malformed, or if no signature of that key is valid
 */
export function verifyNote(note: string, key: string): string {
  const { name, hash, publicKey } = readVerifierKey(key);
  const { text, signatures } = splitNote(note);
  const spki = publicKeyOf(publicKey);
  for (const one of signatures.filter(
    (line) => line.name === name && line.bytes.subarray(0, KEY_HASH_BYTES).equals(hash),
  )) {
    if (verify(null, Buffer.from(text), spki, one.bytes.subarray(KEY_HASH_BYTES))) {
      return text;
    }
  }
  throw new NoteError(`no valid signature of ${name}`);
}

interface NoteSignature {
  readonly name: string;
  readonly bytes: Buffer;
}

/** @throws NoteError */
function splitNote(note: string): { text: string; signatures: NoteSignature[] } {
  const end = note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2).split('\n');
  if (end < 0 || lines.pop() !== '' || lines.length === 0) {
    throw new NoteError('not a signed note');
  }
  const signatures = lines.map((line) => {
    const [, name, base64] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
    if (name === undefined || base64 === undefined) {
      throw new NoteError('not a signature line');
    }
    return { name, bytes: Buffer.from(base64, 'base64') };
  });
  return { text: note.slice(0, end + 1), signatures };
}

export interface VerifierKey {
  readonly name: string;
  readonly hash: Buffer;
  /** 32 bytes of Ed25519. */
  readonly publicKey: Buffer;
}

/** @throws NoteError */
export function readVerifierKey(key: string): VerifierKey {
  const [, name = '', hex = '', base64 = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(key.trim()) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const publicKey = bytes.subarray(1);
  const hash = Buffer.from(hex, 'hex');
  if (bytes[0] !== ED25519 || publicKey.length !== 32 || !keyHash(name, publicKey).equals(hash)) {
    throw new NoteError('not an Ed25519 verifier key');
  }
  return { name, hash, publicKey };
}

function publicKeyOf(publicKey: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
}

function keyHash(name: string, publicKey: Buffer): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(ED25519))
    .update(publicKey)
    .digest()
    .subarray(0, KEY_HASH_BYTES);
}

function signatureLine(name: string, bytes: Buffer): string {
  return `\u2014 ${name} ${bytes.toString('base64')}\n`;
}
