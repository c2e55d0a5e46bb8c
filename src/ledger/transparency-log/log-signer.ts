/**
 * The keys that sign checkpoints. They live outside the database: derived from INLAY_SECRET, or in a file. A log is signed with an
 * earlier key until its chain of keys has a newer one (`rotate-key.ts`).
 */
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Environment, EnvironmentError } from '../../core/environment.ts';
import {
  keyAt,
  NoteError,
  type NoteSigner,
  originOf,
  signerFromKey,
  signerFromSeed,
  verifierKey,
  verifyNote,
} from '../../core/log-format/notes.ts';
import { deriveKey, type Secrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import { findHead, listKeyChanges } from './feed-log.ts';

const PURPOSE = 'feed log signature';

/** The newest key, and those that signed before and are still configured. */
export interface LogSigner extends NoteSigner {
  readonly earlier?: readonly NoteSigner[];
}

/** @throws EnvironmentError if a setting names no readable Ed25519 key of the kind that is needed. */
export function loadLogSigner(
  { logKeyFile, previousLogKeyFile }: Environment,
  { current, previous = [] }: Pick<Secrets, 'current'> & Partial<Pick<Secrets, 'previous'>>,
): LogSigner {
  const configured = loadKey('INLAY_LOG_KEY_FILE', logKeyFile);
  const before = loadKey('INLAY_LOG_KEY_FILE_PREVIOUS', previousLogKeyFile);
  const derived = [current, ...previous].map((secret) => signerFromSeed(deriveKey(secret, PURPOSE)));
  const [newest, ...others] = [...(configured === undefined ? [] : [configured]), ...derived];
  const earlier = [...(before === undefined ? [] : [before]), ...others];
  return { ...(newest as NoteSigner), earlier };
}

function loadKey(setting: string, file: string | undefined): NoteSigner | undefined {
  if (file === undefined) {
    return undefined;
  }
  try {
    return signerFromKey(createPrivateKey(readFileSync(file)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError(`${setting}: ${reason}`);
  }
}

/** The newest key as the verifier key of one operator's log, in the form of C2SP signed-note. */
export function logVerifierKey(operatorId: string, signer: NoteSigner): string {
  return verifierKey(originOf(operatorId), signer.publicKey);
}

/**
 * The key that the chain of an operator's log has for its newest checkpoint, or, without a chain, the configured one that signed it. The
 * newest one for a log without checkpoints, or if none of them did, so that the checkpoint does not verify.
 */
export async function currentLogKey(sql: Sql, operatorId: string, signer: LogSigner): Promise<string> {
  const [head, changes] = await Promise.all([findHead(sql, operatorId), listKeyChanges(sql, operatorId)]);
  const changed = changes.findLast(({ size }) => head !== undefined && size < head.size)?.verifierKey;
  const signed = head && findSigner(operatorId, head.note, signer);
  return changed ?? changes[0]?.previousKey ?? logVerifierKey(operatorId, signed ?? signer);
}

/**
 * The key whose signature the checkpoint of that size has, from the chain of the log.
 * @param trusted any key of the log
 * @throws NoteError
 */
export async function logKeyAt(sql: Sql, operatorId: string, trusted: string, size: number): Promise<string> {
  return keyAt(originOf(operatorId), trusted, await listKeyChanges(sql, operatorId), size);
}

/** The configured signer of that verifier key. @throws NoteError if there is none */
export function getSigner(operatorId: string, key: string | null, signer: LogSigner): NoteSigner {
  const found = signersOf(signer).find((one) => logVerifierKey(operatorId, one) === key);
  if (found === undefined) {
    throw new NoteError(
      `the log of ${operatorId} is signed with a key that is not configured; see INLAY_LOG_KEY_FILE_PREVIOUS`,
    );
  }
  return found;
}

/** Which of the configured keys signed a note of an operator's log. */
export function findSigner(operatorId: string, note: string, signer: LogSigner): NoteSigner | undefined {
  return signersOf(signer).find((one) => isSignedBy(note, logVerifierKey(operatorId, one)));
}

/** All keys that are configured, the newest first. */
export function signersOf(signer: LogSigner): readonly NoteSigner[] {
  return [signer, ...(signer.earlier ?? [])];
}

function isSignedBy(note: string, key: string): boolean {
  try {
    verifyNote(note, key);
    return true;
  } catch (error) {
    if (error instanceof NoteError) {
      return false;
    }
    throw error;
  }
}
