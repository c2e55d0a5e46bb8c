/**
 * Signed notes of C2SP signed-note with Ed25519: a text, an empty line, and signature lines. A verifier key names the
 * signer, so anyone who has the key can check a note offline.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

const ED25519 = 1;
const HASH_LENGTH = 4;
/** The bytes that PKCS #8 and SPKI put before the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that signs. */
export interface NoteSigner {
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

/** @param seed the 32 secret bytes of an Ed25519 key. */
export function signerFromSeed(seed: Buffer): NoteSigner {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  return signerFromKey(privateKey);
}

/** @param privateKey an Ed25519 key. @throws TypeError for a key of another kind. */
export function signerFromKey(privateKey: KeyObject): NoteSigner {
  return { privateKey, publicKey: publicBytes(createPublicKey(privateKey)) };
}

/** The 32 bytes of an Ed25519 public key. @throws TypeError for a key of another kind. */
export function publicBytes(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError(`expected an Ed25519 key, not ${key.asymmetricKeyType}`);
  }
  return key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
}

/** `<name>+<hash>+<key>`, the verifier key format of C2SP signed-note. */
export function verifierKey(name: string, publicKey: Buffer): string {
  return verifierKeyOf(name, ED25519, publicKey);
}

/** @param type the first byte of the key, which says what its signatures are over */
export function verifierKeyOf(name: string, type: number, publicKey: Buffer): string {
  const hash = keyHash(name, type, publicKey).toString('hex');
  return `${name}+${hash}+${Buffer.concat([Buffer.of(type), publicKey]).toString('base64')}`;
}

/**
 * @param text ends with a newline
 * @returns the note with one signature line
 */
export function signNote(text: string, name: string, { privateKey, publicKey }: NoteSigner): string {
  const signature = sign(null, Buffer.from(text), privateKey);
  return `${text}\n${signatureLine(name, Buffer.concat([keyHash(name, ED25519, publicKey), signature]))}`;
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
  const { name, type, hash, publicKey } = readVerifierKey(key);
  if (type !== ED25519) {
    throw new NoteError('not an Ed25519 verifier key');
  }
  const { text, signatures } = splitNote(note);
  const spki = publicKeyOf(publicKey);
  for (const one of signatures.filter(
    (line) => line.name === name && line.bytes.subarray(0, HASH_LENGTH).equals(hash),
  )) {
    if (verify(null, Buffer.from(text), spki, one.bytes.subarray(HASH_LENGTH))) {
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
export function splitNote(note: string): { text: string; signatures: NoteSignature[] } {
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
  readonly type: number;
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
  const type = bytes[0] ?? 0;
  if (publicKey.length !== 32 || !keyHash(name, type, publicKey).equals(hash)) {
    throw new NoteError('not an Ed25519 verifier key');
  }
  return { name, type, hash, publicKey };
}

export function publicKeyOf(publicKey: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
}

export function keyHash(name: string, type: number, publicKey: Buffer): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(type))
    .update(publicKey)
    .digest()
    .subarray(0, HASH_LENGTH);
}

export function signatureLine(name: string, bytes: Buffer): string {
  return `\u2014 ${name} ${bytes.toString('base64')}\n`;
}
