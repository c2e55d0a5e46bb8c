/**
 * Cosignatures of C2SP tlog-cosignature with Ed25519: a witness says that a checkpoint is the newest one that it has seen of
 * this log, and that every earlier one is its beginning.
 */
import { sign, verify } from 'node:crypto';
import {
  keyHash,
  NoteError,
  type NoteSigner,
  publicKeyOf,
  readVerifierKey,
  signatureLine,
  splitNote,
  verifierKeyOf,
} from './signed-note.ts';

const COSIGNATURE = 4;
const KEY_HASH_BYTES = 4;
const TIME_BYTES = 8;
/** In the year 2286: what a Date and PostgreSQL hold. */
const LAST_SECOND = 9_999_999_999n;

/** Verifier key of a witness. @param name without blanks or plus signs, such as a host name */
export function witnessKey(name: string, publicKey: Buffer): string {
  return verifierKeyOf(name, COSIGNATURE, publicKey);
}

/** @throws NoteError if it is no verifier key at all */
export function isWitnessKey(key: string): boolean {
  return readVerifierKey(key).type === COSIGNATURE;
}

/**
 * @param note a signed checkpoint
 * @param at when the witness signs
 * @returns the text of the checkpoint with the witness's signature alone
 */
export function cosignCheckpoint(note: string, name: string, signer: NoteSigner, at: Date): string {
  const { text } = splitNote(note);
  const seconds = Math.floor(at.getTime() / 1000);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  const signature = sign(null, Buffer.from(cosignedText(text, seconds)), signer.privateKey);
  const line = signatureLine(name, Buffer.concat([keyHash(name, COSIGNATURE, signer.publicKey), time, signature]));
  return `${text}\n${line}`;
}

export interface Cosignature {
  readonly witness: string;
  readonly cosignedAt: Date;
  /** The checkpoint with this signature alone. */
  readonly note: string;
}

/**
 * @param note a checkpoint with the witness's signature, perhaps among others
 * @param key verifier key of the witness
 * @throws NoteError if the key or the note is malformed, or if no signature of that key is valid
 */
export function verifyCosignature(note: string, key: string): Cosignature {
  const { name, hash, publicKey } = readVerifierKey(key);
  if (!isWitnessKey(key)) {
    throw new NoteError('not the key of a witness');
  }
  const { text, signatures } = splitNote(note);
  for (const { name: signer, bytes } of signatures) {
    const time = bytes.subarray(KEY_HASH_BYTES, KEY_HASH_BYTES + TIME_BYTES);
    if (signer !== name || !bytes.subarray(0, KEY_HASH_BYTES).equals(hash) || time.length < TIME_BYTES) {
      continue;
    }
    const seconds = time.readBigUInt64BE();
    if (seconds > LAST_SECOND) {
      continue;
    }
    const signature = bytes.subarray(KEY_HASH_BYTES + TIME_BYTES);
    if (verify(null, Buffer.from(cosignedText(text, seconds)), publicKeyOf(publicKey), signature)) {
      return {
        witness: name,
        cosignedAt: new Date(Number(seconds) * 1000),
        note: `${text}\n${signatureLine(name, bytes)}`,
      };
    }
  }
  throw new NoteError(`no valid cosignature of ${name}`);
}

const cosignedText = (text: string, seconds: number | bigint) => `cosignature/v1\ntime ${seconds}\n${text}`;
